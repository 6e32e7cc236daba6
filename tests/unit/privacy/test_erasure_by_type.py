"""The erasure of one channel of a person: its sessions and what came from them, and nothing else."""

import pytest

from support.api import ClaimsFromHeader, client
from support.api_calls import data, refused
from support.memory import Memory, application, dialogue

PEOPLE = {"ann": "Valencia", "bob": "Leeds"}
CHANNELS = ("web", "phone", None)


@pytest.fixture
def app(tmp_path, clock):
    app = application(tmp_path, clock, AUTH="required")
    yield app
    app.close()


@pytest.fixture
def ask(app):
    """A call of one tenant's: `ask("PUT", path, json={})`."""
    api = client(app, ClaimsFromHeader())
    tenant = {"x-tenant": "local"}
    return lambda method, path, headers=(), **sent: api.request(
        method, path, headers=tenant | dict(headers), **sent
    )


@pytest.fixture
def work(app, clock):
    def done():
        for _ in range(4):
            Memory(app).work()
            clock.forward(120)

    return done


@pytest.fixture
def told(ask, work):
    """Two people have each spoken on every channel, of a hobby that is the channel's."""
    ask("PUT", "/api/agents-config/helper", json={"memory_enabled": True})
    for person in PEOPLE:
        for channel in CHANNELS:
            talk = f"{person}-{channel}"
            begun = {"id": talk, "project": "demo", "agent_id": "helper", "user_id": person}
            typed = {"external_type": channel} if channel else {}
            assert ask("POST", "/sessions", json=begun | typed).status_code == 201
            words = {"type": "note", "title": talk, "content": f"said on {talk}", "project": "demo"}
            assert ask("POST", "/observations", json=words | {"session_id": talk}).status_code == 201
            assert ask("PUT", f"/working-memory/{talk}", json={"plan": talk}).status_code == 200
            hobby = {"web": "I love jazz.", "phone": "I love chess.", None: "I love cooking."}[channel]
            said = dialogue(hobby, "Nice.", "Remember that.", "Yes.", "Good bye.", "Bye.")
            assert ask("POST", f"/sessions/{talk}/end", json={"messages": said}).status_code == 200
    work()


def left(ask, person):
    """The ids of the rows that are stored about a person, by kind."""
    items = data(ask("GET", f"/api/rgpd/users/{person}/ai-data"))["items"]
    facts = data(ask("GET", f"/api/agents/helper/users/{person}/facts"))["facts"]
    return {
        "sessions": sorted(each["id"] for each in items.get("sessions", ())),
        "observations": sorted(each["session_id"] for each in items.get("observations", ())),
        "working_memories": sorted(each["conversation_id"] for each in items.get("working_memories", ())),
        "episodes": sorted(each["conversation_id"] for each in items.get("episodes", ())),
        "facts": sorted(each["session_id"] for each in facts),
        "learnt": sorted(map(str, items["profiles"][0]["statements"]["preferences"])) if facts else [],
    }


def erased(ask, work, person, **asked):
    begun = data(ask("DELETE", f"/api/rgpd/users/{person}/ai-data", params=asked))["erasure_id"]
    work()
    receipt = data(ask("GET", f"/api/rgpd/erasures/{begun}"))
    assert receipt["status"] == "done"
    return receipt


@pytest.mark.usefixtures("told")
def test_one_channel_goes_with_all_that_came_from_it_and_the_others_stay(ask, work):
    before = {person: left(ask, person) for person in PEOPLE}
    assert all(len(kind) == 3 for kind in before["ann"].values()), "there is something of every channel"
    receipt = erased(ask, work, "ann", external_type="web")
    assert receipt["external_type"] == "web"
    assert receipt["erased"]["sessions"] == receipt["erased"]["facts"] == receipt["erased"]["episodes"] == 1
    rest = {
        kind: [each for each in ids if each != "ann-web" and "jazz" not in each]
        for kind, ids in before["ann"].items()
    }
    assert left(ask, "ann") == rest
    everything = data(ask("GET", "/api/rgpd/users/ann/ai-data"))["items"]
    assert "jazz" not in str(everything), "neither the profile's history nor a run of the dreamer tells it"
    assert left(ask, "bob") == before["bob"]
    again = ask("POST", "/sessions", json={"id": "new", "project": "demo", "user_id": "ann"}).json()
    assert again["user_id"] == "ann", "the person is not erased: what they say from now on is kept"
    late = {"type": "note", "title": "late", "content": "late", "project": "demo", "session_id": "ann-web"}
    assert ask("POST", "/observations", json=late).json()["action"] == "skipped"


@pytest.mark.usefixtures("told")
def test_an_import_brings_back_the_other_channels_alone(ask, work):
    lines = ask("GET", "/export", params={"format": "jsonl"}).text
    erased(ask, work, "ann", external_type="web")
    kept = {person: left(ask, person) for person in PEOPLE}
    imported = ask("POST", "/import", content=lines, headers={"content-type": "application/x-ndjson"})
    assert imported.status_code == 200, imported.text
    work()
    assert {person: left(ask, person) for person in PEOPLE} == kept
    erased(ask, work, "ann", external_type="phone")


@pytest.mark.usefixtures("told")
def test_without_a_type_every_channel_goes_also_after_one_went(ask, work):
    before = left(ask, "bob")
    erased(ask, work, "ann", external_type="phone")
    erased(ask, work, "ann")
    assert left(ask, "ann") == {kind: [] for kind in before}
    assert left(ask, "bob") == before


@pytest.mark.usefixtures("told")
def test_a_channel_that_the_person_never_used_erases_nothing(ask, work):
    before = {person: left(ask, person) for person in PEOPLE}
    assert erased(ask, work, "ann", external_type="fax")["erased"] == {}
    assert {person: left(ask, person) for person in PEOPLE} == before


def test_a_session_says_its_channel_which_the_end_may_name(ask):
    ask("POST", "/sessions", json={"id": "s1", "project": "demo", "external_type": "web"})
    ask("POST", "/sessions", json={"id": "s2", "project": "demo"})
    for session in ("s1", "s2"):
        ask("POST", f"/sessions/{session}/end", json={"external_type": "phone"})
    listed = ask("GET", "/sessions/recent", params={"project": "demo"}).json()
    assert {each["id"]: each["external_type"] for each in listed} == {"s1": "web", "s2": "phone"}


def test_consent_for_one_channel_of_a_person_is_refused_and_not_taken_for_all(ask):
    change = {"ai_consent": True, "external_type": "web"}
    response = ask("PUT", "/api/rgpd/users/ann/consent", json=change)
    assert refused(response, 400, "invalid_request") == ["external_type"]
    assert data(ask("GET", "/api/rgpd/users/ann/consent"))["history"] == []
