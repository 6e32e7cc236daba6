"""The adapters of each port. A further adapter joins its port's suite by one line in a table below."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from strata.adapters.sqlite import SqliteDatabase, SqliteSearchIndex, SqliteTable
from strata.domain.scope import Scope
from strata.ports import Clock, SearchIndex, Table


class HandClock:
    """A clock that starts at the real time and moves when told to."""

    def __init__(self) -> None:
        self._offset_us = 0

    def now_us(self) -> int:
        return time.time_ns() // 1000 + self._offset_us

    def forward(self, seconds: float) -> None:
        self._offset_us += int(seconds * 1_000_000)


@contextmanager
def _sqlite_table(folder: Path, clock: Clock) -> Iterator[Table]:
    with closing(SqliteDatabase(folder / "strata.db", wait=60)) as database:
        yield SqliteTable(database, clock)


@contextmanager
def _sqlite_search_index(folder: Path) -> Iterator[SearchIndex]:
    with closing(SqliteDatabase(folder / "strata.db", wait=60)) as database:
        yield SqliteSearchIndex(database)


TABLES: dict[str, Callable[[Path, Clock], AbstractContextManager[Table]]] = {"sqlite": _sqlite_table}
INDEXES: dict[str, Callable[[Path], AbstractContextManager[SearchIndex]]] = {"sqlite": _sqlite_search_index}

OpenTable = Callable[[], AbstractContextManager[Table]]
OpenIndex = Callable[[], AbstractContextManager[SearchIndex]]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(params=sorted(TABLES))
def open_table(request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock) -> OpenTable:
    """Opens one and the same store again, as another process would."""
    return lambda: TABLES[request.param](tmp_path, clock)


@pytest.fixture
def table(open_table: OpenTable) -> Iterator[Table]:
    with open_table() as opened:
        yield opened


@pytest.fixture(params=sorted(INDEXES))
def open_index(request: pytest.FixtureRequest, tmp_path: Path) -> OpenIndex:
    """Opens one and the same index again, as another process would."""
    return lambda: INDEXES[request.param](tmp_path)


@pytest.fixture
def index(open_index: OpenIndex) -> Iterator[SearchIndex]:
    with open_index() as opened:
        yield opened


@pytest.fixture
def scope() -> Scope:
    return Scope("acme")


@pytest.fixture
def other_scope() -> Scope:
    """Another tenant, whose name begins like the first one's."""
    return Scope("acme2")
