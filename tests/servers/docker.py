"""A Docker engine: the one that runs here, or one of our own, started as root from Debian's packages.

Nothing is pulled: the one image that is used is made by `lambda_image`.
"""

import fcntl
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from servers import debian
from servers.debian import run
from servers.java import BUILT, ServerError

_PACKAGES = ("docker.io", "iptables", "debootstrap")
_READY_SECONDS = 60
_FIRST_BRIDGE = "172.17.0.1"  # docker0's, which an engine that has just made it does not tell


def missing() -> str | None:
    """A sentence that says why no engine can run here, or None."""
    if answers() and shutil.which("debootstrap"):
        return None
    if os.geteuid() != 0:
        return "a Docker engine and debootstrap are needed, and only root can start or install them"
    if not _installed() and shutil.which("apt-get") is None:
        return "a Docker engine and debootstrap are needed, and there is no apt-get to install them"
    return None


def answers() -> bool:
    """Whether an engine answers here."""
    return shutil.which("docker") is not None and _quiet("docker", "info")


@contextmanager
def engine() -> Iterator[None]:
    """An engine that answers, from here to the end of the block; another run waits for that end.

    Raises:
        ServerError: it could not be installed or started.
    """
    BUILT.mkdir(exist_ok=True)
    with (BUILT / "docker.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with _engine():
            yield


@contextmanager
def _engine() -> Iterator[None]:
    if not _installed():
        debian.install(*_PACKAGES)
    if answers():
        yield
        return
    home = BUILT / "docker"
    home.mkdir(parents=True, exist_ok=True)
    log = home / "log"
    command = ["dockerd", f"--data-root={home}/data", f"--exec-root={home}/run", f"--pidfile={home}/pid"]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
    try:
        deadline = time.monotonic() + _READY_SECONDS
        while not answers():
            if process.poll() is not None or time.monotonic() > deadline:
                said = log.read_text(errors="replace")[-2000:]
                raise ServerError(f"the Docker engine did not start:\n{said}")
            time.sleep(0.2)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def bridge() -> str:
    """The address of this machine as containers see it."""
    form = "{{(index .IPAM.Config 0).Gateway}}"
    return run("docker", "network", "inspect", "bridge", "--format", form).strip() or _FIRST_BRIDGE


def _installed() -> bool:
    return all(shutil.which(tool) for tool in ("docker", "dockerd", "debootstrap"))


def _quiet(*command: str) -> bool:
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0
