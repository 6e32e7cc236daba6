"""Every source but Claude Code, in homes as the tools write them."""

import json
import os
import sqlite3
import zipfile
from datetime import UTC, datetime

import pytest

from strata.adapters.chats.source import Places
from strata.adapters.chats.sources import NAMES, sources_of
from support.chat_homes import lines, said, write

LINUX, MACOS, WINDOWS = ".config", "Library/Application Support", "AppData/Roaming"
NINE = "2025-05-06 09:00:00"
NINE_MS = int(datetime(2025, 5, 6, 9, tzinfo=UTC).timestamp() * 1000)
MINUTE = 60_000


@pytest.fixture
def tool(tmp_path):
    """Makes a tool's source over the home, or over one file."""

    def make(name, *only):
        (source,) = sources_of(tmp_path, [name], only=only)
        return source

    return make


@pytest.fixture(autouse=True)
def utc(monkeypatch):
    """Local times are UTC."""
    import time

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def table(path, name, rows, columns="key, value"):
    """A table of a SQLite file in WAL mode, whose connection stays open as a running tool's does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
    connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    connection.commit()
    return connection


def notes(source):
    return [(each.project, each.title, each.text, str(each.at)[:19]) for each in source.notes()]


@pytest.mark.parametrize("name", NAMES)
def test_a_home_without_the_tool_has_nothing(tool, name):
    source = tool(name)
    assert (list(source.places()), said(source), notes(source), source.unread) == ([], {}, [], {})


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_another_form_is_named_or_passed_over_and_nothing_raises(tool, name, tmp_path):
    for content in (
        b"",
        b"\xff\xfe\x00",
        b"[1, 2]",
        b'{"requests": 7, "items": 3}',
        b"null",
        b'[{"mapping": 1}]',
    ):
        for suffix in (".jsonl", ".json", ".vscdb", ".db", ".md", ".zip"):
            path = tmp_path / f"broken{suffix}"
            path.write_bytes(content)
            source = tool(name, path)
            said(source)
            notes(source)


# --- Cursor ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", [LINUX, MACOS, WINDOWS])
def test_cursor_reads_messages_of_their_own_keys_in_the_order_of_the_heads(tool, tmp_path, base):
    user = tmp_path / base / "Cursor/User"
    write(user / "workspaceStorage/w1/workspace.json", '{"folder": "file:///home/ann/my%20shop"}')
    own = {"allComposers": [{"composerId": "c1", "name": "Reports", "createdAt": NINE_MS}]}
    workspace = table(
        user / "workspaceStorage/w1/state.vscdb", "ItemTable", [("composer.composerData", json.dumps(own))]
    )
    heads = [{"bubbleId": "b2", "type": 1}, {"bubbleId": "b1", "type": 2}, {"bubbleId": "gone", "type": 2}]
    composer = {"_v": 10, "composerId": "c1", "createdAt": NINE_MS, "lastUpdatedAt": NINE_MS + MINUTE}
    bubbles = [
        (
            "bubbleId:c1:b1",
            json.dumps(
                {
                    "_v": 3,
                    "type": 2,
                    "text": "Yes.",
                    "bubbleId": "b1",
                    "createdAt": "2025-05-06T09:01:00.000Z",
                }
            ).encode(),
        ),
        (
            "bubbleId:c1:b2",
            json.dumps(
                {
                    "_v": 3,
                    "type": 1,
                    "text": "Postgres?",
                    "bubbleId": "b2",
                    "createdAt": "2025-05-06T09:00:00.000Z",
                }
            ),
        ),
        ("composerData:c1", json.dumps(composer | {"fullConversationHeadersOnly": heads})),
        ("composerData:empty", json.dumps({"composerId": "empty", "fullConversationHeadersOnly": []})),
        ("composerData:torn", '{"composerId": "to'),
        ("messageRequestContext:c1:b1", "{}"),
    ]
    everything = table(user / "globalStorage/state.vscdb", "cursorDiskKV", bubbles)
    source = tool("cursor")
    assert said(source) == {"c1": [("user", "Postgres?", NINE), ("assistant", "Yes.", "2025-05-06 09:01:00")]}
    (found,) = source.conversations()
    assert (found.project, found.started) == ("my shop", datetime(2025, 5, 6, 9, tzinfo=UTC))
    path = user / "globalStorage/state.vscdb"
    assert set(source.unread) == {
        f"{path}: a message that is missing",
        f"{path}: a conversation that is not JSON",
    }
    assert list(source.conversations(datetime(2025, 6, 1, tzinfo=UTC))) == []
    workspace.close()
    everything.close()


def test_cursor_reads_conversations_that_hold_their_messages_and_those_of_workspaces(tool, tmp_path):
    user = tmp_path / LINUX / "Cursor/User"
    shop = tmp_path / "shop"
    write(shop / ".cursorrules", "Answer briefly.")
    write(shop / ".cursor/rules/tests.mdc", "Run make test.")
    write(user / "workspaceStorage/w1/workspace.json", json.dumps({"folder": shop.as_uri()}))
    tabs = {
        "tabs": [
            {
                "tabId": "t1",
                "lastSendTime": NINE_MS,
                "bubbles": [
                    {"type": "user", "text": "Why?", "id": "1"},
                    {"type": "ai", "rawText": "Because.", "id": "2"},
                ],
            }
        ]
    }
    key = "workbench.panel.aichat.view.aichat.chatdata"
    table(user / "workspaceStorage/w1/state.vscdb", "ItemTable", [(key, json.dumps(tabs))]).close()
    whole = {
        "composerId": "c2",
        "createdAt": NINE_MS,
        "conversation": [
            {"type": 1, "text": "Which?", "bubbleId": "x"},
            {"type": 2, "text": "", "bubbleId": "y"},
        ],
    }
    table(
        user / "globalStorage/state.vscdb", "cursorDiskKV", [("composerData:c2", json.dumps(whole))]
    ).close()
    source = tool("cursor")
    assert said(source) == {
        "t1": [("user", "Why?", None), ("assistant", "Because.", None)],
        "c2": [("user", "Which?", None)],
    }
    assert [(project, text) for project, _, text, _ in notes(source)] == [
        ("shop", "Run make test."),
        ("shop", "Answer briefly."),
    ]


def test_cursor_names_a_damaged_file(tool, tmp_path):
    path = write(tmp_path / LINUX / "Cursor/User/globalStorage/state.vscdb", "SQLite format 3\0 but no more")
    source = tool("cursor")
    assert said(source) == {}
    assert list(source.unread) == [f"{path}: file is not a database"]


# --- Windsurf -------------------------------------------------------------------------------------


def test_windsurf_has_memories_rules_and_exported_trajectories_and_says_what_is_encrypted(tool, tmp_path):
    home = tmp_path / ".codeium/windsurf"
    write(home / "memories/global_rules.md", "Use tabs.")
    write(home / "cascade/8e1c.pb", "encrypted")
    text = (
        "# Cascade Chat Conversation\n\nNote: _This is purely the output of the chat conversation._\n\n"
        "### User Input\n\nWhich database?\n\n### Planner Response\n\nPostgres.\n\n"
        "*Viewed [a.py](file:///a.py) *\n\n*Grep searched codebase*\n\nIt *joins* well.\n"
    )
    write(tmp_path / "Downloads/Choosing a database.md", text)
    write(tmp_path / "Downloads/readme.md", "# Something else")
    source = tool("windsurf")
    ((name, messages),) = said(source).items()
    assert name == "Choosing a database.md"
    assert messages[0] == ("user", "Which database?", None)
    assert messages[1][1].split("\n\n")[0] == "Postgres."
    assert "It *joins* well." in messages[1][1]
    assert "Viewed" not in messages[1][1]
    assert [text for _, _, text, _ in notes(source)] == ["Use tabs."]
    assert source.unread == {
        f"{home / 'cascade'}: encrypted; download conversations as Markdown in Windsurf": 1
    }


# --- Aider ----------------------------------------------------------------------------------------


def test_aider_has_chats_of_folders_with_the_times_of_inputs(tool, tmp_path):
    shop = tmp_path / "work/shop"
    history = (
        "\n# aider chat started at 2025-05-06 08:59:00\n\n> Aider v0.86.1\n\n"
        "#### Which database?\n#### Be brief.\n\nPostgres.\n\nIt joins.\n\n> Tokens: 2k\n\n#### yes\n\n"
        "# aider chat started at 2025-05-07 10:00:00\n\n> Aider v0.86.1\n\n#### yes\n\nGood.\n"
        "# aider chat started at some day\n\n#### lost\n"
    )
    path = write(shop / ".aider.chat.history.md", history)
    write(
        shop / ".aider.input.history",
        "\n# 2025-05-01 09:00:00.1\n+yes\n\n# 2025-05-06 09:00:00.25\n+Which database?\n+Be brief.\n"
        "\n# 2025-05-06 09:02:00.5\n+yes\n\n# 2025-05-07 10:01:00.5\n+yes\n",
    )
    source = tool("aider")
    first, second = said(source).values()
    assert first == [
        ("user", "Which database?\nBe brief.", NINE),
        ("assistant", "Postgres.\n\nIt joins.", None),
        ("user", "yes", "2025-05-06 09:02:00"),
    ]
    assert second == [("user", "yes", "2025-05-07 10:01:00"), ("assistant", "Good.", None)]
    assert {each.project for each in source.conversations()} == {"shop"}
    assert f"{path}: a chat without a time" in source.unread


# --- Copilot --------------------------------------------------------------------------------------


def request(number, asked, *response, minute=0):
    return {
        "requestId": number,
        "message": {"text": asked, "parts": []},
        "response": list(response),
        "timestamp": NINE_MS + minute * MINUTE,
    }


def test_copilot_reads_documents_of_vs_code(tool, tmp_path):
    user = tmp_path / MACOS / "Code/User"
    write(user / "workspaceStorage/h1/workspace.json", '{"folder": "file:///c%3A/home/ann/Shop"}')
    chat = {
        "version": 3,
        "sessionId": "s1",
        "creationDate": NINE_MS,
        "requests": [
            request(
                "r1",
                "Which database?",
                {"value": "Postgres, see "},
                {"kind": "inlineReference", "inlineReference": {"path": "/home/ann/Shop/db.py"}},
                {"kind": "toolInvocationSerialized", "value": "ran"},
                {"kind": "markdownContent", "content": {"value": "."}},
            ),
            request("r2", "Thanks", minute=2),
            7,
        ],
    }
    write(user / "workspaceStorage/h1/chatSessions/s1.json", json.dumps(chat))
    source = tool("copilot")
    assert said(source) == {
        "s1": [
            ("user", "Which database?", NINE),
            ("assistant", "Postgres, see db.py.", NINE),
            ("user", "Thanks", "2025-05-06 09:02:00"),
        ]
    }
    assert [each.project for each in source.conversations()] == ["Shop"]


def test_copilot_replays_logs_of_changes(tool, tmp_path):
    path = lines(
        tmp_path / WINDOWS / "Code - Insiders/User/globalStorage/emptyWindowChatSessions/s2.jsonl",
        [
            {"kind": 0, "v": {"version": 3, "creationDate": NINE_MS, "requests": [request("r1", "Which?")]}},
            {"kind": 1, "k": ["customTitle"], "v": "Databases"},
            {"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": "Postg"}, {"value": "My"}]},
            {"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": "res."}], "i": 1},
            {"kind": 2, "k": ["requests"], "v": [request("r2", "Sure?", minute=1)]},
            {"kind": 1, "k": ["requests", 1, "response"], "v": [{"value": "Yes."}]},
            {"kind": 3, "k": ["requests", 1, "agent"]},
            {"kind": 9, "k": []},
            {"kind": 1, "k": ["requests", 8, "response"], "v": []},
        ],
        half=True,
    )
    source = tool("copilot")
    assert [text for _, text, _ in said(source)["s2"]] == ["Which?", "Postgres.", "Sure?", "Yes."]
    assert source.unread == {
        f"{path}: changes of the kind 9": 1,
        f"{path}: a change of what is not there": 1,
        f"{path}: a half-written last line": 1,
    }


def test_copilot_reads_the_sessions_of_its_command_line(tool, tmp_path):
    home = tmp_path / ".copilot"
    start = {
        "type": "session.start",
        "data": {"sessionId": "e1", "version": 1, "context": {"cwd": "/home/ann/shop"}},
    }
    events = [
        start,
        {
            "type": "user.message",
            "id": "1",
            "timestamp": "2025-05-06T09:00:00.000Z",
            "data": {"content": "Which?", "transformedContent": "<current_datetime>…"},
        },
        {"type": "assistant.turn_start", "data": {}},
        {
            "type": "assistant.message",
            "id": "2",
            "timestamp": "2025-05-06T09:01:00Z",
            "data": {"content": "Postgres.", "toolRequests": []},
        },
        {"type": "assistant.message", "id": "3", "data": {"content": "", "toolRequests": [{}]}},
    ]
    lines(home / "session-state/e1/events.jsonl", events)
    lines(home / "session-state/e2.jsonl", [{"type": "user.message", "id": "9", "data": {"content": "Old"}}])
    old = {
        "sessionId": "h1",
        "startTime": "2025-05-06T09:00:00Z",
        "chatMessages": [{"role": "user", "content": "Oldest"}, {"role": "tool", "content": "x"}],
    }
    write(home / "history-session-state/h1.json", json.dumps(old))
    source = tool("copilot")
    assert said(source) == {
        "e1": [("user", "Which?", NINE), ("assistant", "Postgres.", "2025-05-06 09:01:00")],
        "e2": [("user", "Old", None)],
        "h1": [("user", "Oldest", NINE)],
    }
    assert [each.project for each in source.conversations()] == ["shop", None, None]


# --- Codex ----------------------------------------------------------------------------------------


def codex_message(role, text, kind="input_text"):
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def test_codex_reads_records_of_every_generation(tool, tmp_path):
    sessions = tmp_path / ".codex/sessions"

    def wrapped(kind, payload, minute=0):
        return {"timestamp": f"2025-05-06T09:{minute:02}:00.000Z", "type": kind, "payload": payload}

    meta = {
        "id": "new",
        "timestamp": "2025-05-06T09:00:00Z",
        "cwd": "/home/ann/shop",
        "cli_version": "0.65.0",
    }
    new = lines(
        sessions / "2025/05/06/rollout-2025-05-06T09-00-00-new.jsonl",
        [
            wrapped("session_meta", meta),
            wrapped("response_item", codex_message("user", "<environment_context>…</environment_context>")),
            wrapped("response_item", codex_message("developer", "Be good")),
            wrapped("response_item", codex_message("user", "Which?")),
            wrapped("event_msg", {"type": "user_message", "message": "Which?"}),
            wrapped("response_item", {"type": "function_call", "name": "shell", "arguments": "{}"}),
            wrapped("response_item", codex_message("assistant", "Postgres.", "output_text"), 1),
            wrapped("telepathy", {}),
        ],
        half=True,
    )
    lines(
        sessions / "2025/04/01/rollout-2025-04-01-old.jsonl",
        [
            {"id": "old", "timestamp": "2025-04-01T09:00:00Z", "instructions": None},
            {"record_type": "state"},
            codex_message("user", "Older"),
        ],
    )
    oldest = {
        "session": {"id": "oldest", "timestamp": "2025-03-01T09:00:00Z"},
        "items": [codex_message("user", "Oldest")],
    }
    write(sessions / "rollout-2025-03-01-oldest.json", json.dumps(oldest))
    agent = meta | {"id": "agent", "source": {"subagent": {"parent": "new"}}}
    lines(
        sessions / "2025/05/06/rollout-agent.jsonl",
        [wrapped("session_meta", agent), wrapped("response_item", codex_message("user", "Do it"))],
    )
    write(tmp_path / ".codex/AGENTS.md", "Answer briefly.")
    source = tool("codex")
    assert said(source) == {
        "old": [("user", "Older", None)],
        "new": [("user", "Which?", NINE), ("assistant", "Postgres.", "2025-05-06 09:01:00")],
        "agent": [("assistant", "Do it", NINE)],
        "oldest": [("user", "Oldest", None)],
    }
    assert {each.id: each.project for each in source.conversations()}["new"] == "shop"
    assert source.unread == {
        f"{new}: records of the kind 'telepathy'": 1,
        f"{new}: a half-written last line": 1,
    }
    assert [text for _, _, text, _ in notes(source)] == ["Answer briefly."]


# --- exports of accounts --------------------------------------------------------------------------


def node(number, parent, role, text, minute, **fields):
    content = {"content_type": "text", "parts": [text]}
    message = {
        "id": number,
        "author": {"role": role},
        "create_time": NINE_MS / 1000 + minute * 60,
        "content": content,
    }
    return {number: {"id": number, "parent": parent, "children": [], "message": message | fields}}


def chatgpt_conversation(number="g1", last="Sure?"):
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    mapping = (
        {"root": {"id": "root", "parent": None, "message": None}}
        | node("m0", "root", "system", "You are…", 0)
        | node("m1", "m0", "user", "about me", 0, **hidden)
        | node("m2", "m1", "user", "Which?", 0)
        | node("left", "m2", "assistant", "An answer that was replaced", 1)
        | node("m3", "m2", "assistant", "Postgres.", 1)
        | node("m4", "m3", "tool", "result", 1)
        | node("m5", "m4", "user", last, 2)
    )
    return {
        "title": "Databases",
        "create_time": NINE_MS / 1000,
        "update_time": NINE_MS / 1000 + 120,
        "mapping": mapping,
        "current_node": "m5",
        "conversation_id": number,
    }


def test_chatgpt_exports_are_read_from_zips_and_files_the_newest_first(tool, tmp_path):
    downloads = tmp_path / "Downloads"
    downloads.mkdir()
    with zipfile.ZipFile(downloads / "a.zip", "w") as archive:
        archive.writestr("conversations-000.json", json.dumps([chatgpt_conversation(last="Older")]))
        archive.writestr("conversations-001.json", json.dumps([chatgpt_conversation("g2"), {"odd": 1}]))
        archive.writestr("user.json", "{}")
    os.utime(downloads / "a.zip", (1, 1_700_000_000))
    write(downloads / "export/conversations.json", "\ufeff[" + json.dumps(chatgpt_conversation()) + " ]")
    write(downloads / "conversations.json", '[{"mapping": {}, "id": "cut"}, {"mapping')
    source = tool("chatgpt")
    right = [
        ("user", "Which?", NINE),
        ("assistant", "Postgres.", "2025-05-06 09:01:00"),
        ("user", "Sure?", "2025-05-06 09:02:00"),
    ]
    assert said(source) == {"g1": right, "g2": right, "cut": []}
    assert len(source.unread) == 2
    assert tool("claude-export").places() == []
    (alone,) = tool("chatgpt", downloads / "export").conversations()
    assert (alone.title, alone.project) == ("Databases", None)


def test_claude_exports_are_read(tool, tmp_path):
    messages = [
        {"uuid": "1", "sender": "human", "text": "Which?", "created_at": "2025-05-06T09:00:00.123456Z"},
        {
            "uuid": "2",
            "sender": "assistant",
            "text": "",
            "created_at": "2025-05-06T09:01:00Z",
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Postgres."}],
        },
    ]
    chat = {
        "uuid": "a1",
        "name": "Databases",
        "created_at": "2025-05-06T09:00:00Z",
        "chat_messages": messages,
    }
    (tmp_path / "Downloads").mkdir()
    with zipfile.ZipFile(tmp_path / "Downloads/data-2025.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([chat]))
        archive.writestr("users.json", "[]")
    source = tool("claude-export")
    assert said(source) == {
        "a1": [("user", "Which?", NINE), ("assistant", "Postgres.", "2025-05-06 09:01:00")]
    }
    assert tool("chatgpt").places() == []


# --- memories -------------------------------------------------------------------------------------


def test_engram_has_prompts_summaries_and_observations(tool, tmp_path):
    path = tmp_path / ".engram/engram.db"
    table(
        path,
        "sessions",
        [("s1", "shop", "/home/ann/shop", "2025-05-06 09:00:00", "2025-05-06 10:00:00", "Chose Postgres.")],
        "id, project, directory, started_at, ended_at, summary",
    ).close()
    table(
        path,
        "user_prompts",
        [(1, "s1", "Which?", "shop", "2025-05-06 09:00:00"), (2, "s2", "Other", "shop", None)],
        "id INTEGER PRIMARY KEY, session_id, content, project, created_at",
    ).close()
    table(
        path,
        "observations",
        [
            (1, "s1", "decision", "Postgres", "It joins.", "shop", "2025-05-06 09:30:00", None),
            (2, "s1", "decision", "Gone", "No.", "shop", "2025-05-06 09:30:00", "2025-05-07 09:30:00"),
        ],
        "id INTEGER PRIMARY KEY, session_id, type, title, content, project, created_at, deleted_at",
    ).close()
    source = tool("engram")
    assert said(source) == {
        "s1": [("user", "Which?", NINE), ("assistant", "Chose Postgres.", "2025-05-06 10:00:00")]
    }
    assert notes(source) == [("shop", "Postgres", "It joins.", "2025-05-06 09:30:00")]
    export = {
        "version": "0.1.0",
        "sessions": [{"id": "s9", "project": "barn", "started_at": "2025-05-06 09:00:00"}],
        "observations": [
            {"id": 1, "type": "pattern", "title": "T", "content": "C", "created_at": "2025-05-06 09:00:00"}
            | {"topic_key": "shop/t"}
        ],
        "prompts": [{"id": 1, "session_id": "s9", "content": "Why?", "created_at": "2025-05-06 09:00:00"}],
    }
    other = tool("engram", write(tmp_path / "engram-export.json", json.dumps(export)))
    assert said(other) == {"s9": [("user", "Why?", NINE)]}
    assert notes(other) == [(None, "T", "C", NINE)]
    assert [each.topic for each in other.notes()] == ["shop/t"]


def test_mem0_has_memories_as_they_are_now(tool, tmp_path):
    columns = "id, memory_id, old_memory, new_memory, event, created_at, updated_at, is_deleted"
    at = "2025-05-06T02:00:00-07:00"
    table(
        tmp_path / ".mem0/history.db",
        "history",
        [
            ("h1", "m1", None, "Likes tea", "ADD", at, None, 0),
            ("h2", "m2", None, "Lives in Rome", "ADD", at, None, 0),
            ("h3", "m1", "Likes tea", "Likes coffee", "UPDATE", at, at, 0),
            ("h4", "m2", "Lives in Rome", None, "DELETE", at, at, 1),
        ],
        columns,
    ).close()
    assert notes(tool("mem0")) == [(None, None, "Likes coffee", NINE)]
    export = {"results": [{"id": "m1", "memory": "Likes tea", "user_id": "ann", "created_at": at}]}
    assert notes(tool("mem0", write(tmp_path / "m.json", json.dumps(export)))) == [
        (None, None, "Likes tea", NINE)
    ]


def test_claude_mem_has_observations_and_summaries(tool, tmp_path):
    path, columns = tmp_path / ".claude-mem/claude-mem.db", "id, memory_session_id, project, type, title, "
    rows = [
        (1, "m1", "shop", "decision", "Postgres", "It joins.", '["No Redis.", "Since May."]', NINE_MS),
        (2, "m1", "barn", "bugfix", None, "The lock was held.", None, NINE_MS + MINUTE),
        (3, "m2", "shop", "change", "Empty", None, "broken", NINE_MS),
    ]
    table(path, "observations", rows, columns + "narrative, facts, created_at_epoch").close()
    summed = [(1, "m1", "shop", "Choose a store", None, "Postgres joins.", "", "Migrate.", NINE_MS)]
    parts = "id, memory_session_id, project, request, investigated, learned, completed, next_steps"
    table(path, "session_summaries", summed, parts + ", created_at_epoch").close()
    source = tool("claude-mem")
    assert said(source) == {}
    assert notes(source) == [
        ("shop", "Postgres", "It joins.\nNo Redis.\nSince May.", NINE),
        ("barn", None, "The lock was held.", "2025-05-06 09:01:00"),
        (
            "shop",
            "Choose a store",
            "request: Choose a store\nlearned: Postgres joins.\nnext steps: Migrate.",
            NINE,
        ),
    ]
    assert [each.type for each in source.notes()] == ["decision", "bugfix", "session_summary"]
    since = datetime(2025, 5, 6, 9, 1, tzinfo=UTC)
    assert [each.type for each in source.notes(since)] == ["bugfix"]
    assert not source.unread


# --- large files ----------------------------------------------------------------------------------


def test_an_export_is_read_a_conversation_at_a_time(tool, tmp_path):
    """The second conversation is broken: it is met only after the first was given out."""
    first = json.dumps(chatgpt_conversation())
    path = write(tmp_path / "conversations.json", f"[{first}, {{broken" + " " * 5_000_000)
    source = tool("chatgpt", path)
    found = source.conversations()
    assert next(found).id == "g1"
    assert source.unread == {}
    assert list(found) == []
    assert len(source.unread) == 1


def test_lines_are_read_one_at_a_time(tool, tmp_path):
    records = [
        {"timestamp": None, "type": "response_item", "payload": codex_message("user", f"m{n}")}
        for n in range(100)
    ]
    path = lines(tmp_path / "rollout-1.jsonl", records, half=True)
    source = tool("codex", path)
    (conversation,) = source.conversations()
    reading = conversation.read()
    assert next(reading).text == "m0"
    assert source.unread == {}
    assert sum(1 for _ in reading) == 99
    assert source.unread == {f"{path}: a half-written last line": 1}


def test_places_of_one_source_are_read_instead_of_the_home(tool, tmp_path):
    assert Places(tmp_path, (tmp_path / "x",)).under("anything") == [tmp_path / "x"]
