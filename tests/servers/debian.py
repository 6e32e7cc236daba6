"""Debian's packages, for what tests need of the system; only root can install them."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

from servers.java import BUILT, ServerError


def obstacle() -> str | None:
    """The reason why nothing can be installed here, or None."""
    if os.geteuid() != 0:
        return "only root can install it"
    return None if shutil.which("apt-get") else "there is no apt-get to install it"


def install(*packages: str) -> None:
    """Install packages; others that do so at the same time take turns.

    Raises:
        ServerError: one could not be installed.
    """
    BUILT.mkdir(exist_ok=True)
    with (BUILT / "apt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        apt = ("apt-get", "-q", "-o", "DPkg::Lock::Timeout=300")
        run(*apt, "update")
        run(*apt, "install", "-y", "--no-install-recommends", *packages)


def run(*command: str, input_path: Path | None = None) -> str:
    """The output of a command.

    Raises:
        ServerError: it failed; the message ends with what it said.
    """
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    with open(input_path or os.devnull, "rb") as given:
        done = subprocess.run(command, stdin=given, capture_output=True, env=environment, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).decode(errors="replace")[-2000:]
        raise ServerError(f"{' '.join(command[:3])} failed:\n{said}")
    return done.stdout.decode()
