"""The time of a hook: of `python -c pass` and one `/context` more, and with the service away."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Figure, median
from benchmarks.server import Server, running
from benchmarks.text import Writer

_HOOK = (sys.executable, "-c", "from strata.cli import main; main()", "hook", "claude-code")
_ROUNDS = 40
_MEMORIES = 2_000


def run() -> list[Figure]:
    """Measure hooks of a prompt and of a session's start."""
    with TemporaryDirectory() as folder, running(Path(folder) / "store") as server:
        writer, client = Writer(4), server.client()
        for body in writer.observations("shop", _MEMORIES):
            client.post("/observations", body)
        hooks, bare, contexts = [], [], []
        for number in range(_ROUNDS):  # in turns, so that load is the same for all
            prompt = writer.memory()
            hooks.append(_hook(folder, server.url, "UserPromptSubmit", f"c{number}", prompt))
            bare.append(_timed(folder, (sys.executable, "-c", "pass")))
            contexts.append(_context(server, f"d{number}", prompt))
        more = (median(hooks) - median(bare) - median(contexts)) * 1000
        return [
            Figure("a hook of a prompt", median(hooks) * 1000, "ms"),
            Figure("python -c pass", median(bare) * 1000, "ms"),
            Figure("GET /context, as the hook asks it", median(contexts) * 1000, "ms"),
            Figure("the hook, more than these two", more, "ms", 60),
            Figure("with nothing at the address", _start(folder, _nobody()), "ms", 2000),
            Figure("with a server that does not answer", _unanswered(folder), "ms", 2000),
        ]


def _context(server: Server, conversation: str, prompt: str) -> float:
    client = server.client()
    asked = {"project": "shop", "query": prompt[:2000], "fill": "none", "token_budget": 1000}
    asked |= {"conversation_id": conversation, "turn_id": "t", "layers": "episodes,observations,sessions"}
    started = time.perf_counter()
    client.get("/context", **asked)
    return time.perf_counter() - started


def _hook(folder: str, url: str, event: str, conversation: str, prompt: str) -> float:
    said = {"session_id": conversation, "hook_event_name": event, "prompt": prompt, "cwd": f"{folder}/shop"}
    return _timed(folder, (*_HOOK, "--url", url), json.dumps(said).encode())


def _start(folder: str, url: str) -> float:
    """Milliseconds of a hook of a session's start."""
    return _hook(folder, url, "SessionStart", "c", "") * 1000


def _timed(folder: str, command: tuple[str, ...], sent: bytes = b"") -> float:
    """Seconds of a command, which must end with 0."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "CLAUDE"))}
    started = time.perf_counter()
    subprocess.run(
        command,
        input=sent,
        env=kept | {"HOME": folder, "XDG_STATE_HOME": folder},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - started


def _nobody() -> str:
    """An address at which nobody listens."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{closed.getsockname()[1]}"


def _unanswered(folder: str) -> float:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        return _start(folder, url)
