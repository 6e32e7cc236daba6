"""The API, in this process and as a real server: every test that asks for `api` runs over both."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from support import application, client, unique


@contextmanager
def in_process(folder: Path) -> Iterator[httpx.Client]:
    app = application(folder)
    with client(app, folder) as api:
        yield api
    app.close()


@contextmanager
def served(folder: Path) -> Iterator[httpx.Client]:
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
        env=kept | {"STRATA_DATA": str(folder)},
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
        process.communicate(timeout=20)


WAYS = {"in process": in_process, "served": served}


@pytest.fixture(scope="session", params=sorted(WAYS))
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a store that the whole run shares: tests keep apart by their project."""
    with WAYS[request.param](tmp_path_factory.mktemp("store")) as opened:
        yield opened


@pytest.fixture
def project() -> str:
    """A project of the test's own."""
    return unique("project-")
