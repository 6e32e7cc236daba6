"""HTTP servers of tests, each on a port of its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Answering(BaseHTTPRequestHandler):
    """Keeps connections open, and writes no log."""

    protocol_version = "HTTP/1.1"

    def body(self) -> bytes:
        """The request's head and body."""
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def tell(self, status: int, headers: dict[str, str], body: bytes, length: int | None = None) -> None:
        """Send an answer; `length` is what it says of itself where that is not its body's."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


@contextmanager
def listening(answering: type[Answering], *, over: threading.Event | None = None) -> Iterator[str]:
    """The address of a server that answers so until the block ends; `over` is set before it stops."""
    server = _Quiet(("127.0.0.1", 0), answering)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        if over is not None:
            over.set()
        server.shutdown()
        thread.join()
        server.server_close()
