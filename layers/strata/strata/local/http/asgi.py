"""The gateway as an ASGI application: reads the whole request, checks its headers, responds."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from strata.local.http.apart import apart
from strata.local.http.gateway import Gateway
from strata.local.http.guard import Guard
from strata.local.http.messages import Request, Response, problem

AsgiMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]

BODY_LIMIT = 6 * 1024 * 1024
"""Largest request body in bytes: the limit of a Lambda function."""

LARGE = 64 * 1024
"""Bodies above this many bytes, such as those of imports, are handled in a process of their own."""

_TOO_LARGE = (413, f"the body is larger than {BODY_LIMIT // 1024**2} MB", "too_large")


class AsgiApp:
    """Serves a gateway. The handler runs in the event loop itself: a process serves one request at a time
    anyway, and no thread has to be woken; bodies of slow clients are read before, concurrently. Requests with
    large bodies, one at a time, get a process of their own, unless this one may have threads.

    Args:
        gateway: handles requests.
        guard: rejects foreign names and web pages, and answers preflights.
        start: called in each worker process before its first request; an exception ends the server.
        stop: called when a worker ends normally.
        threads: whether the gateway's functions use threads.
    """

    def __init__(
        self,
        gateway: Gateway,
        guard: Guard,
        start: Callable[[], None],
        stop: Callable[[], None],
        *,
        threads: bool = False,
    ) -> None:
        self._gateway = gateway
        self._guard = guard
        self._start = start
        self._stop = stop
        self._threads = threads
        self._one_large = asyncio.Lock()

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Handle one request, or the worker's start and stop."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        given = _joined(headers)
        response = self._early(scope, given)
        if response is None:
            body = await _read(receive)
            if body is None:
                return
            response = await self._whole(scope, headers, body)
        response.headers += self._guard.cors(given)
        await send(
            {
                "type": "http.response.start",
                "status": response.status,
                "headers": [
                    (name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers
                ],
            }
        )
        await send({"type": "http.response.body", "body": response.body})

    def _early(self, scope: AsgiMessage, given: dict[str, str]) -> Response | None:
        """The answer to what needs no body to be read."""
        response = self._guard.answer(scope["method"], scope["raw_path"].decode("latin-1"), given)
        if response is not None:
            return response
        length = given.get("content-length", "")
        return problem(*_TOO_LARGE) if length.isdecimal() and int(length) > BODY_LIMIT else None

    async def _whole(self, scope: AsgiMessage, headers: list[tuple[str, str]], body: bytes) -> Response:
        """The answer to a request whose body was read."""
        if len(body) > BODY_LIMIT:
            return problem(*_TOO_LARGE)
        if len(body) <= LARGE or self._threads:
            return self._answer(scope, headers, body)
        async with self._one_large:
            return await apart(lambda: self._answer(scope, headers, body))

    def _answer(self, scope: AsgiMessage, headers: list[tuple[str, str]], body: bytes) -> Response:
        client = scope.get("client") or ("127.0.0.1", 0)
        return self._gateway.handle(
            Request(
                method=scope["method"],
                path=scope["raw_path"].decode("latin-1"),
                query=scope["query_string"].decode("latin-1"),
                headers=headers,
                body=body,
                source_ip=client[0],
            )
        )

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            self._start()
        except Exception as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self._stop()
        await send({"type": "lifespan.shutdown.complete"})


def _joined(headers: list[tuple[str, str]]) -> dict[str, str]:
    """All values by name, so that a repeated header is not overlooked."""
    joined: dict[str, str] = {}
    for name, value in headers:
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    return joined


async def _read(receive: Receive) -> bytes | None:
    """The body, truncated once it exceeds the limit; None when the client disconnected."""
    message = await receive()
    if message["type"] == "http.request" and not message.get("more_body"):
        return bytes(message["body"])
    body = bytearray()
    while message["type"] == "http.request":
        body += message["body"]
        if len(body) > BODY_LIMIT or not message.get("more_body"):
            return bytes(body)
        message = await receive()
    return None
