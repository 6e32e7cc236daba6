"""A transport that writes a response in one piece, and closes so that the client can read it."""

import asyncio
from collections.abc import Callable
from typing import Any

from strata.local.http.limits import Limits


class WholeWrites:
    """A transport that sends all writes of one turn of the event loop at once, and closes politely.

    uvicorn writes a response's head and body separately: two system calls, and two wake-ups of the client.

    Args:
        transport: the connection's own.
        loop: its loop.
        sending: tells whether the client is in the middle of a request. Closing then would reset the
            connection, and the client might never see the response: the rest is read for a while.
        limits: for how long.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        sending: Callable[[], bool],
        limits: Limits,
    ) -> None:
        self._transport = transport
        self._loop = loop
        self._sending = sending
        self._limits = limits
        self._written: list[bytes] = []
        self._closing = False

    def write(self, data: bytes) -> None:
        """Send the data at the end of this turn of the loop."""
        if self._closing:
            return
        if not self._written:
            self._loop.call_soon(self._flush)
        self._written.append(data)

    def close(self) -> None:
        """Send remaining data, then close."""
        if self._closing:
            return
        self._closing = True
        self._flush()
        if self._sending() and self._transport.can_write_eof():
            self._transport.write_eof()
            self._loop.call_later(self._limits.linger_seconds, self._transport.abort)
            return
        self._transport.close()
        if self._transport.get_write_buffer_size():
            self._loop.call_later(self._limits.unread_seconds, self._transport.abort)

    def is_closing(self) -> bool:
        """Whether nothing more is sent."""
        return self._closing or self._transport.is_closing()

    def _flush(self) -> None:
        if self._written:
            data, self._written = b"".join(self._written), []
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
