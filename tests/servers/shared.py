"""One server of each kind for a whole run of pytest, however many workers it has.

The first worker to ask for a server starts a keeper, a process of its own that runs the server. All keepers
end with the run: pytest's main process holds a lock, and loses it however it ends.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from servers.java import SOURCES, ServerError

Start = Callable[[], AbstractContextManager[str]]


class Run:
    """A run of pytest, held by its main process."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="strata-run-"))
        self._lock = _locked(self.folder / "run", fcntl.LOCK_EX)

    def close(self) -> None:
        """Let the servers end, and wait until they have."""
        os.close(self._lock)
        os.close(_locked(self.folder / "keepers", fcntl.LOCK_EX))
        shutil.rmtree(self.folder)


def url_of(server: str, run: Path, worker: str = "") -> str:
    """The address of a server of this run, or of one worker of it; the first to ask for it starts it.

    Raises:
        ServerError: it could not be built or started.
    """
    said = run / f"{server}{worker}.out"
    lock = _locked(run / f"{server}{worker}.lock", fcntl.LOCK_EX)
    try:
        if not said.exists():
            command = [sys.executable, "-m", "servers", server, "--run", str(run)]
            with said.open("wb") as out:
                keeper = subprocess.Popen(
                    command, cwd=SOURCES.parent, stdout=out, stderr=out, start_new_session=True
                )
            _keepers.append(keeper)
            while not _URL.fullmatch(said.read_text()) and keeper.poll() is None:
                time.sleep(0.05)
        text = said.read_text()
    finally:
        os.close(lock)
    if not _URL.fullmatch(text):
        raise ServerError(text)
    return text.strip()


def keep(start: Start, run: Path) -> None:
    """Hold a server until the run ends; its URL is printed when it answers."""
    _locked(run / "keepers", fcntl.LOCK_SH)  # until this process has ended
    with start() as url:
        print(url, flush=True)  # noqa: T201 - this is a command
        _locked(run / "run", fcntl.LOCK_SH)


_URL = re.compile(r"http://\S+\n")
_keepers: list[subprocess.Popen[bytes]] = []
"""Held, since a process that nobody holds any more is warned about while it runs."""


def _locked(path: Path, how: int) -> int:
    """A descriptor that holds the lock of a file until it is closed."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, how)
    return descriptor
