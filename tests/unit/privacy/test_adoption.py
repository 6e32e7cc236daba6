"""An adoption gives all that a device wrote before to its user: nothing of it stays the device's."""

from typing import Any

import pytest

from strata.domain.errors import Conflict, Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Put
from strata.services.knowledge.orders import CONSOLIDATION
from strata.services.orders.lease import Leases
from strata.services.privacy import adoption
from strata.services.records.entities import entities_pk
from strata.services.records.knowledge import consolidation_order_key, knowledge_pk
from strata.services.records.owners import owner_pk
from strata.services.records.people import facts_pk
from support.api import ClaimsFromHeader, client
from support.api_calls import data
from support.clocks import HandClock
from support.interrupted import Interrupted
from support.memory import Memory, application, dialogue, learn, observation
from support.people import People
from support.person import AGENT, Person

KITCHEN, CELLAR = "device:kitchen", "device:cellar"
STAYS = {"consent", "statements", "audit_entries", "devices", "changes_of_profiles"}
"""The kinds that stay: statements about the device itself, and a profile's history."""


@pytest.fixture
def app(tmp_path):
    app = application(tmp_path, HandClock(), AUTH="required")
    yield app
    app.close()


@pytest.fixture
def api(app):
    return client(app, ClaimsFromHeader())


@pytest.fixture
def ask(api):
    def asked(tenant: str, method: str, path: str, *, status: int = 0, headers: Any = (), **sent: Any) -> Any:
        response = api.request(method, path, headers={"x-tenant": tenant} | dict(headers), **sent)
        assert response.status_code == status or (not status and response.status_code < 300), response.text
        return data(response) if response.status_code < 400 else response.json()

    return asked


@pytest.fixture
def people(app, ask):
    return People(app, ask, app.clock)


def adopted(ask, device, user, tenant="local", **more):
    path = f"/api/devices/{device}"
    return ask(tenant, "PUT", path, json={"userId": user}, params={"adopt": True}, **more)


def held(ask, owner, tenant="local"):
    return ask(tenant, "GET", f"/api/rgpd/users/{owner}/ai-data")["items"]


def told(items):
    """All that somebody holds, without the names of owners, times of the store, and what is derived."""
    return {name: len(rows) for name, rows in items.items() if name not in STAYS}


def test_everything_a_device_has_becomes_its_users_and_nobody_elses(app, api, ask):
    devices = Person(api, KITCHEN), Person(api, CELLAR), Person(api, KITCHEN, "globex")
    bob = Person(api, "bob")
    for person in (*devices, bob):
        person.fills()
        person.is_known(app)
    before = held(ask, KITCHEN)
    others = held(ask, CELLAR), held(ask, "bob"), held(ask, KITCHEN, "globex")
    answer = adopted(ask, "kitchen", "ann")
    assert answer["adopted"]["complete"] is True
    after = held(ask, "ann")
    assert told(after) == told(before)
    assert set(told(held(ask, KITCHEN))) == set()
    assert (held(ask, CELLAR), held(ask, "bob"), held(ask, KITCHEN, "globex")) == others
    assert adopted(ask, "kitchen", "ann")["adopted"] == {
        **dict.fromkeys(("sessions", "observations", "episodes", "facts", "conclusions"), 0),
        "complete": True,
    }


def test_what_was_adopted_is_found_given_and_erased_as_its_users(app, ask):
    memory = Memory(app)
    for device, word in (("kitchen", "heron"), ("cellar", "otter")):
        header = {"X-Device-Id": device}
        ask("local", "POST", "/sessions", json={"id": f"s-{device}", "project": "demo"}, headers=header)
        body = observation(content=f"the {word} sings at dawn", session_id=f"s-{device}", topic_key=word)
        ask("local", "POST", "/observations", json=body, headers=header)
        ask("local", "POST", f"/sessions/s-{device}/end", json={"messages": dialogue("I live in Lima.")})
    memory.follow()
    counts = adopted(ask, "kitchen", "ann")["adopted"]
    assert (counts["sessions"], counts["observations"], counts["episodes"]) == (1, 1, 1)
    memory.work()
    search = {"q": "sings at dawn", "project": "demo", "user_id": "ann"}
    (found,) = ask("local", "GET", "/search", params=search)
    assert "heron" in str(found)
    known = ask("local", "GET", "/api/memory/conclusions", params={"userId": "ann"})["conclusions"]
    assert [each["text"] for each in known] == ["Lives in Lima"]
    # its session and its topic are the user's now
    again = observation(
        content="the heron sings at noon", session_id="s-kitchen", topic_key="heron", user_id="ann"
    )
    assert ask("local", "POST", "/observations", json=again)["action"] == "updated"
    erasure = ask("local", "DELETE", "/api/rgpd/users/ann/ai-data")["erasure_id"]
    memory.work()
    assert ask("local", "GET", f"/api/rgpd/erasures/{erasure}")["status"] != "failed"
    assert "heron" not in str(held(ask, "ann")) + str(held(ask, KITCHEN))
    assert "otter" in str(held(ask, CELLAR))


def test_what_both_know_is_known_once_and_the_newer_of_two_values_holds(app, ask):
    scope = Scope("local")
    ask("local", "PUT", f"/api/agents-config/{AGENT}", json={"memory_enabled": True})
    learn(app, scope, ("place", "Lives in Lyon"), ("preference", "Likes tea"), agent=AGENT)
    app.clock.forward(1)
    facts = [("place", "Lives in Oslo"), ("preference", "Likes tea"), ("preference", "Likes jazz")]
    learn(app, scope, *facts, agent=AGENT, owner=KITCHEN)
    ask("local", "PUT", "/api/memory/profile", json={"userId": "ann", "name": "Ann"})
    ask(
        "local",
        "PUT",
        "/api/memory/profile",
        json={"userId": KITCHEN, "name": "Cook", "communicationStyle": "brief"},
    )
    adopted(ask, "kitchen", "ann")
    known = ask("local", "GET", f"/api/agents/{AGENT}/users/ann/facts")["facts"]
    assert sorted(each["fact"] for each in known) == ["Likes jazz", "Likes tea", "Lives in Oslo"]
    assert ask("local", "GET", f"/api/agents/{AGENT}/users/{KITCHEN}/facts")["facts"] == []
    profile = ask("local", "GET", "/api/memory/profile", params={"userId": "ann"})["profile"]
    assert (profile["name"], profile["communicationStyle"]) == ("Ann", "brief")
    assert not [name for name in held(ask, KITCHEN) if name not in STAYS]


def test_a_conclusion_of_both_rests_on_the_sources_of_both_and_its_runs_can_not_undo_it(people, ask):
    for user, word in (("ann", "Valencia"), (KITCHEN, "Valencia"), (KITCHEN, "jazz")):
        people.says(f"I live in {word}." if word != "jazz" else "I love jazz.", user=user)
    (mine,) = people.conclusions()
    adopted(ask, "kitchen", "ann")
    known = {each["text"]: each for each in people.conclusions()}
    assert len(known) == 2
    both = known[mine["text"]]
    assert len(both["sources"]) == 2
    assert set(mine["sources"]) < set(both["sources"])
    runs = ask("local", "GET", "/api/memory/consolidations", params={"userId": "ann"})["consolidations"]
    assert len(runs) == 3
    for run in runs[:2]:
        undo = f"/api/memory/consolidations/{run['id']}/undo"
        ask("local", "POST", undo, params={"userId": "ann"})
    assert people.known() == [mine["text"]]
    people.says("I live in Valencia.", user="ann")
    assert people.known() == [mine["text"]]


def test_a_worker_that_has_an_order_of_the_device_loses_it_and_the_next_one_works_for_the_user(people, ask):
    session = people.say("I live in Valencia.", user=KITCHEN)
    people.memory.follow()
    app, scope = people.memory.app, Scope("local")
    leases = Leases(app.stores.table, app.clock, CONSOLIDATION)

    def job(lease):
        adopted(ask, "kitchen", "ann")
        lease.finish("concluded", {})

    with pytest.raises(Unavailable):
        leases.work(scope, consolidation_order_key(session), job)
    app.knowledge.dreamer.run(scope, session)
    assert people.known() == ["Lives in Valencia"]
    assert people.known(KITCHEN) == []


@pytest.mark.parametrize(
    ("who", "refusal"),
    [(KITCHEN, {"ai_consent": False}), ("ann", {"persist": False}), ("ann", {"ai_consent": False})],
    ids=["the device", "the user", "the user, what is learnt"],
)
def test_nothing_is_adopted_where_one_of_both_refuses(ask, who, refusal):
    body = observation(content="the heron sings", device_id="kitchen")
    ask("local", "POST", "/observations", json=body)
    ask("local", "PUT", f"/api/rgpd/users/{who}/consent", json=refusal)
    adopted(ask, "kitchen", "ann", status=409)
    ask("local", "GET", "/api/devices/kitchen", status=404)
    assert "heron" in str(held(ask, KITCHEN))


def test_nothing_that_was_learnt_is_given_to_who_refuses_until_they_agree(app, api, ask):
    for device in (KITCHEN, CELLAR):
        person = Person(api, device)
        person.fills()
        person.is_known(app)
    before = held(ask, KITCHEN)
    ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False, "erase": True})
    adopted(ask, "kitchen", "ann", status=409)
    assert adopted(ask, "cellar", "bob")["adopted"]["facts"] == 1
    assert held(ask, KITCHEN) == before
    assert told(held(ask, "ann")) == {}
    ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": True})
    assert ask("local", "GET", f"/api/agents/{AGENT}/users/ann/facts")["facts"] == []
    assert ask("local", "GET", "/api/memory/conclusions", params={"userId": "ann"})["conclusions"] == []
    assert adopted(ask, "kitchen", "ann")["adopted"]["facts"] == 1
    assert told(held(ask, "ann")) == told(before)


@pytest.mark.parametrize(
    ("kind", "partition"),
    [
        ("facts", facts_pk(AGENT, "ann")),
        ("profiles", owner_pk("ann")),
        ("conclusions", knowledge_pk("ann")),
        ("entities", entities_pk("ann")),
    ],
)
def test_a_refusal_that_comes_meanwhile_keeps_back_what_was_learnt(app, api, ask, kind, partition):
    person = Person(api, KITCHEN)
    person.fills()
    person.is_known(app)
    before = told(held(ask, KITCHEN))
    waiting = [{"ai_consent": False}]

    def refuses(actions):
        if waiting and any(isinstance(each, Put) and each.key.pk == partition for each in actions):
            ask("local", "PUT", "/api/rgpd/users/ann/consent", json=waiting.pop())

    late = app.with_overrides(table=Interrupted(app.stores.table, written=refuses))
    with pytest.raises(Conflict, match="refuses"):
        late.privacy.adoption.adopt(Scope("local"), "kitchen", "ann")
    assert waiting == []
    assert kind not in held(ask, "ann")
    assert kind in held(ask, KITCHEN)
    ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": True})
    assert adopted(ask, "kitchen", "ann")["adopted"]["complete"] is True
    assert told(held(ask, "ann")) == before


def test_a_second_user_gets_nothing_and_a_call_without_adoption_moves_nothing(ask):
    ask("local", "POST", "/observations", json=observation(content="the heron sings", device_id="kitchen"))
    given = ask("local", "PUT", "/api/devices/kitchen", json={"userId": "ann"})
    assert "adopted" not in given
    assert adopted(ask, "kitchen", "bob", status=409)["code"] == "owned_by_another"
    assert "heron" in str(held(ask, KITCHEN))
    assert adopted(ask, "kitchen", "ann")["adopted"]["observations"] == 1
    assert "heron" in str(held(ask, "ann"))


def test_an_adoption_that_takes_long_goes_on_with_the_next_call(ask, monkeypatch):
    for number in range(3):
        body = observation(content=f"heron {number}", device_id="kitchen", session_id=f"s{number}")
        ask("local", "POST", "/observations", json=body)
    monkeypatch.setattr(adoption, "SECONDS", -1.0)
    answer = adopted(ask, "kitchen", "ann")["adopted"]
    assert (answer["complete"], answer["observations"]) == (False, 0)
    monkeypatch.undo()
    answer = adopted(ask, "kitchen", "ann")["adopted"]
    assert (answer["complete"], answer["observations"], answer["sessions"]) == (True, 3, 3)
