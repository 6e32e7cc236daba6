"""Conclusions drawn before an agent was configured are given to that agent alone afterwards."""

import pytest

from strata.domain.times import DAY

NOBODY, HELPER, OTHER = {}, {"agent_id": "helper"}, {"agent_id": "other"}


@pytest.fixture(params=["agent", "app"])
def told(request, people, ask):
    """Somebody tells an agent, or an app of that name, where they live: two people, two tenants."""
    for tenant, user, place in (("local", "ann", "Lima"), ("local", "bob", "Oslo"), ("acme", "ann", "Rome")):
        if request.param == "agent":
            people.says(f"I live in {place}.", tenant=tenant, user=user, agent_id="helper")
            continue
        session = f"of-{user}"
        named = {"session_id": session, "app_name": "helper", "user_id": user}
        ask(tenant, "POST", "/memory/sessions", json=named)
        for said in (f"I live in {place}.", "Bye"):
            event = {"event_type": "user_message", "content": said}
            ask(tenant, "POST", f"/memory/sessions/{session}/events", json=event)
        people.clock.forward(DAY)
        ask(tenant, "POST", "/api/memory/maintain")
        people.memory.work()
    return people


def in_context(ask, tenant="local", user="ann", **who):
    given = ask(
        tenant, "GET", "/context", params={"user_id": user, "layers": "conclusions", "query": "home?"} | who
    )
    return [each["content"] for each in given["items"]]


def test_it_is_given_to_no_other_agent_and_to_nobody_in_particular(told, ask):
    assert told.known(**NOBODY) == in_context(ask, **NOBODY) == ["Lives in Lima"]
    ask("local", "PUT", "/api/agents-config/helper", json={"memory_enabled": True})
    assert told.known(**NOBODY) == told.known(**OTHER) == []
    assert in_context(ask, **NOBODY) == in_context(ask, **OTHER) == []
    assert told.known(**HELPER) == in_context(ask, **HELPER) == ["Lives in Lima"]
    assert told.known("bob", **NOBODY) == told.known("bob", **OTHER) == []
    assert told.known("bob", **HELPER) == ["Lives in Oslo"]
    assert told.known(tenant="acme", **NOBODY) == ["Lives in Rome"], "nobody configured it there"


def test_other_agents_conclude_it_from_their_own_sessions_only(told, ask):
    ask("local", "PUT", "/api/agents-config/helper", json={"memory_enabled": True})
    told.says("I live in Quito.", agent_id="other")
    assert told.known(**OTHER) == told.known(**NOBODY) == ["Lives in Quito"]
    assert told.known(**HELPER) == ["Lives in Lima"]
    told.says("I live in Quito.", "Yes, I live in Quito.")
    assert told.known(**NOBODY) == ["Lives in Quito"]


def test_what_rests_on_its_sessions_and_on_others_is_drawn_anew_from_the_others(told, ask):
    told.says("I live in Lima.")
    told.says("I live in Lima.")
    ask("local", "PUT", "/api/agents-config/helper", json={"memory_enabled": True})
    told.says("I live in Lima.")
    (found,) = told.conclusions(**NOBODY)
    assert found["agents"] == []
    assert len(set(found["sources"])) == 3
