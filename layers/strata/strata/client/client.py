"""`Client` and `AsyncClient`: a typed method for every route, over pooled connections."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Generic, Self, TypeVar
from uuid import uuid4

import httpx

from strata.client import exchange
from strata.client.call import Call
from strata.client.calls.transfer import export as export_page
from strata.client.config import endpoint
from strata.client.exchange import Reply
from strata.client.pool import Pool
from strata.client.retries import RetryPolicy
from strata.client.routes import Routes
from strata.client.session import AsyncClientSession, ClientSession
from strata.client.tracing import current_trace

if TYPE_CHECKING:
    from strata.domain.wire import transfer

T = TypeVar("T")
H = TypeVar("H", httpx.Client, httpx.AsyncClient)
B = TypeVar("B")
W = TypeVar("W")


async def _sleep(seconds: float) -> None:
    import asyncio  # noqa: PLC0415 - loaded already where this is awaited

    await asyncio.sleep(seconds)


class _Client(Routes, Generic[H, B, W]):
    """The part without waiting, shared by both kinds: `_connect` makes the connections, `_pause` waits."""

    _connect: Callable[..., H]
    _pause: Callable[[float], W]

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        transport: B | None = None,
        trace_context: Callable[[], Mapping[str, str]] = current_trace,
        sleep: Callable[[float], W] | None = None,
    ) -> None:
        self._endpoint = endpoint(url, key)
        self._retry = retry or RetryPolicy()
        self._trace_context = trace_context
        self._sleep = sleep or self._pause
        given = exchange.connection(self._endpoint, timeout)
        self._pool: Pool[H] = Pool(lambda: self._connect(**given, transport=transport))

    @property
    def url(self) -> str:
        """The server's URL, without a trailing slash."""
        return self._endpoint.url


class Client(_Client[httpx.Client, httpx.BaseTransport, None]):
    """A client of one Strata server. Safe to share between threads, and with forked processes.

    `url` and `key` default to `STRATA_URL` and `STRATA_API_KEY`, and those to the server of this machine.
    `timeout` is in seconds for one attempt; `RetryPolicy` describes the retries. `transport` replaces the
    network, as in httpx. `trace_context` returns the headers that continue a trace, by default those of
    OpenTelemetry's current span.

    Every method raises `StrataClientError` when it fails.
    """

    _connect = httpx.Client
    _pause = staticmethod(time.sleep)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._pool.http.close()

    def send(self, call: Call[T]) -> Reply[T]:
        """Send one call and return its reply, raw and typed."""
        request = exchange.request(call, self._trace_context())
        tried = 0
        while True:
            outcome: exchange.Outcome
            try:
                outcome = self._pool.http.request(**request)
            except exchange.FAILURES as error:
                outcome = error
            tried += 1
            wait = self._retry.wait(call, tried, outcome)
            if wait is None:
                return exchange.settle(call, self._endpoint, outcome)
            self._sleep(wait)

    def session(
        self, *, project: str, id: str | None = None, agent_id: str | None = None, user_id: str | None = None
    ) -> ClientSession:
        """A session for `with`: started on entry, ended with its messages on exit."""
        return ClientSession(self, id or uuid4().hex, project, agent_id=agent_id, user_id=user_id)

    def export(self, project: str | None = None) -> Iterator[transfer.Export]:
        """Everything, page by page. `GET /export`."""
        cursor: str | None = None
        while True:
            page = self.send(export_page(project, cursor=cursor)).value
            yield page
            cursor = page.next
            if not cursor:
                return


class AsyncClient(_Client[httpx.AsyncClient, httpx.AsyncBaseTransport, Awaitable[None]]):
    """`Client` for `async` code: the same arguments, and the same methods to await.

    Safe to share between the tasks of one event loop, and with forked processes that start their own.
    """

    _connect = httpx.AsyncClient
    _pause = staticmethod(_sleep)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.http.aclose()

    async def send(self, call: Call[T]) -> Reply[T]:
        """Send one call and return its reply, raw and typed."""
        request = exchange.request(call, self._trace_context())
        tried = 0
        while True:
            outcome: exchange.Outcome
            try:
                outcome = await self._pool.http.request(**request)
            except exchange.FAILURES as error:
                outcome = error
            tried += 1
            wait = self._retry.wait(call, tried, outcome)
            if wait is None:
                return exchange.settle(call, self._endpoint, outcome)
            await self._sleep(wait)

    def session(
        self, *, project: str, id: str | None = None, agent_id: str | None = None, user_id: str | None = None
    ) -> AsyncClientSession:
        """A session for `async with`: started on entry, ended with its messages on exit."""
        return AsyncClientSession(self, id or uuid4().hex, project, agent_id=agent_id, user_id=user_id)

    async def export(self, project: str | None = None) -> AsyncIterator[transfer.Export]:
        """Everything, page by page, for `async for`. `GET /export`."""
        cursor: str | None = None
        while True:
            page = (await self.send(export_page(project, cursor=cursor))).value
            yield page
            cursor = page.next
            if not cursor:
                return
