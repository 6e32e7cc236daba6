"""The owner of episodes on agtOS's routes: the person named, else the caller, else nobody in particular."""

import pytest

from support.api import ClaimsFromHeader, client
from support.memory import application

SYNTHESIS = "Compared to Postgres, SQLite is simpler to run."


class WithIdentity(ClaimsFromHeader):
    """The header `x-identity` says who calls."""

    def admit(self, event, request_id):
        refused = super().admit(event, request_id)
        if refused is None:
            identity = event["headers"].get("x-identity", "")
            event["requestContext"]["authorizer"]["lambda"]["identity"] = identity
        return refused


@pytest.fixture
def api(tmp_path):
    app = application(tmp_path, AUTH="required")
    with client(app, WithIdentity()) as api:
        api.headers["x-tenant"] = "acme"
        yield api
    app.close()


def store(api, summary, **fields):
    body = {"conversation_id": f"c-{summary}", "agent_id": "a1", "summary": summary} | fields
    assert api.post("/episodic/store", json=body).status_code == 201


def recent(api, identity="", **params):
    answer = api.get("/api/memory/episodes", params=params, headers={"x-identity": identity})
    return [episode["summary"] for episode in answer.json()["episodes"]]


def test_the_caller_is_meant_where_nobody_is_named(api):
    store(api, "hers", user_id="ann")
    store(api, "nobody's")
    assert recent(api, "ann") == ["hers"]
    assert recent(api) == ["nobody's"]
    assert recent(api, "ann", userId="default") == ["nobody's"]
    assert recent(api, "bob", userId="ann") == ["hers"]
    assert recent(api, "bob") == []


def test_an_answer_belongs_to_the_caller_where_neither_it_nor_its_session_names_anybody(api):
    body = {"session_id": "s1", "response": SYNTHESIS, "steps": 2}
    assert api.post("/api/memory/ingest", json=body, headers={"x-identity": "ann"}).json()["ingested"]
    assert recent(api, "ann") == [SYNTHESIS]
    assert recent(api) == []


def test_a_blank_search_finds_nothing(api):
    store(api, "something")
    answer = api.get("/api/memory/search", params={"q": " "})
    assert answer.json() == {"query": " ", "results": [], "count": 0}
