"""uvicorn's HTTP protocol with limits: what a client may send before it is answered, and for how long.

uvicorn limits heads with its h11 protocol only, has no deadlines but for idle connections, and its
`limit_concurrency` answers newcomers 503, so that half-open connections shut everybody else out.
"""

import asyncio
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from strata.local.http.limits import Limits
from strata.local.http.messages import problem
from strata.local.http.writes import WholeWrites

_LATE = 0.2  # seconds; a timer that is later than this tells that the process was busy
_SHUTDOWN_SECONDS = 2

_DONE, _HEAD, _BODY = range(3)


class Protocol(HttpToolsProtocol):
    """One connection: single writes, our error bodies, and limits of size, time and number.

    Where a process has as many connections as it may have, the one that has waited longest for its client
    gives way to a new one, whatever its client has sent so far.
    """

    limits: ClassVar = Limits()
    _waiting: ClassVar[dict["Protocol", None]] = {}
    """The connections of this process that wait for their clients, longest first."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._stage = _DONE
        self._unfinished = 0  # bytes of a head, or of anything else that does not become a body
        self._head_too_large = False
        self._timed = _DONE
        self._timer: asyncio.TimerHandle | None = None

    # --- the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room where there is none, and wait for a request."""
        super().connection_made(
            cast(asyncio.Transport, WholeWrites(transport, self.loop, self._sending, self.limits))
        )
        if len(self.connections) > self.limits.connections:
            self._make_room()
        self._waiting[self] = None
        self._time(_HEAD)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._forget()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End at once what has not become a request; give one that is on its way a moment."""
        if self._stage == _HEAD:
            self.transport.abort()
        elif self._stage == _BODY and not self.cycle.response_complete:
            self.cycle.keep_alive = False
            self._start_timer(_SHUTDOWN_SECONDS)
        else:
            super().shutdown()

    # --- what comes in

    def data_received(self, data: bytes) -> None:
        """Parse the data, unless the request is refused already."""
        if self.transport.is_closing():
            return
        self._unfinished += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._unfinished > self.limits.head_bytes:
            self._refuse_head()
            return
        stage = self._stage
        if stage == _DONE and (self.cycle is None or self.cycle.response_complete):
            stage = _HEAD  # blank lines only
        if stage == _DONE:
            self._waiting.pop(self, None)
        if stage != self._timed:
            self._time(stage)

    def on_message_begin(self) -> None:
        """Note that a head begins."""
        self._stage = _HEAD
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Refuse a head that is too large as a whole, or handle the request."""
        if (
            len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            > self.limits.head_bytes
        ):
            self._head_too_large = True
            raise ValueError("the head is too large")
        self._stage, self._unfinished = _BODY, 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Note that the body goes on."""
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is whole."""
        self._stage, self._unfinished = _DONE, 0
        super().on_message_complete()

    # --- what goes out

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._waiting[self] = None

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, unless its next request has arrived unread."""
        if self._stage == _DONE:
            super().timeout_keep_alive_handler()

    def send_400_response(self, msg: str) -> None:
        """Respond to an unparsable request, and close."""
        if self._head_too_large:
            self._refuse_head()
        else:
            self._refuse(400, "this is not a valid HTTP/1.1 request", "invalid_request")

    def _refuse_head(self) -> None:
        self._refuse(
            431,
            f"the head of the request is larger than {self.limits.head_bytes // 1024} KB",
            "head_too_large",
        )

    def _refuse(self, status: int, message: str, code: str) -> None:
        """Respond to a request that does not become one, and close."""
        response = problem(status, message, code)
        headers = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
        self.transport.write(
            STATUS_LINE[status] + headers.encode("latin-1") + b"connection: close\r\n\r\n" + response.body
        )
        self._end()

    def _end(self) -> None:
        """Close, and let a handler know that waits for the rest of the body."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _sending(self) -> bool:
        """Whether the client is in the middle of a request; what it sends is then read and dropped."""
        if not self._unfinished and self._stage != _BODY:
            return False
        self.flow.resume_reading()
        return True

    # --- limits of time and number

    def _time(self, stage: int) -> None:
        self._timed = stage
        self._stop_timer()
        if stage == _HEAD:
            self._start_timer(self.limits.head_seconds)
        elif stage == _BODY:
            self._start_timer(self.limits.body_seconds)

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._expired, self.loop.time() + seconds)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expired(self, due: float) -> None:
        if self.loop.time() - due > _LATE:  # the process was busy: what has arrived meanwhile is read first
            self._start_timer(_LATE)
        elif self.transport.is_closing():
            return
        elif self._stage == _BODY and not self.cycle.response_complete:
            self._refuse(408, "the body of the request did not arrive in time", "request_timeout")
        elif self.cycle is not None and not self.cycle.response_complete:
            self._start_timer(self.limits.head_seconds)  # the next request waits for this one's response
        elif self._stage == _HEAD:
            self._refuse(408, "the head of the request did not arrive in time", "request_timeout")
        else:
            self._end()

    def _make_room(self) -> None:
        oldest = next(iter(self._waiting), None)
        if oldest is None:  # every connection has a request that is being handled
            self._refuse(503, "there are too many requests at the moment; try again", "unavailable")
        else:
            oldest._forget()
            oldest.transport.abort()

    def _forget(self) -> None:
        self._waiting.pop(self, None)
        self._stop_timer()
