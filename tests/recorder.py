"""Stands between a program and a server, and writes down what the program asks."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

_OF_A_CONNECTION = frozenset(
    {"connection", "content-length", "host", "transfer-encoding", "content-encoding"}
)


@dataclass
class Recorder:
    """Where to ask, and what was asked."""

    url: str = ""
    requests: list[httpx.Request] = field(default_factory=list)

    def asked(self, method: str, path: str) -> list[httpx.Request]:
        """The requests of one route, in order; `path` is the whole of it."""
        return [each for each in self.requests if (each.method, each.url.path) == (method, path)]


@contextmanager
def recorded(url: str) -> Iterator[Recorder]:
    """A recorder in front of the server at `url`."""
    recorder = Recorder()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            request = httpx.Request(
                self.command, url + self.path, headers=_passed(self.headers), content=body
            )
            recorder.requests.append(request)
            answer = server.send(request)
            self.send_response(answer.status_code)
            for name, value in {
                **_passed(answer.headers),
                "content-length": str(len(answer.content)),
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.content)

        do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    with httpx.Client(trust_env=False, timeout=30) as server:
        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        recorder.url = f"http://127.0.0.1:{http.server_port}"
        try:
            yield recorder
        finally:
            http.shutdown()
            thread.join()
            http.server_close()


def _passed(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items() if name.lower() not in _OF_A_CONNECTION}
