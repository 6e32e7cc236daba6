"""The promises of a table on one machine about the stream of its changes."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from servers.tables import REGION, dynamodb_client
from strata.adapters.dynamodb.client import make_client
from strata.adapters.dynamodb.stream import DynamoChangeLog
from strata.adapters.dynamodb.table import DynamoTable
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.journal import SqliteJournal
from strata.domain.scope import Scope
from strata.ports.changes import Change, ChangeLog
from strata.ports.rows import Absent, Delete, Key, Present, Put, Update
from strata.ports.table import ConditionFailed, Table
from support.clocks import RunningClock

from .conftest import TABLES, OpenTable

KEY = Key("p", "s")


class Fetched:
    """A log that is fetched from a stream elsewhere; asked only once the stream has said all it knows."""

    def __init__(self, log: DynamoChangeLog) -> None:
        self._log = log

    def head(self) -> int:
        self._fetch()
        return self._log.head()

    def read(self, after: int, limit: int) -> list[Change]:
        if len(self._log.read(after, limit)) < limit:
            self._fetch()
        return self._log.read(after, limit)

    def _fetch(self) -> None:
        """DynamoDB Local's stream comes some moments after the write."""
        quiet, seen = 0, self._log.head()
        while quiet < 3:
            time.sleep(0.1)
            self._log.fetch()
            quiet, seen = (quiet + 1, seen) if self._log.head() == seen else (0, self._log.head())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)


@pytest.fixture(params=["dynamodb", "sqlite"])
def open_table(request: pytest.FixtureRequest, clock: RunningClock) -> OpenTable:
    """The stores whose stream a server follows by itself."""
    return TABLES[request.param](request, clock)


@pytest.fixture
def log(request: pytest.FixtureRequest, table: Table, tmp_path: Path) -> Iterator[ChangeLog]:
    if not isinstance(table, DynamoTable):
        yield cast(ChangeLog, table)
        return
    endpoint = request.getfixturevalue("dynamodb_local")
    streams = make_client("dynamodbstreams", endpoint=endpoint, region=REGION)
    with closing(SqliteDatabase(tmp_path / "journal.db")) as database, closing(streams):
        client = dynamodb_client(endpoint)
        journal = SqliteJournal(database)
        yield cast(ChangeLog, Fetched(DynamoChangeLog(client, streams, table._name, journal)))


def test_every_kind_of_write_shows_in_order(
    table: Table, log: ChangeLog, scope: Scope, other_scope: Scope
) -> None:
    assert log.head() == 0
    table.transact(scope, [Put(KEY, {"a": 1})])
    table.transact(scope, [Put(KEY, {"a": 2}), Update(Key("p", "t"), add={"n": 1})])
    table.update(other_scope, Update(KEY, set={"b": 1}))
    table.transact(scope, [Delete(KEY), Delete(Key("p", "never"))])
    changes = log.read(0, 100)
    assert [(change.tenant, change.key, change.event) for change in changes] == [
        ("acme", KEY, "INSERT"),
        ("acme", KEY, "MODIFY"),
        ("acme", Key("p", "t"), "INSERT"),
        ("acme2", KEY, "INSERT"),
        ("acme", KEY, "REMOVE"),
    ]
    sequences = [change.sequence for change in changes]
    assert sequences == sorted(set(sequences))
    assert log.head() == sequences[-1]


def test_what_was_not_written_does_not_show(table: Table, log: ChangeLog, scope: Scope) -> None:
    with pytest.raises(ConditionFailed):
        table.transact(scope, [Put(KEY, {}), Put(Key("p", "t"), {}, Present())])
    assert log.read(0, 100) == []


def test_reading_goes_on_after_any_place_and_is_bounded(table: Table, log: ChangeLog, scope: Scope) -> None:
    for number in range(10):
        table.transact(scope, [Put(Key("p", str(number)), {}, Absent())])
    first = log.read(0, 4)
    rest = log.read(first[-1].sequence, 100)
    assert [change.key.sk for change in first + rest] == [str(number) for number in range(10)]
    assert log.read(log.head(), 100) == []


def test_a_change_is_dropped_when_every_consumer_has_read_it(
    table: Table, log: ChangeLog, scope: Scope
) -> None:
    log.advance("slow", 0)
    for number in range(6):
        table.transact(scope, [Put(Key("p", str(number)), {})])
    sequences = [change.sequence for change in log.read(0, 100)]
    log.advance("quick", sequences[-1])
    assert [change.sequence for change in log.read(0, 100)] == sequences
    log.advance("slow", sequences[2])
    assert [change.sequence for change in log.read(0, 100)] == sequences[3:]
    assert (log.position("slow"), log.position("quick"), log.position("nobody")) == (
        sequences[2],
        sequences[-1],
        0,
    )


def test_a_consumer_never_goes_back(log: ChangeLog) -> None:
    log.advance("one", 7)
    log.advance("one", 3)
    assert log.position("one") == 7


def test_sequence_numbers_go_on_after_everything_was_dropped(
    table: Table, log: ChangeLog, scope: Scope
) -> None:
    table.transact(scope, [Put(KEY, {})])
    head = log.head()
    log.advance("only", head)
    assert log.read(0, 100) == []
    assert log.head() == head
    table.transact(scope, [Put(KEY, {"n": 1})])  # another row: DynamoDB tells only of what changes something
    assert [change.sequence for change in log.read(head, 100)] == [log.head()]
    assert log.head() > head


def test_a_follower_misses_nothing_that_many_threads_write(
    table: Table, log: ChangeLog, scope: Scope
) -> None:
    seen: list[str] = []

    def follow() -> None:
        after = 0
        while len(seen) < 200:
            for change in log.read(after, 7):
                seen.append(change.key.sk)
                after = change.sequence

    with ThreadPoolExecutor(9) as threads:
        follower = threads.submit(follow)
        list(threads.map(lambda n: table.transact(scope, [Put(Key("p", str(n)), {})]), range(200)))
        follower.result(timeout=30)
    assert sorted(seen, key=int) == [str(number) for number in range(200)]
