"""An `AsyncClient` for tests that are written for `Client`: every method waits for what it would await."""

import asyncio
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from strata.client import AsyncClient


class Blocking:
    """Wraps the client that `make` gives, and closes it: `with Blocking(AsyncClient) as client`."""

    def __init__(self, make: Callable[[], AsyncClient]) -> None:
        self._runner = asyncio.Runner()
        self._it: Any = self._runner.run(_made(make))

    def __enter__(self) -> "Blocking":
        return self

    def __exit__(self, *failure: object) -> None:
        self._runner.run(self._it.close())
        self._runner.close()

    def session(self, **fields: Any) -> "BlockingSession":
        return BlockingSession(self._runner, self._it.session(**fields))

    def export(self, project: str | None = None) -> Iterator[Any]:
        async def pages() -> list[Any]:
            return [page async for page in self._it.export(project)]

        return iter(self._runner.run(pages()))

    def __getattr__(self, name: str) -> Any:
        return _waiting(self._runner, getattr(self._it, name))


class BlockingSession:
    def __init__(self, runner: asyncio.Runner, session: Any) -> None:
        self._runner = runner
        self._it = session

    def __enter__(self) -> "BlockingSession":
        self._runner.run(self._it.__aenter__())
        return self

    def __exit__(self, *failure: object) -> None:
        self._runner.run(self._it.__aexit__(*failure))

    def __getattr__(self, name: str) -> Any:
        return _waiting(self._runner, getattr(self._it, name))


async def _made(make: Callable[[], AsyncClient]) -> AsyncClient:
    return make()


def _waiting(runner: asyncio.Runner, value: Any) -> Any:
    if not inspect.iscoroutinefunction(value):
        return value
    return lambda *args, **fields: runner.run(value(*args, **fields))
