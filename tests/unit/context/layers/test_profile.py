"""The layer of the profile in contexts: bounded by agent, person and project, cut by the budget alone."""

from itertools import product

import pytest

from strata.domain.facts.found import FoundFact
from strata.domain.wire.agents import AgentConfig
from strata.domain.wire.profiles import ProfileChange
from strata.services.context.assemble import ContextOptions
from strata.services.context.layers.layer import ContextQuery
from strata.services.facts.writer import About
from support.api import ClaimsFromHeader, client
from support.api_calls import data
from support.clocks import HandClock
from support.facts import AGENT, ANN, enable
from support.memory import LOCAL, application


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


@pytest.fixture
def named(memory):
    """A service that two people told their names and a taste, of which their profiles have learnt."""
    enable(memory)
    for person in (ANN, "bob"):
        name, tea = person.title(), f"{person}'s tea"
        said = FoundFact("name", name, f"Is called {name}", name), FoundFact("preference", tea, tea, tea)
        about = About(AGENT, person, f"s-{person}", AgentConfig(agent_id=AGENT))
        memory.app.facts.writer.write(LOCAL, about, said)
    memory.follow()
    return memory


def told_of(memory, person, *layers, **wished):
    asked = ContextQuery(agent_id=AGENT, user_id=person)
    wanted = ContextOptions(frozenset(layers or ("facts", "profile")), **wished)
    return [each.item.content for each in memory.app.context.assembler.assemble(LOCAL, asked, wanted).fitting]


def test_a_name_that_the_profile_tells_is_not_told_again_as_a_fact(named):
    for person in (ANN, "bob"):
        name = person.title()
        assert sorted(told_of(named, person)) == sorted([f"Name: {name}", f"{person}'s tea"])
        assert f"Is called {name}" in told_of(named, person, "facts")


def test_a_name_is_told_as_a_fact_where_the_profile_tells_another_one(named):
    named.app.knowledge.profiles.put(LOCAL, ANN, ProfileChange(name="Annie"))
    assert {"Name: Annie", "Is called Ann"} <= {*told_of(named, ANN)}
    assert "Is called Bob" not in told_of(named, "bob")


def test_within_any_budget_a_name_is_told_once(named):
    name = {"Name: Ann", "Is called Ann"}
    told = [name & {*told_of(named, ANN, token_budget=budget)} for budget in range(10, 90)]
    assert all(len(each) <= 1 for each in told)
    assert told[-1] == {"Name: Ann"}


def test_a_conversation_that_was_told_the_name_is_not_told_it_as_a_fact_in_the_next_turn(named):
    talk = {"conversation_id": "c1"}
    assert "Name: Ann" in told_of(named, ANN, **talk, turn_id="t1")
    assert "Is called Ann" not in told_of(named, ANN, **talk, turn_id="t2")
    assert "Name: Ann" in told_of(named, ANN, **talk, turn_id="t1")
