"""Every function answers its sample event from a cold start, in a container of its own."""

import json
from typing import Any

import pytest

from strata.bootstrap import Application
from strata.local.template import declarations
from support.lambda_deployment import EVENTS, ROOT, Deployment

FUNCTIONS = declarations.load(ROOT / "template.yaml").functions
FOLDERS = {name: spec.code_dir.name for name, spec in FUNCTIONS.items()}

# in the order of a conversation: each event finds what the ones before it left
HTTP = {
    "Sessions": 201,
    "Save": 201,
    "SessionEvents": 201,
    "Search": 200,
    "Context": 200,
    "Mcp": 200,
    "SessionEnd": 200,
    "WorkingMemory": 200,
    "Ledger": 200,
    "Episodes": 201,
    "Agents": 200,
    "Chats": 200,
    "Knowledge": 200,
    "Questions": 200,
    "Entities": 200,
    "Privacy": 200,
    "Transfer": 200,
    "Maintenance": 200,
    "Health": 200,
}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.xdist_group("lambda")]


def event(function: str) -> dict[str, Any]:
    return json.loads((EVENTS / f"{FOLDERS[function]}.json").read_text())


def test_every_function_has_a_sample_event_and_is_tried_here():
    assert set(FUNCTIONS) == {*HTTP, "Indexer", "Extraction", "Dreamer", "Erasure", "Sweep", "Authorizer"}
    assert {path.stem for path in EVENTS.glob("*.json")} == set(FOLDERS.values())


@pytest.fixture(scope="module")
def answers(deployed: Deployment) -> dict[str, Any]:
    return {function: deployed.invoke(function, event(function)) for function in HTTP}


@pytest.mark.parametrize("function", HTTP)
def test_an_http_function_answers_its_sample_event(answers, function):
    assert (answers[function]["statusCode"], answers[function]["body"][:1]) in [
        (HTTP[function], "{"),
        (HTTP[function], "["),
    ]


def test_what_one_process_saved_another_finds_at_once(answers):
    saved = json.loads(answers["Save"]["body"])["id"]

    assert [hit["id"] for hit in json.loads(answers["Search"]["body"])] == [saved]
    assert "Postgres" in answers["Context"]["body"]
    assert "Postgres" in answers["Mcp"]["body"]
    assert json.loads(answers["SessionEnd"]["body"])["message_count"] == 3
    assert [row["id"] for row in json.loads(answers["Transfer"]["body"])["observations"]] == [saved]


def test_health_asks_the_real_stores(answers):
    health = json.loads(answers["Health"]["body"])

    assert health["status"] == "ok"
    assert {name: service["status"] for name, service in health["services"].items()} == {
        "table": "ok",
        "index": "ok",
        "vectors": "ok",
        "maintenance": "ok",
    }


def test_the_indexer_processes_its_sample_event(deployed):
    assert deployed.invoke("Indexer", event("Indexer")) == {"batchItemFailures": []}


def test_the_extraction_passes_over_a_session_that_nobody_ordered(deployed):
    assert deployed.invoke("Extraction", event("Extraction")) == {"batchItemFailures": []}


def test_the_dreamer_passes_over_a_session_that_nobody_ordered(deployed):
    assert deployed.invoke("Dreamer", event("Dreamer")) == {"batchItemFailures": []}


def test_the_erasure_passes_over_one_that_nobody_asked_for(deployed):
    assert deployed.invoke("Erasure", event("Erasure")) == {"batchItemFailures": []}


def test_the_sweep_takes_a_firing_of_its_schedule(deployed):
    assert deployed.invoke("Sweep", event("Sweep")) == {}


def test_the_authorizer_lets_in_who_holds_a_key(deployed: Deployment, operator: Application):
    made = operator.credentials.keys.create("acme", scopes=["read", "write"], identity="research-agent")
    knock = event("Authorizer") | {"identitySource": [f"Bearer {made.key}"]}

    answer = deployed.invoke("Authorizer", knock)

    assert answer["isAuthorized"] is True
    assert (answer["context"]["tenant"], answer["context"]["scopes"]) == ("acme", "read write")


def test_the_authorizer_turns_the_sample_key_away(deployed):
    assert deployed.invoke("Authorizer", event("Authorizer")) == {"isAuthorized": False}
