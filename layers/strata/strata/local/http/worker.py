"""One server process: uvicorn under gunicorn's care, speaking HTTP errors in our own shape."""

import asyncio
import os
import sys
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn_worker import UvicornWorker

from strata.local.http.messages import problem


class WholeWrites:
    """A transport that sends what is written in one turn of the loop at once.

    uvicorn writes a response's head and its body apart: two system calls, and a client that is woken twice.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._written: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send it when this turn of the loop is over."""
        if not self._written:
            self._loop.call_soon(self._flush)
        self._written.append(data)

    def close(self) -> None:
        """Send what is left, then hang up."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._written:
            data, self._written = b"".join(self._written), []
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Protocol(HttpToolsProtocol):
    """uvicorn's, with whole responses in one write, and our error body for what is not HTTP."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Stand between uvicorn and the socket."""
        super().connection_made(cast(asyncio.Transport, WholeWrites(transport, self.loop)))

    def send_400_response(self, msg: str) -> None:
        """Answer what could not be parsed, and hang up."""
        response = problem(400, "this is not a valid HTTP/1.1 request", "invalid_request")
        headers = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
        self.transport.write(
            STATUS_LINE[400] + headers.encode("latin-1") + b"connection: close\r\n\r\n" + response.body
        )
        self.transport.close()


class Worker(UvicornWorker):  # type: ignore[misc]
    """gunicorn's worker class."""

    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "loop": "uvloop",
        "http": Protocol,
        "ws": "none",
        "lifespan": "on",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "timeout_graceful_shutdown": 9,
    }

    async def _serve(self) -> None:
        watch = None if sys.platform == "linux" else asyncio.create_task(self._watch_parent())
        await super()._serve()
        if watch is not None:
            watch.cancel()

    async def _watch_parent(self) -> None:
        while os.getppid() == self.ppid:
            await asyncio.sleep(0.5)
        os._exit(1)
