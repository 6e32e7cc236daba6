"""A real `strata serve` in processes of its own, and a client that costs little."""

import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from strata.client.call import opened
from strata.domain.wire.envelope import has_envelope

SERVE = (sys.executable, "-c", "from strata.cli import main; main()", "serve")
ROOT = Path(__file__).resolve().parent.parent

_READY = re.compile(r"listens on (http://\S+)")


class Refused(Exception):
    """The server answered with an error; the message holds its status and body."""


class Client:
    """One connection that is kept. Not for threads: each makes its own."""

    def __init__(self, url: str, timeout: float = 60.0, key: str | None = None) -> None:
        self._headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=timeout)
        self._connection.connect()
        self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.degraded = False
        """Whether the last answer said that it goes by less than the whole index."""

    def get(self, path: str, **parameters: object) -> Any:
        """The decoded answer to a GET; parameters that are None are left out."""
        query = urlencode({name: value for name, value in parameters.items() if value is not None})
        return self.ask("GET", f"{path}?{query}" if query else path)

    def post(self, path: str, body: object) -> Any:
        """The decoded answer to a POST of a JSON value."""
        return self.ask("POST", path, json.dumps(body).encode())

    def put(self, path: str, body: object) -> Any:
        """The decoded answer to a PUT of a JSON value."""
        return self.ask("PUT", path, json.dumps(body).encode())

    def ask(self, method: str, path: str, body: bytes | None = None) -> Any:
        """One request.

        Raises:
            Refused: the answer is an error.
            OSError, http.client.HTTPException: there is none.
        """
        headers = self._headers | ({"Content-Type": "application/json"} if body is not None else {})
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        content = response.read()
        self.degraded = "index" in response.headers.get("Strata-Degraded", "")
        if response.status >= 400:
            raise Refused(f"{method} {path}: {response.status} {content.decode(errors='replace')}")
        text = content.decode()
        return json.loads(opened(text) if has_envelope(path) else text) if content else None

    def wait_for_vectors(self, project: str) -> None:
        """Wait until searches of a project go by the vectors of all that was saved."""
        self.get("/search", q="memory", project=project)
        while self.degraded:
            time.sleep(1)  # what is not indexed yet costs each search time
            self.get("/search", q="memory", project=project)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


class Server:
    """A running server: its processes and its address."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, seconds: float) -> None:
        self.process = process
        self.url = url
        self.seconds_to_healthy = seconds

    def client(self) -> Client:
        """A new connection."""
        return Client(self.url)

    def processes(self) -> list[int]:
        """The parent and everything it started."""
        found = [self.process.pid]
        for pid in found:
            listed = Path(f"/proc/{pid}/task/{pid}/children")
            found += map(int, listed.read_text().split()) if listed.exists() else ()
        return found

    def memory(self) -> float:
        """Proportional share of all processes, in MB (10^6 bytes): shared pages count once."""
        return sum(map(_proportional_kib, self.processes())) * 1024 / 1e6

    def processor_seconds(self) -> float:
        """Processor time that all processes have used: what work costs, whoever else is at work."""
        return sum(map(_processor_ticks, self.processes())) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """Kill every process at once, as a crash would."""
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.communicate(timeout=10)

    def stop(self) -> None:
        """Stop in peace."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=30)


def start(data: Path, command: tuple[str, ...] = SERVE, /, **settings: str) -> Server:
    """Start a server over `data` on a free port and wait until it is healthy.

    `settings` are names without `STRATA_`. What the environment sets for other servers is not passed on.

    Raises:
        RuntimeError: it did not become healthy within a minute.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "MEMORY_"))}
    given = {"DATA": str(data), "PORT": "0", "LOG_LEVEL": "ERROR"} | settings
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        env=kept | {f"STRATA_{name}": value for name, value in given.items()},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], 60)
    line = process.stdout.readline() if ready else ""
    announced = _READY.search(line)
    if announced is None:
        process.kill()
        process.communicate(timeout=10)
        raise RuntimeError(f"the server did not start: {line!r}")
    client = Client(announced[1])
    client.get("/health")
    client.close()
    return Server(process, announced[1], time.perf_counter() - started)


@contextmanager
def running(data: Path, command: tuple[str, ...] = SERVE, /, **settings: str) -> Iterator[Server]:
    """As `start`; the server is stopped at the end."""
    server = start(data, command, **settings)
    try:
        yield server
    finally:
        server.stop()


def _proportional_kib(pid: int) -> int:
    fields: Mapping[str, str] = dict(
        line.split(":", 1)
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        if line.count(":") == 1
    )
    return int(fields["Pss"].split()[0])


def _processor_ticks(pid: int) -> int:
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = after_name[11:13]
    return int(user) + int(system)
