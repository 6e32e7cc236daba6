"""Keys of models out of Secrets Manager."""

from collections.abc import Iterator

import pytest

from servers.tables import CREDENTIALS, REGION
from strata.adapters.models.aws import make_client, secret
from strata.adapters.models.openai import OpenAiVectors
from strata.domain.errors import Unavailable
from support.model_server import HANG, Bedrock, ModelServer, OpenAi, as_json, model_server


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with model_server() as server:
        yield server


def test_a_key_is_read_when_it_is_first_needed_and_then_kept(aws: ModelServer) -> None:
    aws.script(as_json({"SecretString": " sk-kept\n"}))
    key = secret("strata/openai", region=REGION, endpoint=aws.url)
    with model_server() as model:
        model.script(OpenAi().vectors([[1.0, 0.0]]))
        vectors = OpenAiVectors(f"{model.url}/v1", "small", key=key)
        assert aws.asked == []
        for _ in range(3):
            vectors.vectors(["a"], 10)
        assert {asked.headers["authorization"] for asked in model.asked} == {"Bearer sk-kept"}
    assert [asked.body["SecretId"] for asked in aws.asked] == ["strata/openai"]


@pytest.mark.parametrize(
    "told",
    [Bedrock().fails(400), Bedrock().fails(404), Bedrock().fails(500), as_json({"SecretBinary": "aGk="})],
    ids=["refused", "unknown", "failing", "no text"],
)
def test_without_its_key_a_model_is_unavailable_and_the_next_call_tries_again(
    aws: ModelServer, told: object
) -> None:
    aws.script(told, as_json({"SecretString": "sk-late"}))
    key = secret("strata/openai", region=REGION, endpoint=aws.url)
    with pytest.raises(Unavailable) as raised:
        key()
    assert "SECRET" not in str(raised.value)
    assert key() == "sk-late"


def test_a_silent_secrets_manager_is_not_waited_for(
    aws: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strata.adapters.models.aws.SECRET_SECONDS", 0.3)
    aws.script(HANG)
    with pytest.raises(Unavailable, match=r"within 0\.3 s"):
        secret("strata/openai", region=REGION, endpoint=aws.url)()


def test_without_a_region_bedrock_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    with pytest.raises(Unavailable, match="NoRegion"):
        make_client("bedrock-runtime", seconds=1)
