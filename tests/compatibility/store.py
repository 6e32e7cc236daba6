"""A store that a test or the maker of fixtures opens: the API of every tenant, and its background work."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from strata.client.call import opened as opened_envelope
from strata.domain.scope import Scope
from support.api import ClaimsFromHeader, client
from support.clocks import HandClock
from support.memory import Memory, application

NOW = 4_102_444_800_000_000
"""2100-01-01 in microseconds: far enough ahead that no database's own clock expires a row."""


class Store:
    """One application over a store, called as API Gateway, the stream and the queues would call it."""

    def __init__(self, folder: Path, now_us: int = NOW, **settings: Any) -> None:
        self.folder = folder
        self.settings = settings
        self.clock = HandClock(now_us)
        self.app = application(folder, self.clock, AUTH="required", **settings)
        self.api = client(self.app, ClaimsFromHeader())
        self._memory = Memory(self.app)

    def ask(self, tenant: str, method: str, path: str, **sent: Any) -> httpx.Response:
        return self.api.request(method, path, headers={"x-tenant": tenant}, **sent)

    def __call__(self, tenant: str, method: str, path: str, **sent: Any) -> Any:
        """The answer to a request that must succeed."""
        response = self.ask(tenant, method, path, **sent)
        assert response.status_code < 400, f"{method} {path}: {response.text}"
        return json.loads(opened_envelope(response.text)) if response.content else None

    def of(self, tenant: str) -> Memory:
        """The services of one tenant, whose writes the indexer has not seen yet."""
        return Memory(self.app, Scope(tenant))

    def follow(self) -> None:
        """Hand the changes of the table's stream to the indexer, once."""
        self.app.stores.change_log.fetch()
        self._memory.follow()

    def work(self, *, seconds: int = 0, rounds: int = 1) -> None:
        """Deliver what waits in the queues, each time after so many seconds."""
        for _ in range(rounds):
            self.clock.forward(seconds)
            self.app.stores.change_log.fetch()
            self._memory.work()
            self.app.stores.change_log.fetch()
            self._memory.follow()


@contextmanager
def opened(folder: Path, now_us: int = NOW, **settings: Any) -> Iterator[Store]:
    store = Store(folder, now_us, **settings)
    try:
        yield store
    finally:
        store.app.close()


def pages(store: Store, tenant: str, path: str, **params: Any) -> Iterator[Any]:
    """The pages of a listing that goes on by `next`."""
    cursor: dict[str, str] = {}
    while True:
        page = store(tenant, "GET", path, params=params | cursor)
        yield page
        if "next" not in page:
            return
        cursor = {"cursor": page["next"]}
