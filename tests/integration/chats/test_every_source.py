"""`strata chats import` over a home of every tool, in several forms each, broken files among them."""

import json
import os
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from support.chat_homes import lines, write
from support.served_api import served

COMMAND = [sys.executable, "-c", "from strata.cli import main; main()", "chats", "import", "--json"]
BEGAN = datetime(2025, 5, 6, 9, tzinfo=UTC)
MESSAGES = 6
CHATS = 2

pytestmark = pytest.mark.timeout(600)


def at(place):
    return BEGAN + timedelta(minutes=place)


def iso(place):
    return at(place).isoformat().replace("+00:00", "Z")


def ms(place):
    return int(at(place).timestamp() * 1000)


def role(place, person="user", agent="assistant"):
    return agent if place % 2 else person


def messages(form, chat):
    """The messages of a chat: each place, and words of its own."""
    return [(place, f"{form} {chat} says {place}") for place in range(MESSAGES)]


def database(path, **tables):
    """A SQLite file of these tables, each with its columns and rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        for name, (columns, rows) in tables.items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
            connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    connection.close()


def claude_code(home, chat):
    for form, name in (("claude", f"session-{chat}"), ("agent", f"agent-{chat}")):
        records = [
            {
                "type": role(place),
                "uuid": f"{form}-{chat}-{place}",
                "cwd": "/home/ann/shop",
                "timestamp": iso(place),
                "isSidechain": form == "agent",
                "message": {"role": role(place), "content": [{"type": "text", "text": text}]},
            }
            for place, text in messages(form, chat)
        ]
        lines(home / f".claude/projects/-home-ann-shop/{name}.jsonl", records, half=True)
    return ["claude", "agent"]


def cursor(home, chat):
    user = home / ".config/Cursor/User"
    own = [
        {"bubbleId": f"{place}", "type": 1 + place % 2, "text": text, "createdAt": iso(place)}
        for place, text in messages("bubbles", chat)
    ]
    inside = [
        {"bubbleId": f"{place}", "type": 1 + place % 2, "text": text, "createdAt": ms(place)}
        for place, text in messages("composer", chat)
    ]
    tab = [
        {"id": f"{place}", "type": role(place, agent="ai"), "rawText": text}
        | {"timingInfo": {"clientRpcSendTime": ms(place)}}
        for place, text in messages("tab", chat)
    ]
    heads = [{"bubbleId": each["bubbleId"], "type": each["type"]} for each in own]
    kept = [
        (
            f"composerData:n{chat}",
            json.dumps({"composerId": f"n{chat}", "fullConversationHeadersOnly": heads}),
        ),
        (f"composerData:o{chat}", json.dumps({"composerId": f"o{chat}", "conversation": inside}).encode()),
        *((f"bubbleId:n{chat}:{each['bubbleId']}", json.dumps(each)) for each in own),
    ]
    path = user / "globalStorage/state.vscdb"
    if chat == 0:
        database(path, cursorDiskKV=("key, value", [*kept, ("composerData:broken", b"{")]))
        write(user / "workspaceStorage/w-broken/state.vscdb", "no database" * 100)
    else:
        with sqlite3.connect(path) as connection:
            connection.executemany("INSERT INTO cursorDiskKV VALUES (?, ?)", kept)
        connection.close()
    tabs = {"tabs": [{"tabId": f"t{chat}", "bubbles": tab}]}
    key = "workbench.panel.aichat.view.aichat.chatdata"
    place = user / f"workspaceStorage/w{chat}/state.vscdb"
    database(place, ItemTable=("key, value", [(key, json.dumps(tabs))]))
    return ["bubbles", "composer", "tab"]


def windsurf(home, chat):
    heads = "### User Input", "### Planner Response"
    said = [f"{heads[place % 2]}\n\n{text}\n" for place, text in messages("windsurf", chat)]
    text = "\n".join(["# Cascade Chat Conversation", "", *said])
    write(home / f"Downloads/Cascade {chat}.md", text)
    write(home / ".codeium/windsurf/cascade/c.pb", "encrypted")
    return ["windsurf"]


def aider(home, chat):
    said = [f"\n{'' if place % 2 else '#### '}{text}\n" for place, text in messages("aider", chat)]
    folder = home / f"work/shop{chat}"
    write(
        folder / ".aider.chat.history.md", "\n# aider chat started at 2025-05-06 09:00:00\n" + "".join(said)
    )
    asked = [
        f"\n# {at(place):%Y-%m-%d %H:%M:%S}.5\n+{text}\n" for place, text in messages("aider", chat)[::2]
    ]
    write(folder / ".aider.input.history", "".join(asked))
    return ["aider"]


def copilot(home, chat):
    user, own = home / ".config/Code/User/workspaceStorage/h1/chatSessions", home / ".copilot"

    def requests(form):
        said = messages(form, chat)
        return [
            {
                "requestId": f"r{place}",
                "message": {"text": text},
                "response": [{"value": said[place + 1][1]}],
                "timestamp": ms(place),
            }
            for place, text in said[::2]
        ]

    write(
        user / f"d{chat}.json",
        json.dumps({"version": 3, "sessionId": f"d{chat}", "requests": requests("document")}),
    )
    first, *more = requests("changes")
    log = [{"kind": 0, "v": {"version": 3, "sessionId": f"l{chat}", "requests": [first]}}]
    lines(
        user / f"l{chat}.jsonl",
        [*log, *({"kind": 2, "k": ["requests"], "v": [each]} for each in more)],
        half=True,
    )

    def events(form):
        return [
            {
                "type": f"{role(place)}.message",
                "id": f"{place}",
                "timestamp": iso(place),
                "data": {"content": text},
            }
            for place, text in messages(form, chat)
        ]

    lines(own / f"session-state/e{chat}/events.jsonl", events("events"), half=True)
    lines(own / f"session-state/f{chat}.jsonl", events("older"))
    said = [{"role": role(place), "content": text} for place, text in messages("oldest", chat)]
    document = {"sessionId": f"h{chat}", "startTime": iso(0), "chatMessages": said}
    write(own / f"history-session-state/h{chat}.json", json.dumps(document))
    write(user / "broken.json", '{"version": 3, "requ')
    return ["document", "changes", "events", "older", "oldest"]


def codex(home, chat):
    sessions = home / ".codex/sessions"

    def said(form):
        return [
            {"type": "message", "role": role(place), "content": [{"type": "input_text", "text": text}]}
            for place, text in messages(form, chat)
        ]

    meta = {"id": f"new{chat}", "timestamp": iso(0), "cwd": "/home/ann/barn"}
    new = [
        {"timestamp": iso(place), "type": "response_item", "payload": each}
        for place, each in enumerate(said("codex"))
    ]
    head = {"timestamp": iso(0), "type": "session_meta", "payload": meta}
    lines(sessions / f"2025/05/06/rollout-new{chat}.jsonl", [head, *new], half=True)
    old = {"id": f"old{chat}", "timestamp": iso(0), "instructions": None}
    lines(sessions / f"2025/05/06/rollout-old{chat}.jsonl", [old, *said("bare")])
    document = {"session": {"id": f"oldest{chat}", "timestamp": iso(0)}, "items": said("items")}
    write(sessions / f"rollout-oldest{chat}.json", json.dumps(document))
    return ["codex", "bare", "items"]


def chatgpt(home, chat):
    mapping: dict[str, Any] = {"root": {"id": "root", "parent": None, "message": None}}
    before = "root"
    for place, text in messages("chatgpt", chat):
        message = {
            "id": f"m{place}",
            "author": {"role": role(place)},
            "create_time": at(place).timestamp(),
            "content": {"content_type": "text", "parts": [text]},
        }
        mapping[f"m{place}"] = {"id": f"m{place}", "parent": before, "message": message}
        before = f"m{place}"
    told = {
        "conversation_id": f"g{chat}",
        "create_time": at(0).timestamp(),
        "mapping": mapping,
        "current_node": before,
    }
    with zipfile.ZipFile(home / f"Downloads/export-{chat}.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([told]))
    return ["chatgpt"]


def claude_export(home, chat):
    said = [
        {"uuid": f"{place}", "sender": role(place, "human"), "text": text, "created_at": iso(place)}
        for place, text in messages("claude.ai", chat)
    ]
    told = {"uuid": f"a{chat}", "name": "x", "created_at": iso(0), "chat_messages": said}
    with zipfile.ZipFile(home / f"Downloads/data-{chat}.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([told]))
        archive.writestr("users.json", "[]")
    return ["claude.ai"]


def engram(home, chat):
    if chat:
        return []
    prompts = [
        (each * 100 + place, f"s{each}", text, iso(place))
        for each in range(CHATS)
        for place, text in messages("engram", each)
    ]
    database(
        home / ".engram/engram.db",
        sessions=("id, project, started_at", [(f"s{each}", "shop", iso(0)) for each in range(CHATS)]),
        user_prompts=("id INTEGER PRIMARY KEY, session_id, content, created_at", prompts),
        observations=(
            "id INTEGER PRIMARY KEY, type, title, content, created_at",
            [(1, "decision", "Postgres", "engram notes it", iso(1))],
        ),
    )
    return ["engram"]


def memories(home, chat):
    if chat == 0:
        rows = [("h1", "m1", "mem0 notes it", "ADD", iso(2), 0)]
        columns = "id, memory_id, new_memory, event, created_at, is_deleted"
        database(home / ".mem0/history.db", history=(columns, rows))
        seen = (
            "id, project, type, title, narrative, facts, created_at_epoch",
            [(1, "shop", "change", "T", "claude-mem notes it", None, ms(3))],
        )
        database(home / ".claude-mem/claude-mem.db", observations=seen)
    return []


SOURCES = claude_code, cursor, windsurf, aider, copilot, codex, chatgpt, claude_export, engram, memories
NOTES = {("engram notes it", 1), ("mem0 notes it", 2), ("claude-mem notes it", 3)}
UNTIMED = "windsurf", "oldest", "bare", "items"
"""Forms that keep no times of messages."""
HALF_TIMED = "aider", "document", "changes"
"""Forms that keep those of prompts."""


def start(home, url):
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("STRATA_", "XDG_"))}
    return subprocess.Popen(
        [*COMMAND, "--url", url],
        env=kept | {"HOME": str(home), "USERPROFILE": str(home), "TZ": "UTC"},
        stdout=subprocess.PIPE,
        text=True,
    )


def everything(api):
    """The events of every session."""
    sessions = api.get("/memory/sessions").json()["sessions"]
    return {
        each: [
            (event["content"], event["timestamp"])
            for event in api.get(f"/memory/sessions/{each}").json()["events"]
        ]
        for each in sessions
    }


def test_chats_of_every_tool_come_once_in_order_with_their_times_however_often_they_are_imported(tmp_path):
    home = tmp_path / "home"
    forms = [form for source in SOURCES for chat in range(CHATS) for form in source(home, chat)]
    wanted = {tuple(messages(form, chat)) for form in forms for chat in range(CHATS)}
    with served(tmp_path / "data") as api:
        process = start(home, str(api.base_url))
        while process.poll() is None:
            if api.get("/memory/stats").json()["total_events"] >= len(wanted) * MESSAGES // 2:
                process.kill()
            time.sleep(0.02)
        process.communicate()
        last = start(home, str(api.base_url))
        report = json.loads(last.communicate(timeout=500)[0])
        assert (last.returncode, report["refused"]) == (0, {})
        named = " ".join(report["unread"])
        for broken in (
            "session-0.jsonl",
            "w-broken",
            "cascade",
            "l1.jsonl",
            "broken.json",
            "rollout-new1",
        ):
            assert broken in named
        found = everything(api)
        texts = Counter(tuple(text for text, _ in said) for said in found.values())
        assert texts == Counter(tuple(text for _, text in each) for each in wanted)
        for said in found.values():
            times = [when for _, when in said]
            assert times == sorted(times)
            if not said[0][0].startswith(UNTIMED):
                step = 2 if said[0][0].startswith(HALF_TIMED) else 1
                kept = [when[:19] for when in times[::step]]
                assert kept == [iso(place)[:19] for place in range(0, MESSAGES, step)]
        notes = api.get("/observations/recent", params={"limit": 100}).json()
        assert {(each["content"], each["created_at"][:16]) for each in notes} == {
            (text, iso(place)[:16]) for text, place in NOTES
        }

        again = start(home, str(api.base_url))
        told = json.loads(again.communicate(timeout=500)[0])
        assert (told["conversations"], told["messages"], told["notes"]) == (0, 0, 0)
        assert told["unchanged"] == len(wanted)
        assert everything(api) == found
