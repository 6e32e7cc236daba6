"""`strata hook`: context for a session and its prompts, and nothing that holds an agent up."""

import io
import json
import os
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from strata.cli import hook
from strata.domain.text.recalled import without_recalled
from support.http_server import Answering, listening

RECALLED = "<memory:context>\n- [config] Staging is rebuilt on Sundays\n</memory:context>\n"
PLAIN = {"content-type": "text/plain"}


@pytest.fixture
def asked():
    """Requests that the server got: their path, parameters and key."""
    return []


@pytest.fixture
def server(asked):
    class Context(Answering):
        def do_GET(self):
            place = urlsplit(self.path)
            given = {name: value for name, (value,) in parse_qs(place.query).items()}
            asked.append((place.path, given, self.headers["authorization"]))
            known = given["project"] == "shop" and given.get("query", "staging") == "staging"
            self.tell(
                200 if given["project"] != "broken" else 503, PLAIN, RECALLED.encode() if known else b""
            )

    with listening(Context) as url:
        yield url


@pytest.fixture
def event(tmp_path):
    """An event in the checkout `shop`, of session s1 unless it says otherwise."""
    folder = tmp_path / "shop" / "src"
    folder.mkdir(parents=True)
    (tmp_path / "shop" / ".git").mkdir()

    def make(name: str, **more):
        return {"session_id": "s1", "cwd": str(folder), "hook_event_name": name, "transcript_path": ""} | more

    return make


@pytest.fixture(autouse=True)
def log(monkeypatch, tmp_path):
    for name in (
        "STRATA_HOOK",
        "STRATA_PROJECT",
        "STRATA_API_KEY",
        "CLAUDE_ENV_FILE",
        "CLAUDE_CODE_ENTRYPOINT",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(hook, "LIMIT", 1e6)  # the end of the limit is the end of the process
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "strata" / "hooks.log"


@pytest.fixture
def sent(monkeypatch):
    """Transcripts that would be sent."""
    sent = []
    monkeypatch.setattr(hook, "_send_apart", lambda tool, path, url: sent.append((tool, path)))
    return sent


def run(monkeypatch, capsys, given, *arguments: str) -> str:
    text = given if isinstance(given, bytes) else json.dumps(given).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert hook.run(arguments) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("tool", "start", "prompt"),
    [
        ("claude-code", "SessionStart", "UserPromptSubmit"),
        ("codex", "SessionStart", "UserPromptSubmit"),
        ("gemini-cli", "SessionStart", "BeforeAgent"),
    ],
)
def test_a_session_and_a_prompt_get_context_with_its_marks(
    server, asked, event, monkeypatch, tool, start, prompt
):
    monkeypatch.setenv("STRATA_API_KEY", "key-1")
    for name, text in ((start, None), (prompt, "staging")):
        answer = hook.answer(tool, event(name, prompt=text), server)
        assert answer["hookSpecificOutput"]["hookEventName"] == name
        assert without_recalled(answer["hookSpecificOutput"]["additionalContext"]) == ""
    (path, first, key), (_, second, _) = asked
    assert (path, key) == ("/context", "Bearer key-1")
    assert first == {"project": "shop", "format": "text"}
    assert second["query"] == "staging"
    assert (second["fill"], second["conversation_id"]) == ("none", "s1")


def test_cursor_gets_context_in_its_own_form(server, event):
    given = event("sessionStart") | {"conversation_id": "c1", "workspace_roots": [event("")["cwd"]]}
    del given["session_id"], given["cwd"]
    assert hook.answer("cursor", given, server) == {"additional_context": RECALLED.strip()}


def test_cursor_gets_nothing_from_the_hooks_of_claude_code_which_it_runs_too(
    server, asked, event, sent, tmp_path
):
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text("{}\n")
    for name in ("SessionStart", "UserPromptSubmit", "SessionEnd"):
        given = event(name, prompt="staging", transcript_path=str(transcript), cursor_version="3.1")
        assert hook.answer("claude-code", given, server) is None
    assert (asked, sent) == ([], [])


def test_nothing_is_said_where_nothing_is_relevant(server, asked, event):
    assert hook.answer("claude-code", event("UserPromptSubmit", prompt="cheese"), server) is None
    assert len(asked) == 1
    for prompt in ("", "  ", "/compact"):
        assert hook.answer("claude-code", event("UserPromptSubmit", prompt=prompt), server) is None
    assert hook.answer("claude-code", event("PostToolUse"), server) is None
    assert len(asked) == 1


def test_the_project_may_be_set(server, asked, event, monkeypatch):
    monkeypatch.setenv("STRATA_PROJECT", "blog")
    hook.answer("claude-code", event("SessionStart"), server)
    assert asked[0][1]["project"] == "blog"


@pytest.mark.parametrize("name", ["PreCompact", "SessionEnd", "PreCompress"])
def test_the_transcript_is_kept_at_the_end_and_before_a_compaction(event, sent, tmp_path, name):
    transcript = tmp_path / "s1.jsonl"
    assert hook.answer("claude-code", event(name, transcript_path=str(transcript)), None) is None
    assert sent == []  # nothing was said yet
    transcript.write_text("{}\n")
    assert hook.answer("claude-code", event(name, transcript_path=str(transcript)), None) is None
    assert sent == [("claude-code", str(transcript))]


def test_a_hundred_sessions_inside_a_session_leave_nothing(
    server, asked, event, sent, tmp_path, monkeypatch, capsys
):
    """The outer session marks the commands that it runs; sub-agents are known by their events."""
    transcript = tmp_path / "s1.jsonl"
    transcript.write_text("{}\n")
    codex = tmp_path / "rollout.jsonl"
    environment = tmp_path / "session.sh"
    monkeypatch.setenv("CLAUDE_ENV_FILE", str(environment))
    run(monkeypatch, capsys, event("SessionStart"), "claude-code", "--url", server)
    variable, _, value = environment.read_text().removeprefix("export ").strip().partition("=")
    assert len(asked) == 1
    events = ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"]
    for number in range(100):
        more = {"session_id": f"n{number}", "prompt": "staging", "transcript_path": str(transcript)}
        with monkeypatch.context() as inner:
            match number % 4:
                case 0:
                    inner.setenv(variable, value)
                case 1:
                    inner.setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
                case 2:
                    more["agent_id"] = "a1"
                case 3:
                    source = "exec" if number % 8 == 3 else {"subagent": "review"}
                    codex.write_text(
                        json.dumps({"type": "session_meta", "payload": {"source": source}}) + "\n"
                    )
                    more["transcript_path"] = str(codex)
            for name in events:
                given = event(name, **more)
                assert run(inner, capsys, given, "claude-code", "--url", server) == ""
    assert len(asked) == 1
    assert sent == []


@pytest.mark.parametrize(
    "given", [b"", b"{", b"[]", b'{"hook_event_name": "SessionStart"}', b"\xff", b"[" * 50_000]
)
def test_an_event_that_is_none_is_logged_and_does_no_harm(monkeypatch, capsys, log, given):
    assert run(monkeypatch, capsys, given, "claude-code") == ""
    assert log.read_text().count("claude-code: ") == 1


def test_a_server_that_is_away_or_refuses_is_logged_and_does_no_harm(server, event, monkeypatch, capsys, log):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert run(monkeypatch, capsys, event("SessionStart"), "claude-code", "--url", gone) == ""
    monkeypatch.setenv("STRATA_PROJECT", "broken")
    assert run(monkeypatch, capsys, event("SessionStart"), "claude-code", "--url", server) == ""
    first, second = log.read_text().splitlines()
    assert "ConnectionRefusedError" in first
    assert "answered 503" in second


def test_a_server_that_does_not_answer_holds_nothing_up(event, tmp_path):
    """The process itself: what it imports, how it ends."""
    over = threading.Event()

    class Silent(Answering):
        def do_GET(self):
            over.wait()

    with listening(Silent, over=over) as url:
        command = [
            sys.executable,
            "-c",
            "from strata.cli import main; main()",
            "hook",
            "claude-code",
            "--url",
            url,
        ]
        ended = subprocess.run(
            command,
            input=json.dumps(event("SessionStart")),
            capture_output=True,
            text=True,
            env=os.environ | {"XDG_STATE_HOME": str(tmp_path / "state")},
            timeout=60,
            check=False,
        )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_a_hook_gives_up_in_time_after_the_start_of_its_process(server, event, monkeypatch, capsys, log):
    given_up = threading.Event()
    monkeypatch.setattr(os, "_exit", lambda status: given_up.set())
    monkeypatch.setattr(hook, "_age", lambda: hook.LIMIT)
    monkeypatch.setattr(hook, "_LOGGING", 60.0)
    monkeypatch.setattr(hook, "answer", lambda *_: given_up.wait(60) and None)
    assert run(monkeypatch, capsys, event("SessionStart"), "claude-code", "--url", server) == ""
    assert given_up.is_set()
    assert "took longer" in log.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells when a process was started")
def test_the_time_that_python_took_to_start_counts():
    script = "import time; time.sleep(0.3); from strata.cli import hook; print(hook._age())"
    started = time.monotonic()
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert 0.3 <= float(out.stdout) <= time.monotonic() - started + 0.1


def test_a_hook_imports_nothing_slow():
    slow = ["typing", "http.client", "dataclasses", "pathlib", "typer", "httpx", "pydantic", "platformdirs"]
    script = (
        "import sys; before = set(sys.modules); "
        "import strata.cli.hook, strata.cli.hook_context, strata.cli.project; "
        f"print([each for each in {slow} if each in set(sys.modules) - before])"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_an_address_that_is_not_plain_gives_the_same(server, asked, event, monkeypatch):
    monkeypatch.setenv("STRATA_API_KEY", "key-1")
    given = event("UserPromptSubmit", prompt="staging & más: 100 % ✓")
    for url in (server, f"{server}/", server.replace("//", "//ann@")):
        assert hook.answer("claude-code", given, url) is None
    assert {(path, about["query"], key) for path, about, key in asked} == {
        ("/context", "staging & más: 100 % ✓", "Bearer key-1")
    }
    assert len(asked) == 3
