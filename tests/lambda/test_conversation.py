"""A whole conversation over HTTP: the gateway, its authorizer, warm functions, the table's own stream."""

from collections.abc import Iterator
from typing import Any

import boto3
import httpx
import pytest

from servers.tables import CREDENTIALS, dynamodb_client
from strata.bootstrap import Application
from support.lambda_deployment import REGION, TABLE, Deployment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.xdist_group("lambda")]


BY_RULES = 0.7
"""More than the rules alone make of an answer with one word of the question."""


@pytest.fixture(scope="module")
def agent(deployed: Deployment, operator: Application) -> Iterator[httpx.Client]:
    key = operator.credentials.keys.create("conversing", scopes=["read", "write"]).key
    with deployed.api() as client:
        client.headers["authorization"] = f"Bearer {key}"
        yield client


def test_a_session_is_kept_and_found_again(agent: httpx.Client, deployed: Deployment, dynamodb_local: str):
    project = {"project": "garden"}
    saved = {"session_id": "monday", "type": "decision", **project}

    wanted = agent.base_url.join("/search?q=x&project=garden")
    assert httpx.get(wanted).status_code == 401
    assert httpx.get(wanted, headers={"authorization": "Bearer of nothing"}, timeout=60).status_code == 403
    assert agent.post("/sessions", json={"id": "monday", **project}).status_code == 201
    first = agent.post(
        "/observations", json={**saved, "title": "Tomatoes", "content": "Tomatoes go to the south wall."}
    )
    again = agent.post(
        "/observations", json={**saved, "title": "Tomatoes", "content": "Tomatoes go to the south wall."}
    )
    other = agent.post("/observations", json={**saved, "title": "Beans", "content": "Beans climb the fence."})
    assert [answer.json()["action"] for answer in (first, again, other)] == [
        "created",
        "deduplicated",
        "created",
    ]

    def found() -> int:
        return agent.get("/search", params={"q": "where do tomatoes grow", **project}).json()[0]["id"]

    assert found() == first.json()["id"], "before the indexer has run"
    records = stream_records(dynamodb_local)
    assert deployed.invoke("Indexer", {"Records": records}) == {"batchItemFailures": []}
    assert found() == first.json()["id"], "after it"

    context = agent.get("/context", params={"query": "what climbs the fence", **project}).json()
    assert context["recent_observations"][0]["title"] == "Beans"
    messages = [
        {"role": "user", "content": "Where do tomatoes go?"},
        {"role": "assistant", "content": "South."},
    ]
    ended = agent.post("/sessions/monday/end", json={"messages": messages}).json()
    assert ended["message_count"] == 2
    assert [row["summary"] for row in agent.get("/sessions/recent", params=project).json()] == [
        ended["summary"]
    ]


def test_a_context_is_read_by_the_model_of_its_layers(agent: httpx.Client):
    bakery = {"project": "bakery"}
    assert agent.post("/sessions", json={"id": "baking", **bakery}).status_code == 201
    text = "The sourdough goes in on Fridays, since power is cheap then."
    oven = {"session_id": "baking", "type": "decision", "title": "Oven", "content": text}
    assert agent.post("/observations", json=oven | bakery).status_code == 201

    asked = {"query": "which day is the bread in the oven?", "layers": "observations", **bakery}
    (given,) = agent.get("/context", params=asked).json()["items"]
    assert "sourdough" in given["content"]
    assert given["relevance"] > BY_RULES


def stream_records(endpoint: str) -> list[dict[str, Any]]:
    """The records of the table's stream, as Lambda would hand them on."""
    client: Any = boto3.client(
        "dynamodbstreams",
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    )
    arn = dynamodb_client(endpoint).describe_table(TableName=TABLE)["Table"]["LatestStreamArn"]
    found: list[dict[str, Any]] = []
    for shard in client.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        place = client.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON"
        )
        page = client.get_records(ShardIterator=place["ShardIterator"])
        for record in page["Records"]:
            record["dynamodb"].pop("ApproximateCreationDateTime", None)
            found.append(record | {"eventSourceARN": arn})
    # as the template's filter does
    return [
        record
        for record in found
        if record["dynamodb"]["Keys"]["sk"]["S"].startswith(("OBS#", "CHANGE#", "SESSION"))
    ]
