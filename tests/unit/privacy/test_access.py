"""Giving out what is stored about a person."""

from base64 import b64encode
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest

from strata.bootstrap import Application
from strata.domain.cursors import sealed
from strata.services.records.parts import digest
from support.api import ClaimsFromHeader, client
from support.api_calls import refused
from support.clocks import HandClock
from support.memory import Memory, application, observation
from support.person import Person


@pytest.fixture
def app(tmp_path) -> Iterator[Application]:
    app = application(tmp_path, HandClock(), AUTH="required")
    yield app
    app.close()


@pytest.fixture
def api(app, tmp_path) -> Iterator[httpx.Client]:
    with client(app, ClaimsFromHeader()) as api:
        yield api


@pytest.fixture
def ann(app, api) -> Person:
    person = Person(api, "ann")
    person.fills()
    person.is_known(app)
    return person


def test_everything_is_given_out_as_it_goes_over_the_wire_elsewhere(ann):
    data = ann.data()

    session = ann("GET", "/sessions/recent", params={"project": "demo"})[0]
    assert session in data["sessions"]
    recent = ann("GET", "/observations/recent", params={"project": "demo"})
    assert sorted(data["observations"], key=lambda each: each["id"]) == recent[::-1]
    assert ann("GET", f"/episodic/{ann.session}")["episodes"][0] in data["episodes"]
    events = ann("GET", f"/memory/sessions/{ann.session}/events")["events"]
    assert data["events"] == [{"session_id": ann.session} | each for each in events]
    memory = {"conversation_id": ann.session, "fields": ann("GET", f"/working-memory/{ann.session}")}
    assert memory in data["working_memories"]
    item = {"conversation_id": ann.session, "item": f"doc {ann.word}", "value": ann.word}
    assert data["ledger_items"] == [item]
    facts = ann("GET", "/api/agents/helper/users/ann/facts")["facts"]
    assert data["facts"] == facts
    assert [each["ai_consent"] for each in data["statements"]] == [True]
    assert len(data["deleted_observations"]) == 2
    assert len(data["transcripts"]) == 1


def test_nothing_of_the_totals_is_among_it(app, ann):
    Memory(app).follow()
    assert "others" not in ann.data()


@pytest.mark.parametrize("size", [1, 300, 2000])
def test_pages_together_are_the_whole_with_nothing_twice(ann, monkeypatch, size):
    whole = ann.data()
    monkeypatch.setattr("strata.services.privacy.access.PAGE_BYTES", size)
    monkeypatch.setattr("strata.services.transfer.person.PAGE_ROWS", 3)
    assert ann.data() == whole


def test_a_page_goes_on_in_the_middle_of_a_session(ann, monkeypatch):
    for number in range(7):
        ann("POST", f"/memory/sessions/{ann.session}/events", json=[ann.event(number + 10)])
    whole = ann.data()
    monkeypatch.setattr("strata.services.privacy.access.PAGE_BYTES", 1)
    assert ann.data() == whole
    assert len(whole["events"]) == 9


def test_what_others_saved_in_a_persons_session_is_not_theirs(ann):
    guest = observation(content="the guest was here", session_id=ann.session, user_id="bob", scope="project")
    ann("POST", "/import", json={"observations": [guest]})
    assert "guest" not in str(ann.data())


def test_of_somebody_unknown_there_is_nothing(api):
    assert Person(api, "nobody").data() == {}


@pytest.mark.parametrize("cursor", ["nonsense", "W10=", "WzEsMiwzLDQsNV0="])
def test_a_cursor_that_is_none_is_refused(ann, cursor):
    answer = ann.api.get(
        "/api/rgpd/users/ann/ai-data", headers={"x-tenant": "local"}, params={"cursor": cursor}
    )
    assert refused(answer, 400, "invalid_request") == ["cursor"]


@pytest.mark.parametrize("page", ["nonsense", b64encode(b"[" * 2000).decode(), "\ud800"])
def test_a_cursor_that_leads_to_none_is_refused(ann, page):
    cursor = sealed(digest("local", "ai-data", "ann"), (page, 0, 0, ""))
    answer = ann.api.get(
        "/api/rgpd/users/ann/ai-data", headers={"x-tenant": "local"}, params={"cursor": cursor}
    )
    assert refused(answer, 400, "invalid_request") == ["cursor"]


def test_a_cursor_of_somebody_elses_data_is_refused(ann, monkeypatch):
    monkeypatch.setattr("strata.services.privacy.access.PAGE_BYTES", 1)
    cursor = ann("GET", "/api/rgpd/users/ann/ai-data")["next"]
    for name, tenant in (("bob", "local"), ("ann", "another")):
        answer = ann.api.get(
            f"/api/rgpd/users/{name}/ai-data", headers={"x-tenant": tenant}, params={"cursor": cursor}
        )
        assert answer.status_code == 400


def test_a_name_of_any_script_is_found(app, api):
    person = Person(api, "Ännchen")
    strange = "a#b%c/日本"
    person("POST", "/observations", json=observation(content="x", user_id=strange))
    path = f"/api/rgpd/users/{quote(strange, safe='')}"
    assert len(person("GET", f"{path}/ai-data")["items"]["observations"]) == 1
    erasure = person("DELETE", f"{path}/ai-data")["erasure_id"]
    Memory(app).work()
    assert person.receipt(erasure)["erased"] == {"observations": 1, "sessions": 1}
