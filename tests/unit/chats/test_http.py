"""The routes of imports, in agtOS's shapes."""

from typing import get_args

import pytest

from strata.adapters.chats.sources import NAMES
from strata.domain.wire.chats import SourceName
from strata.services.chats import imports
from support.api import ClaimsFromHeader, client
from support.chat_homes import lines
from support.memory import application

REFUSES = {"imported": 0, "skipped": 0, "errors": 0}


def session(home, name="s1", *said):
    records = [
        {
            "type": "user",
            "uuid": f"{name}{place}",
            "cwd": "/home/ann/shop",
            "timestamp": f"2025-11-03T09:00:{place:02}Z",
            "message": {"role": "user", "content": text},
        }
        for place, text in enumerate(said)
    ]
    return lines(home / ".claude/projects/-work-shop" / f"{name}.jsonl", records)


@pytest.fixture
def api(tmp_path, clock):
    app = application(tmp_path / "data", clock, CHATS_HOME=str(tmp_path))
    with client(app) as api:
        yield api
    app.close()


def test_the_sources_of_this_machine_are_listed(api, tmp_path):
    session(tmp_path, "s1", "One", "Two")
    session(tmp_path, "s2", "Three")
    found = {each["name"]: each for each in api.get("/api/memory/sources").json()["sources"]}
    path = str(tmp_path / ".claude/projects")
    assert found["claude-code"] == {"name": "claude-code", "available": True, "memoryCount": 2, "path": path}
    assert found["cursor"] == {"name": "cursor", "available": False, "memoryCount": 0, "path": ""}
    assert len(found) == 11


def test_an_import_says_what_was_added_unchanged_and_not_read(api, tmp_path):
    path = session(tmp_path, "s1", "One", "Two")
    path.write_text(path.read_text() + '{"half')
    session(tmp_path, "s2", "Three")
    told = "2 conversations and 0 notes were imported"
    assert api.post("/api/memory/import").json() == {
        "imported": 2,
        "skipped": 0,
        "errors": 1,
        "message": told,
    }
    again = api.post("/api/memory/import", json={"sources": ["claude-code"]}).json()
    assert (again["imported"], again["skipped"]) == (0, 2)
    theirs = api.post("/api/memory/import", json={"sources": ["claude"]}).json()
    assert theirs == again, "as agtOS calls it"
    assert api.post("/api/memory/import", json={"sources": ["cursor"]}).json()["skipped"] == 0
    assert [each["project"] for each in api.get("/sessions/recent").json()] == ["shop", "shop"]


def test_a_long_import_goes_on_with_the_next_call(api, tmp_path, monkeypatch):
    monkeypatch.setattr(imports, "SECONDS", 0.0)
    session(tmp_path, "s1", *map(str, range(250)))
    session(tmp_path, "s2", "Three")
    calls = 0
    while "call again" in api.post("/api/memory/import").json()["message"]:
        monkeypatch.setattr(imports, "SECONDS", 0.001)
        calls += 1
        assert calls < 100
    counts = {each["message_count"] for each in api.get("/sessions/recent").json()}
    assert counts == {250, 1}


def test_the_sources_are_those_that_the_api_names():
    assert get_args(SourceName) == NAMES


def test_an_unknown_source_is_refused_by_name(api):
    answer = api.post("/api/memory/import", json={"sources": ["minitel"]})
    assert answer.status_code == 400
    assert answer.json()["details"][0]["field"] == "sources.0"
    assert "claude-code" in answer.json()["details"][0]["message"]


def test_a_server_for_others_reads_nobodys_disk(tmp_path, clock):
    session(tmp_path, "s1", "One")
    app = application(tmp_path / "data", clock, CHATS_HOME=str(tmp_path), AUTH="required")
    with client(app, ClaimsFromHeader()) as api:
        api.headers["x-tenant"] = "acme"
        assert api.get("/api/memory/sources").json() == {"sources": []}
        answer = api.post("/api/memory/import").json()
        assert "reads nobody's disk" in answer.pop("message")
        assert answer == REFUSES
        assert api.get("/sessions/recent").json() == []
    app.close()
