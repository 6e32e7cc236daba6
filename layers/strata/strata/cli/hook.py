"""Answers events of other tools: context for a session and its prompts, and the transcript at its end.

A hook never holds its tool up. It ends within two seconds and always with 0, writes errors to a log only, and
sends a transcript from a process of its own. It imports nothing slow. It does nothing in sub-agents, in
sessions that a program leads (`claude -p`, `codex exec`), and where `STRATA_HOOK` is set. Commands that a
session of Claude Code runs have that variable, so an agent that an agent starts leaves nothing behind.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence

TYPE_CHECKING = False  # as in typing, which takes long to import
if TYPE_CHECKING:
    from typing import Any

LIMIT = 1.75
"""Seconds after the start of the process at which a hook gives up."""
_LOGGING = 0.1
"""Seconds that it takes then to log that, at most."""
_SENDING = 120.0
"""Seconds that sending a transcript may take, of which no tool knows."""
_BUDGET = 1_000
"""Tokens of memory with a prompt."""
_QUERY = 2_000
_LOG = 1_000_000

_START, _PROMPT, _KEEP = "start", "prompt", "keep"
_EVENTS = {
    "SessionStart": _START,
    "sessionStart": _START,
    "UserPromptSubmit": _PROMPT,
    "BeforeAgent": _PROMPT,
    "PreCompact": _KEEP,
    "PreCompress": _KEEP,
    "SessionEnd": _KEEP,
}


def run(arguments: Sequence[str]) -> int:
    """Answer the event on the standard input: `strata hook TOOL [--url URL]`. Always 0."""
    tool, url = (*arguments, "")[0], (arguments[2] if len(arguments) > 2 else None)

    def work() -> None:
        if said := answer(tool, json.loads(sys.stdin.buffer.read()), url):
            sys.stdout.write(json.dumps(said))
            sys.stdout.flush()

    if not nested(os.environ):
        _within(max(0.0, LIMIT - _age()), tool, work)
    return 0


def _age() -> float:
    """Seconds since the process was started, many on a busy machine; 0 where nothing tells."""
    if sys.platform != "linux":
        return 0.0
    with open("/proc/self/stat", "rb") as told:
        ticks = int(told.read().rpartition(b")")[2].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def _within(seconds: float, tool: str, work: Callable[[], None]) -> None:
    """Do this, or end the process after so many seconds; log what goes wrong."""

    def give_up() -> None:
        logging = threading.Thread(target=log, args=(f"{tool}: took longer than it may",), daemon=True)
        logging.start()
        logging.join(_LOGGING)
        os._exit(0)

    watch = threading.Timer(seconds, give_up)
    watch.daemon = True
    watch.start()
    try:
        work()
    except Exception as error:
        log(f"{tool}: {type(error).__name__}: {error}")
    watch.cancel()


def nested(environ: Any) -> bool:
    """Whether this session was started by a program, not by a person."""
    return bool(environ.get("STRATA_HOOK")) or environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")


def answer(tool: str, event: Any, url: str | None) -> dict[str, Any] | None:
    """The answer to an event; None where there is nothing to say.

    Raises:
        OSError: the server can't be reached.
        ValueError: the event or the server's answer is not what it should be.
    """
    if not isinstance(event, dict) or not isinstance(
        event.get("session_id", event.get("conversation_id")), str
    ):
        raise ValueError("an event is a JSON object with a session_id")
    name = str(event.get("hook_event_name"))
    does, path = _EVENTS.get(name), event.get("transcript_path") or ""
    if does is None or _by_an_agent(event, path) or (tool != "cursor" and "cursor_version" in event):
        return None  # Cursor runs the hooks of Claude Code, too
    if does == _KEEP:
        if os.path.isfile(path):
            _send_apart(tool, path, url)
        return None
    asked = {"project": _project(event), "format": "text"}
    if does == _START:
        _mark_commands()
    else:
        prompt = str(event.get("prompt") or "").strip()
        if not prompt or prompt.startswith("/"):
            return None
        conversation, turn = event["session_id"], os.urandom(12).hex()
        asked |= {"query": prompt[:_QUERY], "fill": "none", "token_budget": str(_BUDGET)}
        asked |= {
            "conversation_id": conversation,
            "turn_id": turn,
            "layers": "episodes,observations,sessions",
        }
    from strata.cli.hook_context import fetch

    text = fetch(url, asked, LIMIT).strip()
    if not text:
        return None
    if tool == "cursor":
        return {"additional_context": text}
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}


def _by_an_agent(event: dict[str, Any], path: str) -> bool:
    """Whether a sub-agent or a program is at work, by what the event says, or Codex in its first record."""
    if event.get("agent_id") or event.get("is_background_agent") or "/subagents/" in path.replace("\\", "/"):
        return True
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as lines:
        try:
            first = json.loads(lines.readline(_LOG))
            told = first.get("payload") or {}
            return told.get("source") == "exec" or isinstance(told.get("source"), dict)
        except (ValueError, AttributeError, TypeError):  # a document, or a line half written
            return False


def _mark_commands() -> None:
    """Have commands of this session of Claude Code say that an agent runs them."""
    if path := os.environ.get("CLAUDE_ENV_FILE"):
        with open(path, "a", encoding="utf-8") as out:
            out.write("export STRATA_HOOK=1\n")


def _project(event: dict[str, Any]) -> str:
    if named := os.environ.get("STRATA_PROJECT"):
        return named
    roots = event.get("workspace_roots")
    folder = event.get("cwd") or (roots[0] if isinstance(roots, list) and roots else None)
    from strata.cli.project import project_at

    return project_at(str(folder or os.getcwd()))


def _send_apart(tool: str, path: str, url: str | None) -> None:
    """Send a transcript in a process that outlives the tool."""
    import subprocess

    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
    null = subprocess.DEVNULL
    command = [sys.executable, "-m", "strata.cli.hook", tool, path, *([url] if url else [])]
    environ = os.environ | {"STRATA_HOOK": "1"}
    subprocess.Popen(command, stdin=null, stdout=null, stderr=null, env=environ, **apart)  # noqa: S603 - our own


def send(tool: str, path: str, url: str | None = None) -> None:
    """Import the conversation of a transcript; what is there already is left as it is."""
    from pathlib import Path

    from strata.adapters.chats.sources import sources_of
    from strata.cli.chats import sender
    from strata.client.client import Client
    from strata.services.chats.importer import ChatImporter

    sources = sources_of(Path.home(), [tool], only=(Path(path),))
    with Client(url) as client:
        report = ChatImporter(sender(client)).run(sources)
    for reason in report.refused:
        log(f"{tool}: {reason}")


def log(sentence: str) -> None:
    """Add a line to `hooks.log` in Strata's folder for state."""
    try:
        from platformdirs import user_state_path

        path = user_state_path("strata", ensure_exists=True) / "hooks.log"
        fresh = path.exists() and path.stat().st_size > _LOG
        with path.open("w" if fresh else "a", encoding="utf-8") as out:
            line = " ".join(sentence.split())[:500]
            out.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {line}\n")
    except OSError:
        return


if __name__ == "__main__":
    _tool, _path, *_rest = sys.argv[1:]
    _within(_SENDING, _tool, lambda: send(_tool, _path, *_rest))
