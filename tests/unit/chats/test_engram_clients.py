"""The calls that engram's published plugins and hooks make, as they make them, and what comes of them."""

import pytest

from support.api import ClaimsFromHeader, client
from support.clocks import HandClock
from support.memory import Memory, application

REPORT = """Everything passes now.

## Key Learnings:

1. The importer skips **broken** rows and names them
2. Staging is rebuilt every Sunday at four
- too short

## Next steps

- Write the release notes for the next version
"""


@pytest.fixture
def memory(tmp_path):
    app = application(tmp_path, HandClock())
    yield Memory(app)
    app.close()


@pytest.fixture
def api(memory):
    with client(memory.app) as opened:
        yield opened


def sent(api, method, path, **given):
    response = api.request(method, path, **given)
    assert response.status_code < 300, response.text
    return response.json()


def contents(api, project, **params):
    found = sent(api, "GET", "/observations/recent", params={"project": project} | params)
    return sorted(each["content"] for each in found)


def test_a_conversation_of_the_claude_code_plugin_is_remembered_in_the_next(api, tmp_path):
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / "api").mkdir()
    folder = str(tmp_path / "shop" / "api")

    assert sent(api, "GET", "/health")["status"] == "ok"
    current = sent(api, "GET", "/project/current", params={"cwd": folder})
    assert current == {
        "project": "shop",
        "project_source": "git_root",
        "project_path": str(tmp_path / "shop"),
        "cwd": folder,
        "available_projects": [],
    }
    begin = {"id": "c1", "project": "shop", "directory": folder}
    assert sent(api, "POST", "/sessions", json=begin)["id"] == "c1"
    options = {"project": "shop", "compact": "1", "pinned": "20", "max_bytes": "16384"}
    assert "context" not in sent(api, "GET", "/context", params=options)
    asked = {"session_id": "c1", "content": "Why does staging fail on Sundays?", "project": "shop"}
    assert sent(api, "POST", "/prompts", json=asked)["status"] == "saved"
    told = {"session_id": "c1", "content": REPORT, "project": "shop", "source": "subagent-stop"}
    report = sent(api, "POST", "/observations/passive", json=told)
    assert report == {"extracted": 2, "saved": 2, "duplicates": 0}
    sent(api, "POST", "/sessions/c1/end", json={})

    ended = sent(api, "GET", "/sessions/c1")
    assert (ended["started_at"] <= ended["ended_at"], ended["message_count"]) == (True, 1)
    assert "staging fail" in ended["summary"]
    text = sent(api, "GET", "/context", params={"project": "shop"})["context"]
    assert "Staging is rebuilt every Sunday at four" in text
    assert "The importer skips broken rows and names them" in text
    assert text == api.get("/context", params={"project": "shop", "format": "text"}).text


def test_the_summary_of_a_session_that_is_ended_with_one_is_read_back(api):
    sent(api, "POST", "/sessions", json={"id": "c1", "project": "shop", "directory": "/w/shop"})
    sent(api, "POST", "/sessions/c1/end", json={"summary": "We moved the queue to Redis."})
    assert sent(api, "GET", "/sessions/c1")["summary"] == "We moved the queue to Redis."
    assert "We moved the queue" in sent(api, "GET", "/context", params={"project": "shop"})["context"]
    assert api.get("/sessions/c2").status_code == 404


def test_a_prompt_needs_a_session_or_a_project(api):
    prompt = {"session_id": "c1", "content": "hello there"}
    assert api.post("/prompts", json=prompt).status_code == 404
    assert api.post("/observations/passive", json={"session_id": "c1", "content": REPORT}).status_code == 404
    assert sent(api, "POST", "/prompts", json=prompt | {"project": "shop"})["id"]
    assert sent(api, "POST", "/prompts", json=prompt | {"project": ""})["id"]
    assert sent(api, "GET", "/sessions/c1")["project"] == "shop"
    assert len(sent(api, "GET", "/memory/sessions/c1/events")["events"]) == 2
    for missing in ("session_id", "content"):
        refused = api.post("/prompts", json={name: prompt[name] for name in prompt if name != missing})
        assert (refused.status_code, missing in refused.text) == (400, True)


def test_secrets_and_recalled_memory_of_prompts_are_not_kept(api):
    words = "<memory:context>\n- the heron\n</memory:context>\nthe key is sk-ant-api03-" + "a1B2" * 24
    prompt = {"session_id": "c1", "content": words, "project": "shop"}
    sent(api, "POST", "/prompts", json=prompt)
    (event,) = sent(api, "GET", "/memory/sessions/c1/events")["events"]
    assert event["content"].startswith("the key is")
    assert "sk-ant" not in event["content"]
    only = prompt | {"content": "<memory:context>\n- the heron\n</memory:context>"}
    assert sent(api, "POST", "/prompts", json=only) == {"id": "", "status": "saved"}
    assert len(sent(api, "GET", "/memory/sessions/c1/events")["events"]) == 1


def test_learnings_that_the_project_has_are_known_however_late_they_come(api, memory):
    told = {"session_id": "c1", "content": REPORT, "project": "shop", "source": "session-end"}
    sent(api, "POST", "/observations/passive", json=told)
    memory.app.clock.forward(30 * 86_400)
    again = sent(api, "POST", "/observations/passive", json=told | {"session_id": "c2"})
    assert again == {"extracted": 2, "saved": 0, "duplicates": 2}
    other = sent(api, "POST", "/observations/passive", json=told | {"project": "docs", "session_id": "c3"})
    assert other == {"extracted": 2, "saved": 2, "duplicates": 0}
    nothing = sent(api, "POST", "/observations/passive", json=told | {"content": "All tests pass."})
    assert nothing == {"extracted": 0, "saved": 0, "duplicates": 0}


def test_only_a_server_on_ones_own_machine_looks_for_the_checkout(memory, tmp_path):
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    inside, windows = str(tmp_path / "shop" / "api"), "C:\\Users\\ann\\Garden"
    app = application(tmp_path / "served", AUTH="required")
    try:
        with client(app, ClaimsFromHeader()) as served:
            served.headers["x-tenant"] = "acme"
            elsewhere = sent(served, "GET", "/project/current", params={"cwd": inside})
            assert (elsewhere["project"], elsewhere["project_source"]) == ("api", "dir_basename")
            assert sent(served, "GET", "/project/current", params={"cwd": windows})["project"] == "garden"
    finally:
        app.close()
