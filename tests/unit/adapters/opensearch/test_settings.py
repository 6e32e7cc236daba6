"""The engine of the index, as the settings choose it."""

from base64 import b64encode
from contextlib import closing
from pathlib import Path

import pytest

from strata.bootstrap import Application
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.search import SearchQuery
from strata.settings import SettingsError, load
from support.scripted_engine import ScriptedEngine, scripted_engine

ON = {"STRATA_INDEX": "opensearch"}


def paths_of(engine: ScriptedEngine, data: Path, **environ: str) -> list[str]:
    """The request that a search sends to an engine under these settings."""
    engine.answer = lambda asked: (503, {})
    settings = load(ON | {"STRATA_OPENSEARCH_URL": engine.url, "STRATA_DATA": str(data)} | environ)
    with closing(Application(settings)) as app, pytest.raises(Unavailable):
        app.stores.engine.search(Scope("acme"), SearchQuery("k", ("needle",)))
    return [f"{path} {engine.asked[number].lines[0]}" for number, path in enumerate(engine.paths())]


def test_the_index_is_where_the_settings_say(tmp_path: Path) -> None:
    with scripted_engine() as engine:
        assert paths_of(engine, tmp_path, STRATA_OPENSEARCH_ALIAS="mine", STRATA_OPENSEARCH_ROUTING="no") == [
            "POST /mine/_msearch {}"
        ]
    assert not list(tmp_path.iterdir())


def test_documents_are_searched_by_their_tenants_route(tmp_path: Path) -> None:
    with scripted_engine() as engine:
        assert paths_of(engine, tmp_path) == ["POST /strata/_msearch {'routing': 'acme'}"]


@pytest.mark.parametrize("service", ["es", "aoss"])
def test_requests_are_signed_for_the_service(
    service: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "ACCESS_KEY_ID": "AKIDEXAMPLE",
        "SECRET_ACCESS_KEY": "s",
        "SESSION_TOKEN": "t",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    with scripted_engine() as engine:
        paths_of(engine, tmp_path, STRATA_OPENSEARCH_SERVICE=service, STRATA_OPENSEARCH_REGION="eu-central-1")
        (asked,) = engine.asked
    assert asked.headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/")
    assert f"/eu-central-1/{service}/aws4_request" in asked.headers["authorization"]
    assert asked.headers["x-amz-security-token"] == "t"
    assert len(asked.headers["x-amz-content-sha256"]) == 64


def test_without_credentials_nothing_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "SESSION_TOKEN", "PROFILE"):
        monkeypatch.delenv(f"AWS_{name}", raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    with scripted_engine() as engine:
        paths = paths_of(
            engine,
            tmp_path,
            STRATA_OPENSEARCH_SERVICE="es",
            STRATA_OPENSEARCH_REGION="eu-central-1",
        )
    assert paths == []


def test_a_name_and_password_in_the_url_are_sent_as_basic_authentication(tmp_path: Path) -> None:
    with scripted_engine() as engine:
        url = engine.url.replace("http://", "http://ann:s%40cret@")
        paths_of(engine, tmp_path, STRATA_OPENSEARCH_URL=url)
        (asked,) = engine.asked
    assert asked.path == "/strata/_msearch"
    assert asked.headers["authorization"] == "Basic " + b64encode(b"ann:s@cret").decode()


@pytest.mark.parametrize(
    ("environ", "seconds"),
    [
        ({}, 0),
        (ON, 2),
        (ON | {"STRATA_OPENSEARCH_REFRESH": "wait_for"}, 0),
        (ON | {"STRATA_OPENSEARCH_SERVICE": "aoss"}, 60),
        (ON | {"STRATA_OPENSEARCH_SERVICE": "aoss", "STRATA_INDEX_REFRESH": "15"}, 15),
    ],
)
def test_how_long_a_write_may_stay_invisible_is_known_of_the_engine(
    environ: dict[str, str], seconds: int
) -> None:
    settings = load({"STRATA_OPENSEARCH_URL": "http://127.0.0.1:1"} | environ)
    assert settings.index_refresh_seconds == seconds


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"STRATA_OPENSEARCH_URL": "localhost:9200"},
        {"STRATA_OPENSEARCH_URL": "http://h", "STRATA_OPENSEARCH_ALIAS": "A/B"},
        {"STRATA_OPENSEARCH_URL": "http://h", "STRATA_OPENSEARCH_ENGINE": "annoy"},
    ],
)
def test_settings_that_cannot_work_are_refused(environ: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="STRATA_OPENSEARCH_"):
        load(ON | environ)
