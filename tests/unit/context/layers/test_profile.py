"""The layer of the profile in contexts: bounded by agent, person and project, cut by the budget alone."""

from itertools import product

import pytest

from support.api import ClaimsFromHeader, client
from support.api_calls import data
from support.clocks import HandClock
from support.memory import application


@pytest.fixture
def ask(tmp_path):
    app = application(tmp_path, HandClock(), AUTH="required")
    api = client(app, ClaimsFromHeader())
    yield lambda tenant, method, path, **sent: data(
        api.request(method, path, headers={"x-tenant": tenant}, **sent)
    )
    app.close()


def put(ask, tenant, person, **fields):
    ask(tenant, "PUT", "/api/memory/profile", json={"userId": person, **fields})


def told(ask, tenant, person, **asked):
    answer = ask(tenant, "GET", "/context", params={"user_id": person, "layers": "profile", **asked})
    return [item["content"] for item in answer["items"]]


def test_a_context_tells_the_profile_of_its_person_to_its_agent_in_its_project(ask):
    cells = list(product(("acme", "globex"), ("ann", "bob"), ("helper", "scout"), ("demo", "web")))
    for tenant, person in {cell[:2] for cell in cells}:
        put(ask, tenant, person, name=f"{person} of {tenant}", preferences={"tea": "green"})
    for tenant, person, agent, project in cells:
        style = f"{agent} in {project} of {tenant} with {person}"
        put(ask, tenant, person, agent_id=agent, project=project, communicationStyle=style, patterns=[style])
    for tenant, person, agent, project in cells:
        style = f"{agent} in {project} of {tenant} with {person}"
        expected = {f"Name: {person} of {tenant}", "tea: green", f"Communication style: {style}", style}
        for query in ("", "nothing like it"):
            asked = {"agent_id": agent, "project": project, "query": query}
            assert set(told(ask, tenant, person, **asked)) == expected
    assert set(told(ask, "acme", "ann")) == {"Name: ann of acme", "tea: green"}


def test_the_budget_cuts_and_the_relevant_of_many_patterns_are_told(ask):
    patterns = [f"pattern number {number}" for number in range(49)]
    put(ask, "acme", "ann", name="Ann", patterns=[*patterns, "asks for herons at noon"])
    all_of_it = told(ask, "acme", "ann", query="when are herons seen")
    assert len(all_of_it) == 21
    assert {"Name: Ann", "asks for herons at noon"} <= set(all_of_it)
    few = told(ask, "acme", "ann", query="when are herons seen", token_budget=60)
    assert 0 < len(few) < 5


def test_a_conversation_is_told_once_and_again_after_a_change(ask):
    put(ask, "acme", "ann", name="Ann", preferences=["tea", "jazz"])
    talk = {"conversation_id": "c1"}
    assert len(told(ask, "acme", "ann", **talk, turn_id="t1")) == 3
    assert told(ask, "acme", "ann", **talk, turn_id="t2") == []
    assert len(told(ask, "acme", "ann", **talk, turn_id="t1")) == 3
    put(ask, "acme", "ann", name="Anna")
    assert told(ask, "acme", "ann", **talk, turn_id="t3") == ["Name: Anna"]


def test_nothing_is_told_of_a_person_who_refuses(ask):
    for person in ("ann", "bob"):
        put(ask, "acme", person, name=person)
    ask("acme", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False})
    assert told(ask, "acme", "ann") == []
    assert told(ask, "acme", "bob") == ["Name: bob"]
