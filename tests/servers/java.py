"""Builds a Java server once from Maven Central, starts it on a loopback port, waits for it, stops it."""

import fcntl
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SOURCES = Path(__file__).parent
BUILT = SOURCES.parents[1] / ".servers"
_DEPENDENCIES = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
_READY_SECONDS = 180


class ServerError(Exception):
    """A server could not be built or did not start; the message ends with what it said."""


def missing_tools() -> str | None:
    """A sentence that names what is not installed, or None."""
    missing = [tool for tool in ("java", "javac", "mvn") if shutil.which(tool) is None]
    if not missing:
        return None
    return f"{', '.join(missing)} not found: install a JDK 17 or later, and Maven"


def built(name: str, arrange: Callable[[Path], None] = lambda home: None) -> Path:
    """The folder of the server `name`, with `lib/` (jars) and `classes/` (its launcher).

    Made when it is not there or its sources changed; concurrent callers wait for one build.
    `arrange` gets the folder before the launcher is compiled; `zips/` holds unpacked plugins then.
    """
    home = BUILT / name
    BUILT.mkdir(exist_ok=True)
    sources = [SOURCES / name / file for file in ("pom.xml", "Launcher.java")] + [SOURCES / f"{name}.py"]
    recipe = "\n".join(path.read_text() for path in sources)
    with (BUILT / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = home / "recipe"
        if done.exists() and done.read_text() == recipe:
            return home
        shutil.rmtree(home, ignore_errors=True)
        maven = ["mvn", "-q", "-B", "-f", str(SOURCES / name / "pom.xml")]
        libraries = ["-DincludeTypes=jar,so", f"-DoutputDirectory={home}/lib"]
        _run([*maven, f"{_DEPENDENCIES}:copy-dependencies", *libraries])
        zips = ["-DincludeTypes=zip", "-Dmdep.useSubDirectoryPerArtifact=true"]
        places = [f"-DoutputDirectory={home}/zips", f"-DmarkersDirectory={home}/unpacked"]
        _run([*maven, f"{_DEPENDENCIES}:unpack-dependencies", *zips, *places])
        arrange(home)
        launcher = str(SOURCES / name / "Launcher.java")
        _run(["javac", "-cp", f"{home}/lib/*", "-d", f"{home}/classes", launcher])
        done.write_text(recipe)
    return home


@contextmanager
def running(
    home: Path, options: Sequence[str], arguments: Sequence[str], log: Path, ready: Callable[[], bool]
) -> Iterator[None]:
    """The server, from when it is `ready` to the end of the block. It ends with this process at the latest.

    Raises:
        ServerError: it ended, or was not ready in time.
    """
    command = ["java", *options, "-cp", f"{home}/classes:{home}/lib/*", "Launcher", *arguments]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=out)
    try:
        deadline = time.monotonic() + _READY_SECONDS
        while not ready():
            if process.poll() is not None or time.monotonic() > deadline:
                said = log.read_text(errors="replace")[-2000:]
                raise ServerError(f"the server of {home.name} did not start:\n{said}")
            time.sleep(0.05)
        yield
    finally:
        process.kill()
        process.wait()
        if process.stdin is not None:
            process.stdin.close()


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(url: str, expected: str = "") -> bool:
    """Whether an HTTP server answers there, with `expected` in its text. Any status will do without."""
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return expected in response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return not expected
    except OSError:
        return False


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ, check=False
    )
    if done.returncode:
        raise ServerError(f"{command[0]} failed:\n{done.stdout.decode(errors='replace')[-3000:]}")
