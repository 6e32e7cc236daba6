"""The hooks of an agent as it runs them: processes of their own, over a real server."""

import json
import os
import subprocess
import sys
import time
from typing import Any
from uuid import uuid4

import pytest

from support.run_size import FULL
from support.served_api import served

PROGRAM = "from strata.cli import hook, main; hook.LIMIT = 60; main()"
COMMAND = [sys.executable, "-c", PROGRAM, "hook"]
NESTED = 100 if FULL else 4


@pytest.fixture
def server(tmp_path):
    with served(tmp_path / "data") as api:
        yield api


def test_a_session_gets_context_and_its_transcript_is_remembered_and_none_of_the_sessions_within_it(
    server, tmp_path
):
    checkout, session = tmp_path / "shop", str(uuid4())
    (checkout / ".git").mkdir(parents=True)
    transcript = tmp_path / f"{session}.jsonl"
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "CLAUDE"))
    }
    environment |= {"STRATA_URL": str(server.base_url), "XDG_STATE_HOME": str(tmp_path / "state")}
    marks = tmp_path / "session.sh"

    def hook(
        name: str, *shell: str, tool: str = "claude-code", sdk: bool = False, **more: str
    ) -> dict | None:
        event = {"session_id": session, "cwd": str(checkout), "transcript_path": str(transcript)}
        own = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli" if sdk else "cli", "CLAUDE_ENV_FILE": str(marks)}
        ended = subprocess.run(
            [*shell, *COMMAND, tool],
            input=json.dumps(event | {"hook_event_name": name} | more),
            capture_output=True,
            text=True,
            env=environment | own,
            timeout=60,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        return json.loads(ended.stdout)["hookSpecificOutput"] if ended.stdout else None

    def say(*lines: tuple[str, str]) -> None:
        with transcript.open("a") as out:
            for role, text in lines:
                about = {"uuid": str(uuid4()), "sessionId": session, "cwd": str(checkout)}
                message = {"role": role, "content": text}
                at = "2026-01-02T03:04:05Z"
                out.write(json.dumps({"type": role, "timestamp": at, "message": message} | about) + "\n")

    def nest(number: int) -> None:
        """A session that an agent started in this one: a command, `claude -p`, a sub-agent, `codex exec`."""
        own = tmp_path / f"nested-{number}.jsonl"
        kind = number % 4
        told: dict[str, Any] = {"session_id": f"nested-{number}", "transcript_path": str(own)}
        if kind == 2:
            told["agent_id"] = "a1"
        about: dict[str, Any] = {"type": "user", "uuid": f"n{number}", "cwd": str(checkout)}
        if kind == 3:
            about = {"type": "session_meta", "payload": {"source": "exec"}}
        own.write_text(
            json.dumps(about | {"message": {"role": "user", "content": "I am an agent's."}}) + "\n"
        )
        shell = ("sh", "-c", '. "$CLAUDE_ENV_FILE"; "$0" "$@"') if kind == 0 else ()
        tool = "codex" if kind == 3 else "claude-code"
        for name in ("UserPromptSubmit", "SessionEnd"):
            prompt = "When is staging rebuilt?"
            assert hook(name, *shell, tool=tool, sdk=kind == 1, prompt=prompt, **told) is None

    def kept(count: int) -> list[dict]:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = server.get("/sessions/recent", params={"project": "shop"}).json()
            ended = [each for each in found if each.get("message_count") == count and each.get("ended_at")]
            if ended:
                return found
            time.sleep(0.1)
        raise AssertionError((tmp_path / "state" / "strata" / "hooks.log").read_text())

    server.post("/sessions", json={"id": "before", "project": "shop"}).raise_for_status()
    known = {
        "type": "config",
        "title": "Staging is rebuilt on Sundays",
        "content": "Staging: Sundays, 04:00 UTC.",
    }
    server.post("/observations", json={"session_id": "before", "project": "shop"} | known).raise_for_status()

    begun = hook("SessionStart", source="startup")
    assert begun is not None
    assert "Staging is rebuilt" in begun["additionalContext"]
    for number in range(NESTED):
        nest(number)
    told = hook("UserPromptSubmit", prompt="When is staging rebuilt?")
    assert told is not None
    assert told["additionalContext"].startswith("<memory:context>\n")
    assert hook("UserPromptSubmit", prompt="And when is staging rebuilt?") is None  # once in a conversation

    say(("user", f"Which queue has the invoices?\n{told['additionalContext']}"))
    say(("assistant", "We decided to use FIFO queues for invoices, because their order matters."))
    assert hook("PreCompact", trigger="auto") is None
    assert len(kept(2)) == 2
    say(("user", "Then invoices go out on Fridays."))
    assert hook("SessionEnd", reason="exit") is None
    (own,) = [each for each in kept(3) if each["id"] != "before"]
    assert own["started_at"].startswith("2026-01-02T03:04:05")
    log = server.get(f"/memory/sessions/{own['id']}").json()
    assert [each["content"] for each in log["events"]] == [
        "Which queue has the invoices?",
        "We decided to use FIFO queues for invoices, because their order matters.",
        "Then invoices go out on Fridays.",
    ]
