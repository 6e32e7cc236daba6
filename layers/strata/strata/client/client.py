"""`Client` and `AsyncClient`: a typed method for every route, over pooled connections."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Self, TypeVar
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


class Client(Routes):
    """Speaks to one Strata server. Safe to share between threads, and with forked processes.

    `url` and `key` default to `STRATA_URL` and `STRATA_API_KEY`, and those to the server of this machine.
    `timeout` is in seconds and for one try; what is tried again is told in `RetryPolicy`. `transport`
    replaces the network, as in httpx. `trace_context` gives the headers that a request continues a trace by,
    for a start those of OpenTelemetry's current span.

    Every method raises `StrataClientError` when it does not succeed.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        trace_context: Callable[[], Mapping[str, str]] = current_trace,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = endpoint(url, key)
        self._retry = retry or RetryPolicy()
        self._trace_context = trace_context
        self._sleep = sleep
        given = exchange.connection(self._endpoint, timeout)
        self._pool = Pool(lambda: httpx.Client(**given, transport=transport))

    @property
    def url(self) -> str:
        """Where the server is, without a slash at the end."""
        return self._endpoint.url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._pool.http.close()

    def send(self, call: Call[T]) -> Reply[T]:
        """Send one call and wait for its reply, as it came and typed."""
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
        self,
        *,
        project: str,
        id: str | None = None,  # noqa: A002 - the wire's own name
        agent_id: str | None = None,
        user_id: str | None = None,
    ) -> ClientSession:
        """A session to use with `with`: begun on entry, ended with its messages on exit."""
        return ClientSession(self, id or uuid4().hex, project, agent_id=agent_id, user_id=user_id)

    def export(self, project: str | None = None) -> Iterator[transfer.Export]:
        """Everything, page by page.

        `GET /export`.
        """
        cursor: str | None = None
        while True:
            page = self.send(export_page(project, cursor=cursor)).value
            yield page
            cursor = page.next
            if not cursor:
                return


async def _sleep(seconds: float) -> None:
    import asyncio  # noqa: PLC0415 - whoever awaits this has it; who imports the client may never need it

    await asyncio.sleep(seconds)


class AsyncClient(Routes):
    """`Client` for `async` code: the same arguments, and the same methods to await.

    Safe to share between the tasks of one event loop, and with forked processes that begin their own.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        trace_context: Callable[[], Mapping[str, str]] = current_trace,
        sleep: Callable[[float], Awaitable[None]] = _sleep,
    ) -> None:
        self._endpoint = endpoint(url, key)
        self._retry = retry or RetryPolicy()
        self._trace_context = trace_context
        self._sleep = sleep
        given = exchange.connection(self._endpoint, timeout)
        self._pool = Pool(lambda: httpx.AsyncClient(**given, transport=transport))

    @property
    def url(self) -> str:
        """Where the server is, without a slash at the end."""
        return self._endpoint.url

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.http.aclose()

    async def send(self, call: Call[T]) -> Reply[T]:
        """Send one call and await its reply, as it came and typed."""
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
        self,
        *,
        project: str,
        id: str | None = None,  # noqa: A002
        agent_id: str | None = None,
        user_id: str | None = None,
    ) -> AsyncClientSession:
        """A session to use with `async with`: begun on entry, ended with its messages on exit."""
        return AsyncClientSession(self, id or uuid4().hex, project, agent_id=agent_id, user_id=user_id)

    async def export(self, project: str | None = None) -> AsyncIterator[transfer.Export]:
        """Everything, page by page, for `async for`.

        `GET /export`.
        """
        cursor: str | None = None
        while True:
            page = (await self.send(export_page(project, cursor=cursor))).value
            yield page
            cursor = page.next
            if not cursor:
                return
