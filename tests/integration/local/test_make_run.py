"""`make run` is a server that ends with make, and says how to stop it; a step of its set-up is one line."""

import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STEP = [sys.executable, str(ROOT / "requirements" / "step.py")]


@pytest.fixture
def make_run(tmp_path):
    """make as the leader of a session, its server's port, and the line that the server prints."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("STRATA_", "MAKE", "MFLAGS"))
    }
    environment = kept | {"STRATA_PORT": "0", "STRATA_DATA": str(tmp_path / "data"), "STRATA_WORKERS": "2"}
    installed = f"{sys.prefix}/.local"  # the environment of these tests is the one that make would set up
    command = ["make", "--no-print-directory", f"VENV={sys.prefix}", "-o", installed, "run"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        ready, _, _ = select.select([process.stdout], [], [], 60)
        line = process.stdout.readline() if ready else ""
        found = re.match(r"Strata listens on http://127\.0\.0\.1:(\d+) ", line)
        assert found, (line, process.poll())
        yield process, int(found[1]), line
    finally:
        for pid in session(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.communicate()


def session(leader: int) -> list[int]:
    """Every process of the session that still lives."""
    listed = subprocess.run(["pgrep", "-s", str(leader)], capture_output=True, text=True, check=False)
    states = [(int(pid), Path(f"/proc/{pid}/stat")) for pid in listed.stdout.split()]
    return [pid for pid, stat in states if stat.exists() and ") Z " not in stat.read_text()]


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize(
    "stop",
    [
        pytest.param(lambda make: os.kill(make, signal.SIGTERM), id="kill of make"),
        pytest.param(lambda make: os.killpg(make, signal.SIGINT), id="Ctrl+C"),
    ],
)
def test_the_server_ends_with_make(make_run, stop):
    process, port, line = make_run
    assert listens(port)
    assert len(session(process.pid)) >= 3  # make, the server and a worker
    assert re.search(r"docs: http://127\.0\.0\.1:\d+/docs; Ctrl\+C stops it\)\n$", line)

    stop(process.pid)

    process.wait(timeout=15)
    end = time.monotonic() + 5
    while session(process.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert session(process.pid) == []
    assert not listens(port)


def test_a_step_is_one_plain_line_where_there_is_no_terminal():
    done = subprocess.run([*STEP, "Counting", "seq", "3"], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "Counting ...\n")


def test_a_step_that_fails_shows_what_was_said():
    command = ["sh", "-c", "echo no such thing; exit 3"]
    done = subprocess.run([*STEP, "Trying", *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "Trying ...\nTrying failed:\nno such thing\n\n"


def test_on_a_terminal_a_step_moves_one_line_and_clears_it():
    ours, theirs = pty.openpty()
    command = ["sh", "-c", "for one in 1 2 3; do echo Collecting $one of; sleep 0.4; done"]
    with subprocess.Popen([*STEP, "Installing", *command], stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while select.select([ours], [], [], 10)[0]:
            try:
                shown += os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
    os.close(ours)
    assert process.returncode == 0
    assert b"\n" not in shown
    frames = shown.decode().split("\r\x1b[K")
    assert {"Installing (0 s) Collecting 1", "Installing (1 s) Collecting 3"} <= set(frames)
    assert frames[-1] == ""
