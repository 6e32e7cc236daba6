"""Agents' configuration, facts and people's consent, over HTTP."""

import time
from urllib.parse import quote

import pytest

from support.api_calls import data, end, refused, start
from support.memory import unique

SAID = ("My name is Ana.", "Hello!", "I live in Valencia.", "Nice.", "Please remember all that.", "I will.")


@pytest.fixture
def agent() -> str:
    return unique("agent/")


@pytest.fixture
def ann() -> str:
    return unique("ann ñ/")


def config_of(agent: str) -> str:
    return f"/api/agents-config/{quote(agent, safe='')}"


def facts_of(agent: str, user: str) -> str:
    return f"/api/agents/{quote(agent, safe='')}/users/{quote(user, safe='')}/facts"


def consent_of(user: str) -> str:
    return f"/api/rgpd/users/{quote(user, safe='')}/consent"


def test_an_agent_remembers_nobody_until_it_is_told_to(api, agent):
    given = data(api.get(config_of(agent)))
    assert given == {
        "agent_id": agent,
        "memory_enabled": False,
        "transcript_retention_days": 0,
        "redact": True,
        "max_facts": 1000,
        "max_facts_per_session": 50,
    }


def test_a_configuration_keeps_what_is_not_named_and_null_is_the_default(api, agent):
    given = api.put(config_of(agent), json={"memory_enabled": True, "fact_retention_days": 30, "model": "x"})
    assert given.status_code == 200
    assert (data(given)["memory_enabled"], data(given)["fact_retention_days"]) == (True, 30)
    assert "model" not in data(given)
    given = data(api.put(config_of(agent), json={"fact_retention_days": None, "max_facts": 5}))
    assert (given["memory_enabled"], given["max_facts"]) == (True, 5)
    assert "fact_retention_days" not in given
    assert data(api.get(config_of(agent))) == given


def test_a_bad_configuration_names_every_field_and_changes_nothing(api, agent):
    bad = {
        "memory_enabled": "perhaps",
        "fact_retention_days": 0,
        "transcript_retention_days": 3651,
        "max_facts": True,
        "max_facts_per_session": 201,
    }
    assert refused(api.put(config_of(agent), json=bad), 400, "invalid_request") == sorted(bad)
    assert "updated_at" not in data(api.get(config_of(agent)))


def test_a_consent_has_its_history_newest_first(api, ann):
    assert data(api.get(consent_of(ann))) == {"external_ref": ann, "persist": True, "history": []}
    assert api.put(consent_of(ann), json={"ai_consent": True}).status_code == 200
    given = data(api.put(consent_of(ann), json={"ai_consent": False, "persist": False}))
    assert (given["ai_consent"], given["persist"]) == (False, False)
    assert [(note["ai_consent"], note["persist"]) for note in given["history"]] == [
        (False, False),
        (True, True),
    ]
    assert all(note["by"] and note["at"].endswith("Z") for note in given["history"])
    assert data(api.get(consent_of(ann))) == given


@pytest.mark.parametrize(
    "bad",
    [{}, {"ai_consent": "no"}, {"ai_consent": 0}, {"persist": None}, {"ai_consent": True, "erase": True}, []],
)
def test_a_consent_that_says_nothing_clear_is_refused(api, ann, bad):
    refused(api.put(consent_of(ann), json=bad), 400, "invalid_request")
    assert data(api.get(consent_of(ann)))["history"] == []


def test_a_conversation_becomes_facts_that_are_told_listed_and_deleted(api, project, agent, ann):
    api.put(config_of(agent), json={"memory_enabled": True})
    session = start(api, project, agent_id=agent, user_id=ann)
    assert end(api, session, *SAID).status_code == 200
    facts = _eventually(api, agent, ann)
    assert {(fact["category"], fact["value"]) for fact in facts} == {("name", "Ana"), ("place", "Valencia")}
    assert all(fact["basis"] in SAID[0] + SAID[2] and fact["session_id"] == session for fact in facts)
    asked = {"agent_id": agent, "user_id": ann, "layers": "facts"}
    told = api.get("/context", params=asked).json()["items"]
    assert {item["id"] for item in told} == {fact["id"] for fact in facts}
    assert api.get("/context", params=asked | {"agent_id": "another"}).json()["items"] == []
    assert api.get("/context", params=asked | {"user_id": "another"}).json()["items"] == []
    assert data(api.get(facts_of("another", ann))) == {"facts": []}
    assert data(api.get(facts_of(agent, ann), params={"limit": 1}))["facts"] == facts[:1]
    gone = f"{facts_of(agent, ann)}/{facts[0]['id']}"
    refused(api.delete(f"{facts_of('another', ann)}/{facts[0]['id']}"), 404, "not_found")
    response = api.delete(gone)
    assert (response.status_code, response.content) == (204, b"")
    refused(api.delete(gone), 404, "not_found")
    assert data(api.get(facts_of(agent, ann)))["facts"] == facts[1:]


def test_a_refusal_hides_facts_and_erases_them_where_it_says_so(api, project, agent, ann):
    api.put(config_of(agent), json={"memory_enabled": True})
    end(api, start(api, project, agent_id=agent, user_id=ann), *SAID)
    facts = _eventually(api, agent, ann)
    api.put(consent_of(ann), json={"ai_consent": False})
    asked = {"agent_id": agent, "user_id": ann, "layers": "facts,episodes"}
    layers = {item["layer"] for item in api.get("/context", params=asked).json()["items"]}
    assert layers == set()
    assert data(api.get(facts_of(agent, ann))) == {"facts": []}
    api.put(consent_of(ann), json={"ai_consent": True})
    assert data(api.get(facts_of(agent, ann)))["facts"] == facts
    api.put(consent_of(ann), json={"ai_consent": False, "erase": True})
    api.put(consent_of(ann), json={"ai_consent": True})
    assert data(api.get(facts_of(agent, ann))) == {"facts": []}
    assert api.get("/api/memory/episodes", params={"userId": ann}).json()["episodes"] == []


@pytest.mark.parametrize("fact_id", ["fact-", "fact-01", "fact-x", "1", "fact-²", "%00"])
def test_a_fact_that_is_none_is_not_found(api, agent, ann, fact_id):
    response = api.delete(f"{facts_of(agent, ann)}/{quote(fact_id, safe='%')}")
    assert response.status_code in (400, 404)


@pytest.mark.parametrize("limit", ["0", "1001", "x"])
def test_facts_are_answered_for_any_limit(api, agent, ann, limit):
    given = api.get(facts_of(agent, ann), params={"limit": limit})
    assert (given.status_code, data(given)) == (200, {"facts": []})


def _eventually(api, agent, user):
    """The facts, which are found behind the answer."""
    getattr(api, "work", lambda: None)()
    deadline = time.monotonic() + 30
    while not (facts := data(api.get(facts_of(agent, user)))["facts"]):
        if time.monotonic() > deadline:
            pytest.fail("no fact was found")
        time.sleep(0.05)
    return facts


def test_fysos_fields_of_a_configuration_are_kept_and_given_back(api, agent):
    fields = {
        "name": "Soporte ñ",
        "system_prompt": "",
        "fallback_mode": "message",
        "fallback_messages": {"es": "No entiendo", "consent_refused": "No", "limits": [1, 0.5, None]},
        "tools_scope": {"citas": ["query", "create"]},
        "max_steps": 12,
        "knowledge_enabled": False,
        "schedules_enabled": True,
        "status": "paused",
    }
    assert api.put(config_of(agent), json=fields).status_code == 200
    api.put(config_of(agent), json={"status": None, "name": "Other"})
    given = data(api.get(config_of(agent)))
    del fields["status"]
    assert {name: given[name] for name in fields} == fields | {"name": "Other"}
    assert "status" not in given
    assert given["memory_enabled"] is False
    assert "name" not in data(api.get(config_of(f"{agent}-2")))


def test_a_bad_field_of_fysos_is_named_and_changes_nothing(api, agent):
    bad = {
        "memory_enabled": "yes",
        "redact": 1,
        "knowledge_enabled": "true",
        "schedules_enabled": 0,
        "max_steps": 0,
        "tools_scope": ["citas"],
        "fallback_messages": {"es": "x" * 50_001},
        "status": "",
    }
    assert refused(api.put(config_of(agent), json=bad), 400, "invalid_request") == sorted(bad)
    assert "updated_at" not in data(api.get(config_of(agent)))
