"""One server process: uvicorn under gunicorn, with our own error bodies."""

import asyncio
import os
import sys
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn_worker import UvicornWorker

from strata.local.http.messages import problem


class WholeWrites:
    """A transport that sends all writes of one turn of the event loop at once.

    uvicorn writes a response's head and body separately: two system calls, and two wake-ups of the client.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._written: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send the data at the end of this turn of the loop."""
        if not self._written:
            self._loop.call_soon(self._flush)
        self._written.append(data)

    def close(self) -> None:
        """Send remaining data, then close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._written:
            data, self._written = b"".join(self._written), []
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Protocol(HttpToolsProtocol):
    """uvicorn's protocol with single writes, and our error body for invalid HTTP."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wrap the transport in `WholeWrites`."""
        super().connection_made(cast(asyncio.Transport, WholeWrites(transport, self.loop)))

    def send_400_response(self, msg: str) -> None:
        """Respond to an unparsable request, and close."""
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
