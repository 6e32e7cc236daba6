"""Two ways to the API: in this process, and through a real server."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from support.api import client
from support.memory import BY_WORDS, Memory, application


@contextmanager
def in_process(folder: Path) -> Iterator[httpx.Client]:
    app = application(folder)
    with client(app) as api:
        api.work = Memory(app).work  # type: ignore[attr-defined]  # nothing works in the background here
        yield api
    app.close()


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[httpx.Client]:
    """A server in a process of its own with these further settings, by words as in `application`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "MEMORY_"))}
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from strata.cli import main; main()",
            "serve",
            "--port",
            "0",
            "--workers",
            "2",
        ],
        env=kept | _usual(folder) | environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, line
        with httpx.Client(base_url=found[0], trust_env=False, timeout=30) as api:
            yield api
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _usual(folder: Path) -> dict[str, str]:
    named = {"DATA": str(folder), "CHATS_HOME": str(folder / "home"), **BY_WORDS}
    return {f"STRATA_{name}": value for name, value in named.items()}


WAYS = {"in process": in_process, "served": served}
