"""`strata chats import` against a real server, killed on the way."""

import json
import os
import subprocess
import sys
import time

import pytest

from support.chat_homes import lines
from support.run_size import FULL
from support.served_api import served

COMMAND = [sys.executable, "-c", "from strata.cli import main; main()", "chats", "import", "--json"]
CHATS, MESSAGES = (60, 120) if FULL else (4, 110)
KILLS = 5 if FULL else 1

pytestmark = pytest.mark.timeout(300)


def claude_code(home, chat):
    """A session of Claude Code; what each message says is its own."""
    records = [
        {
            "type": "assistant" if place % 2 else "user",
            "uuid": f"{chat}-{place}",
            "cwd": "/home/ann/shop",
            "timestamp": f"2025-11-{1 + chat % 28:02}T09:{place // 60:02}:{place % 60:02}.000Z",
            "message": {"role": "user", "content": f"chat {chat} says {place}"},
        }
        for place in range(MESSAGES)
    ]
    lines(home / f".claude/projects/-work-shop/chat-{chat:03}.jsonl", records, half=True)


def codex(home, chat):
    """The same of Codex, whose messages have no ids."""
    head = {"type": "session_meta", "payload": {"id": f"codex-{chat}", "cwd": "/home/ann/barn"}}
    said = [
        {
            "type": "response_item",
            "timestamp": f"2025-10-{1 + chat % 28:02}T09:{place // 60:02}:{place % 60:02}Z",
            "payload": {
                "type": "message",
                "role": "assistant" if place % 2 else "user",
                "content": [{"type": "input_text", "text": f"codex {chat} says {place}"}],
            },
        }
        for place in range(MESSAGES)
    ]
    lines(home / f".codex/sessions/rollout-{chat:03}.jsonl", [head, *said])


def run(home, url):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("STRATA_")}
    return subprocess.Popen(
        [*COMMAND, "--url", url],
        env=environment | {"HOME": str(home), "USERPROFILE": str(home)},
        stdout=subprocess.PIPE,
        text=True,
    )


def everything(api):
    """The messages of every session, with their times."""
    found = {}
    for session in api.get("/memory/sessions").json()["sessions"]:
        told = api.get(f"/memory/sessions/{session}").json()
        found[session] = [(each["content"], each["timestamp"]) for each in told["events"]]
    return found


def test_an_import_that_was_killed_goes_on_and_a_second_one_adds_nothing(tmp_path):
    home = tmp_path / "home"
    for chat in range(CHATS):
        claude_code(home, chat)
        codex(home, chat)
    whole = 2 * CHATS * MESSAGES
    with served(tmp_path / "data") as api:
        for kill in range(KILLS):
            process = run(home, str(api.base_url))
            wanted = whole * (kill + 1) // (KILLS + 1)
            while process.poll() is None:
                if api.get("/memory/stats").json()["total_events"] >= wanted:
                    process.kill()
                time.sleep(0.02)
            process.communicate()
        last = run(home, str(api.base_url))
        report = json.loads(last.communicate(timeout=250)[0])
        assert last.returncode == 0
        assert report["refused"] == {}
        assert len(report["unread"]) == CHATS
        found = everything(api)
        texts = sorted(tuple(content for content, _ in said) for said in found.values())
        assert texts == sorted(
            tuple(f"{tool} {chat} says {place}" for place in range(MESSAGES))
            for tool in ("chat", "codex")
            for chat in range(CHATS)
        )
        assert all([at for _, at in said] == sorted(at for _, at in said) for said in found.values())
        assert {at[:7] for said in found.values() for _, at in said} == {"2025-10", "2025-11"}
        ended = api.get("/sessions/recent", params={"limit": 1000}).json()
        assert {each["message_count"] for each in ended} == {MESSAGES}
        assert all(each["ended_at"][:7] in ("2025-10", "2025-11") for each in ended)

        again = run(home, str(api.base_url))
        told = json.loads(again.communicate(timeout=250)[0])
        assert (told["conversations"], told["unchanged"], told["messages"]) == (0, 2 * CHATS, 0)
        assert everything(api) == found
