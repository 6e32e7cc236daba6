"""Profiles learn from what agents remember of people, and forget it with the facts."""

from itertools import product

import pytest

from strata.domain.scope import Scope
from strata.services.knowledge.fact_learning import FactLearning
from strata.services.knowledge.learning import ProfileLearning
from strata.services.knowledge.profile_rows import ProfileRows
from support.memory import Meddled

PROFILE = "/api/memory/profile"
HELPER = "helper"


@pytest.fixture(autouse=True)
def agents(ask):
    for tenant, agent in product(("local", "globex"), (HELPER, "scout")):
        ask(tenant, "PUT", f"/api/agents-config/{agent}", json={"memory_enabled": True})


def name(people, user="ann", tenant="local", agent=HELPER, project="demo"):
    seen_by = {"userId": user, "agent_id": agent, "project": project}
    return people.ask(tenant, "GET", PROFILE, params=seen_by)["profile"]["name"]


def history(people):
    seen_by = {"userId": "ann", "agent_id": HELPER, "project": "demo"}
    return people.ask("local", "GET", f"{PROFILE}/history", params=seen_by)["history"]


def told(people, called, agent=HELPER, **fields):
    """The person tells an agent their name."""
    people.says(f"My name is {called}.", "Remember it.", "Thanks.", agent_id=agent, **fields)


def facts(people, agent=HELPER):
    return people.ask("local", "GET", f"/api/agents/{agent}/users/ann/facts")["facts"]


def delete(people, fact):
    people.ask("local", "DELETE", f"/api/agents/{HELPER}/users/ann/facts/{fact['id']}")


def follow_all_again(people):
    """Every change once more, the latest first."""
    app = people.memory.app
    changed = [change.key for change in app.stores.change_log.read(0, 100_000) if change.tenant == "local"]
    for key in reversed(changed):
        app.knowledge.fact_learning.follow(Scope("local"), [key])


def test_a_name_is_learnt_for_the_agent_and_project_in_which_it_was_told(people):
    told(people, "Ana")
    told(people, "Anya", agent="scout", project="web")
    told(people, "Bert", user="bob")
    told(people, "Anita", tenant="globex")
    cells = list(product((HELPER, "scout"), ("demo", "web")))
    assert [name(people, agent=agent, project=project) for agent, project in cells] == [
        "Ana",
        None,
        None,
        "Anya",
    ]
    assert name(people, agent=None, project=None) is None
    assert (name(people, "bob"), name(people, tenant="globex")) == ("Bert", "Anita")


def test_a_newer_fact_takes_the_place_of_the_older_one_however_its_changes_come(people):
    told(people, "Ana")
    told(people, "Anya")
    for _ in range(2):
        assert name(people) == "Anya"
        assert [each["changes"][0]["value"] for each in history(people)] == ["Anya", "Ana"]
        follow_all_again(people)


def test_a_name_goes_with_its_fact_also_from_the_history(people):
    told(people, "Ana")
    told(people, "Bert", user="bob")
    (fact,) = facts(people)
    delete(people, fact)
    people.memory.work()
    for _ in range(2):
        assert (name(people), name(people, "bob")) == (None, "Bert")
        assert history(people) == []
        follow_all_again(people)


def test_a_superseded_fact_in_another_project_leaves_no_name_there(people):
    told(people, "Ana")
    told(people, "Anya", project="web")
    assert (name(people), name(people, project="web")) == (None, "Anya")


def test_an_expired_fact_is_forgotten(people, ask, clock):
    ask("local", "PUT", f"/api/agents-config/{HELPER}", json={"fact_retention_days": 10})
    told(people, "Ana")
    clock.forward(11 * 86_400)
    assert facts(people) == []
    follow_all_again(people)
    assert name(people) is None


def test_nothing_is_learnt_from_a_fact_or_by_an_agent_that_was_stopped_meanwhile(people, ask, clock):
    told(people, "Ana")
    app = people.memory.app
    app.knowledge.learning.forget(Scope("local"), "ann")
    (fact,) = facts(people)
    stops = (
        lambda: ask("local", "PUT", f"/api/agents-config/{HELPER}", json={"memory_enabled": False}),
        lambda: ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False}),
        lambda: delete(people, fact),
    )
    allowed = (
        lambda: ask("local", "PUT", f"/api/agents-config/{HELPER}", json={"memory_enabled": True}),
        lambda: ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": True}),
        lambda: None,
    )
    table = app.stores.table
    changed = [change.key for change in app.stores.change_log.read(0, 100_000) if change.tenant == "local"]
    for stop, allow in zip(stops, allowed, strict=True):
        rows = ProfileRows(Meddled(table, stop), clock, app.people.ownership)
        FactLearning(table, ProfileLearning(rows)).follow(Scope("local"), changed)
        allow()
        assert name(people) is None
