"""What was concluded from a session before it had an owner is the owner's, and goes with them."""

import json

import pytest

from strata.domain.ids import IdSource
from strata.domain.wire.consent import ConsentChange
from strata.services.knowledge.claimed import ClaimedKnowledge
from strata.services.knowledge.felling import Felling
from strata.services.people.consent import Consents
from strata.services.records.episodes import episodes_pk
from strata.services.records.knowledge import knowledge_pk
from strata.services.records.sessions import session_key
from support.knowledge_machine import dreamer
from support.memory import LOCAL, Meddled

SAID = {
    ("bob", "shop"): "I live in Lyon. We decided to use Postgres because the SQLite writer blocks.",
    ("bob", "lab"): "My dentist is Dr Weller. We decided to move the billing to Stripe because of the fees.",
    ("ann", "shop"): "I am vegetarian. We decided to keep the old lamps because they are bright.",
    ("ann", "lab"): "I work at Hallam Eyes. We decided to drop Redis because the cache is small.",
    (None, "shop"): "My name is Zoe. We decided to paint the boat because the hull leaks.",
    (None, "lab"): "My flatmate is Imran. We decided to rent a van because the move is far.",
}
BOBS = ("Lyon", "Weller", "Postgres", "Stripe")


def session_of(user, project):
    return f"{user}-{project}"


def name(people, user, session, tenant="local"):
    """A write that names the user, who owns the session from then on."""
    note = {"session_id": session, "project": "shop", "type": "note", "title": session, "content": session}
    people.ask(tenant, "POST", "/observations", json=note | {"user_id": user})


def name_both(people):
    """Writes that name the two people, each in both of their sessions."""
    for user, project in SAID:
        if user:
            name(people, user, session_of(user, project))


@pytest.fixture
def told(people):
    """Two people and somebody unknown have said things in two projects, and nobody was named."""
    for tenant in ("local", "globex"):
        for (user, project), words in SAID.items():
            session = session_of(user, project)
            begun = {"session": session, "project": project, "auto_summarize": project == "shop"}
            begun |= {"external_type": "web"} if user else {}
            people.says(words, user=None, tenant=tenant, **begun)  # an episode is made in one project only
    return people


@pytest.fixture
def claimed(told):
    """And then the two were named."""
    name_both(told)
    told.memory.work()
    return told


@pytest.fixture
def claimed_before(told):
    """The same, before this version: nothing followed."""
    name_both(told)
    told.memory.lose_changes()
    return told


def stored(people, *owners):
    """All that is known, and the derived episodes, as text."""
    rows = [
        row
        for owner in owners
        for pk in (knowledge_pk(owner), episodes_pk(owner))
        for row in people.memory.rows(pk)
    ]
    return json.dumps(rows)


def left(people, words):
    text = stored(people, "default", "bob", "ann")
    return [each for each in words if each in text]


def refuse_sessions(people):
    for project in ("shop", "lab"):
        path = f"/api/rgpd/sessions/bob-{project}/consent"
        people.ask("local", "POST", path, json={"consent": False})


def refuse_and_erase(people):
    people.ask("local", "PUT", "/api/rgpd/users/bob/consent", json={"ai_consent": False, "erase": True})


def be_erased(people):
    people.ask("local", "DELETE", "/api/rgpd/users/bob/ai-data")


def erase_channel(people):
    people.ask("local", "DELETE", "/api/rgpd/users/bob/ai-data", params={"external_type": "web"})


LOSSES = [refuse_sessions, refuse_and_erase, be_erased, erase_channel]
OTHERS = ("vegetarian", "Hallam", "Zoe", "Imran", "lamps", "Redis", "boat", "van")


@pytest.mark.parametrize("situation", ["claimed", "claimed_before"])
@pytest.mark.parametrize("loses", LOSSES)
def test_it_falls_with_what_its_owner_loses_and_nobody_elses_does(request, situation, loses):
    people = request.getfixturevalue(situation)
    elsewhere = people.known(user=None, tenant="globex")
    assert left(people, BOBS) == [*BOBS]
    loses(people)
    for _ in range(3):
        people.memory.work()
        people.clock.forward(400)
    assert left(people, BOBS) == []
    assert left(people, OTHERS) == [*OTHERS]
    assert people.known(user=None, tenant="globex") == elsewhere


def test_it_is_given_and_listed_as_its_owners_and_as_nobodys_no_more(claimed):
    for user, mine in (
        ("bob", {"Lyon", "Weller"}),
        ("ann", {"vegetarian", "Hallam"}),
        (None, {"Zoe", "Imran"}),
    ):
        known = json.dumps(claimed.known(user))
        assert {
            each for each in ("Lyon", "Weller", "vegetarian", "Hallam", "Zoe", "Imran") if each in known
        } == mine
    assert claimed.known("bob", "globex") == []
    for project, word, other in (("shop", "Lyon", "Weller"), ("lab", "Weller", "Lyon")):
        known = json.dumps(claimed.known("bob", project=project))
        assert word in known
        assert other not in known


@pytest.mark.parametrize("situation", ["claimed", "claimed_before"])
def test_it_is_among_what_its_owner_is_given(request, situation):
    people = request.getfixturevalue(situation)
    admin = {"headers": {"x-scopes": "read write admin"}}
    found = people.ask("local", "GET", "/api/rgpd/users/bob/ai-data", **admin)
    told = json.dumps([found["items"][kind] for kind in ("conclusions", "sightings")])
    assert all(each in told for each in BOBS)
    assert not any(each in told for each in OTHERS)


def test_a_refusal_hides_it_and_a_person_who_refused_before_gets_none(told):
    name(told, "bob", "bob-shop")
    told.memory.work()
    told.ask("local", "PUT", "/api/rgpd/users/bob/consent", json={"ai_consent": False})
    assert "Lyon" not in json.dumps([told.known("bob"), told.known(None)])
    assert "Lyon" in stored(told, "bob")
    name(told, "bob", "bob-lab")
    told.memory.work()
    knowledge = json.dumps([told.memory.rows(knowledge_pk(each)) for each in ("default", "bob")])
    assert "Weller" not in knowledge
    assert all(each in knowledge for each in OTHERS)


def test_the_deletion_of_its_log_fells_it(people):
    for user in ("bob", "ann"):
        for project in ("shop", "lab"):
            session = session_of(user, project)
            people.ask("local", "POST", "/memory/sessions", json={"session_id": session})
            event = {"event_type": "user_message", "content": SAID[user, project]}
            people.ask("local", "POST", f"/memory/sessions/{session}/events", json=event)
            people.ask("local", "POST", f"/sessions/{session}/end", json={})
            people.memory.work()
    for user in ("bob", "ann"):
        for project in ("shop", "lab"):
            name(people, user, session_of(user, project))
    people.ask("local", "DELETE", "/memory/sessions/bob-shop")
    people.memory.work()
    known = json.dumps([people.known("bob"), people.known("ann"), people.known(None)])
    assert "Lyon" not in known
    assert all(each in known for each in ("Weller", "vegetarian", "Hallam"))


@pytest.mark.parametrize("followed", [False, True])
def test_it_moves_with_its_project(told, followed):
    for user, project in SAID:
        if user:
            name(told, user, session_of(user, project))
    if followed:
        told.memory.work()
    told.ask("local", "POST", "/projects/migrate", json={"old_project": "shop", "new_project": "store"})
    told.memory.work()
    for user, word in (("bob", "Lyon"), ("ann", "vegetarian"), (None, "Zoe")):
        assert word in json.dumps(told.known(user, project="store"))
        assert told.known(user, project="shop") == []
    assert "Weller" in json.dumps(told.known("bob", project="lab"))


def test_it_falls_with_its_episode(claimed):
    (episode,) = [
        row["id"]
        for row in claimed.memory.rows(episodes_pk("default"))
        if row.get("session_id") == "bob-shop"
    ]
    claimed.ask("local", "DELETE", f"/api/memory/episodes/ep-{episode}", params={"userId": "default"})
    claimed.memory.work()
    known = json.dumps([claimed.known("bob"), claimed.known("ann"), claimed.known(None)])
    assert "Lyon" not in known
    assert all(each in known for each in ("Weller", "vegetarian", "Hallam", "Zoe"))


def test_what_rests_on_sessions_of_two_people_is_split(people):
    for user in ("bob", "ann"):
        for project in ("shop", "lab"):
            session = session_of(user, project)
            people.says("I live in Lyon.", user=None, project=project, session=session)
    for project in ("shop", "lab"):
        name(people, "bob", f"bob-{project}")
    people.memory.work()
    for user, mine, other in (("bob", "bob", "ann"), (None, "ann", "bob")):
        assert people.known(user) != []
        rows = json.dumps(people.memory.rows(knowledge_pk(user or "default")))
        assert f'"{mine}-shop"' in rows
        sessions = {
            each
            for row in people.memory.rows(knowledge_pk(user or "default"))
            for each in row.get("sessions", ())
        }
        assert sessions == {f"{mine}-shop", f"{mine}-lab"}, other


def test_what_somebody_deleted_of_it_does_not_come_back(told):
    (one,) = [each for each in told.conclusions(None, project="shop") if "Lyon" in each["text"]]
    told.ask("local", "DELETE", f"/api/memory/conclusions/{one['id']}", params={"userId": "default"})
    name(told, "bob", "bob-shop")
    told.memory.work()
    told.says("My dentist is Dr Weller.", user="bob", project="shop")
    known = json.dumps([told.known("bob"), told.known(None)])
    assert "Lives in Lyon" not in known
    assert "Weller" in known


def test_a_session_that_is_claimed_before_it_is_read_is_read_as_its_owners(people):
    for user in ("bob", "ann"):
        for project in ("shop", "lab"):
            people.say(SAID[user, project], user=None, project=project, session=session_of(user, project))
    for user in ("bob", "ann"):
        for project in ("shop", "lab"):
            name(people, user, session_of(user, project))
    refuse_and_erase(people)
    people.memory.work()
    assert left(people, ["Lyon", "Weller"]) == []
    assert people.known(None) == []
    assert all(each in json.dumps(people.known("ann")) for each in ("vegetarian", "Hallam"))


def test_a_session_that_is_claimed_while_it_is_read_is_read_again_as_its_owners(people):
    memory = people.memory
    for user in ("bob", "ann"):
        people.say("CITY=Lyon", user=None, session=session_of(user, "shop"))
    runs = dreamer(memory)
    taken = lambda: name(people, "bob", "bob-shop")  # noqa: E731
    runs._table = runs._rows._table = Meddled(memory.app.stores.table, taken)
    with pytest.raises(Exception, match="owner"):
        runs.run(LOCAL, "bob-shop")
    assert memory.rows(knowledge_pk("default")) == []
    for session in ("bob-shop", "ann-shop"):
        dreamer(memory).run(LOCAL, session)
    assert people.known("bob") == people.known(None) != []
    sessions = {
        owner: {each for row in memory.rows(knowledge_pk(owner)) for each in row.get("sessions", ())}
        for owner in ("bob", "default")
    }
    assert sessions == {"bob": {"bob-shop"}, "default": {"ann-shop"}}


def refuse_session(people):
    refuse_sessions(people)
    felling = Felling(people.memory.app.stores.table, people.clock)
    felling.follow(LOCAL, [session_key("bob-shop"), session_key("bob-lab")])


def refuse_person(people):
    app = people.memory.app
    consents = Consents(app.stores.table, app.clock, IdSource(), app.privacy.forgetter, app.people.audit)
    consents.put(LOCAL, "bob", ConsentChange(ai_consent=False, erase=True), "bob")


@pytest.mark.parametrize("refuses", [refuse_session, refuse_person])
def test_nothing_slips_past_a_refusal_that_comes_while_it_is_given(claimed_before, refuses):
    people, table = claimed_before, claimed_before.memory.app.stores.table
    ClaimedKnowledge(Meddled(table, lambda: refuses(people)), people.clock).take_over(LOCAL, "bob")
    knowledge = json.dumps([people.memory.rows(knowledge_pk(each)) for each in ("default", "bob")])
    assert not any(each in knowledge for each in BOBS)
    assert all(each in stored(people, "default") for each in OTHERS)
    people.memory.work()
    assert left(people, BOBS) == []


def test_giving_that_is_broken_off_anywhere_goes_on(claimed_before, monkeypatch):
    monkeypatch.setattr("strata.services.knowledge.claimed.AT_ONCE", 1)
    people, table = claimed_before, claimed_before.memory.app.stores.table
    keys = [session_key("bob-shop"), session_key("bob-lab")]

    def stop():
        raise ConnectionError

    for after in range(20):
        try:
            ClaimedKnowledge(Meddled(table, stop, after=min(after, 2)), people.clock).follow(LOCAL, keys)
        except ConnectionError:
            continue
        break
    assert not any(each in json.dumps(people.memory.rows(knowledge_pk("default"))) for each in BOBS)
    assert all(each in json.dumps(people.memory.rows(knowledge_pk("bob"))) for each in BOBS)
    before = people.memory.rows(knowledge_pk("bob"))
    ClaimedKnowledge(table, people.clock).follow(LOCAL, keys)
    assert people.memory.rows(knowledge_pk("bob")) == before
