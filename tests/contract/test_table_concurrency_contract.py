"""The promises of every adapter of the port `Table` when many threads or processes write at once."""

import multiprocessing
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from strata.domain.scope import Scope
from strata.ports.rows import Absent, Equals, Key, Put, Update
from strata.ports.table import ConditionFailed, Query, Table

from .conftest import OpenTable

COUNTER = Key("p", "counter")
PROCESSES, EACH = 4, 50


def test_of_a_hundred_threads_that_put_if_absent_one_wins(table: Table, scope: Scope) -> None:
    def attempt(number: int) -> str:
        guard = Put(Key("p", "guard"), {"by": number}, Absent())
        try:
            table.transact(
                scope, [guard, Put(Key("rows", str(number)), {}), Update(COUNTER, add={"wins": 1})]
            )
        except ConditionFailed as failed:
            table.update(scope, Update(COUNTER, add={"losses": 1}))
            there = failed.failures[0]
            assert there is not None
            return f"lost to {there['by']}"
        return "won"

    with ThreadPoolExecutor(100) as threads:
        outcomes = Counter(threads.map(attempt, range(100)))
    (winner,) = (row.key.sk for row in table.query(scope, Query("rows")).rows)
    assert outcomes == {"won": 1, f"lost to {winner}": 99}
    assert table.get(scope, COUNTER) == {"wins": 1, "losses": 99}


def test_a_hundred_threads_count_exactly(table: Table, scope: Scope) -> None:
    with ThreadPoolExecutor(100) as threads:
        seen = list(
            threads.map(lambda _: table.update(scope, Update(COUNTER, add={"n": 1}))["n"], range(300))
        )
    assert sorted(seen) == list(range(1, 301))


def test_optimistic_writers_lose_no_write(table: Table, scope: Scope) -> None:
    table.transact(scope, [Put(COUNTER, {"version": 0})])

    def raise_version(_: int) -> None:
        while True:
            row = table.get(scope, COUNTER)
            assert row is not None
            version = row["version"]
            try:
                table.transact(scope, [Put(COUNTER, {"version": version + 1}, Equals("version", version))])
            except ConditionFailed:
                continue
            return

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(raise_version, range(80)))
    assert table.get(scope, COUNTER) == {"version": 80}


def test_a_reader_never_sees_half_of_a_transaction(table: Table, scope: Scope) -> None:
    left, right = Key("p", "left"), Key("p", "right")
    table.transact(scope, [Put(left, {"n": 0}), Put(right, {"n": 0})])

    def write(number: int) -> None:
        table.transact(scope, [Put(left, {"n": number}), Put(right, {"n": number})])

    def read(_: int) -> tuple[int, int]:
        first, second = table.query(scope, Query("p")).rows
        return first.item["n"], second.item["n"]

    with ThreadPoolExecutor(4) as threads:
        writes = threads.map(write, range(1, 150))
        pairs = list(threads.map(read, range(300)))
        list(writes)
    assert all(one == other for one, other in pairs)


def _in_a_process(open_table: OpenTable, scope: Scope, number: int) -> None:
    with open_table() as table:
        for turn in range(EACH):
            table.transact(
                scope, [Update(COUNTER, add={"n": 1}), Put(Key("rows", f"{number}-{turn}"), {"by": number})]
            )


def test_processes_count_exactly(table: Table, open_table: OpenTable, scope: Scope) -> None:
    context = multiprocessing.get_context("fork")
    workers = [
        context.Process(target=_in_a_process, args=(open_table, scope, number)) for number in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
    assert table.get(scope, COUNTER) == {"n": PROCESSES * EACH}
    assert len(table.query(scope, Query("rows", limit=1000)).rows) == PROCESSES * EACH


def test_what_one_opening_wrote_the_next_one_reads(open_table: OpenTable, scope: Scope) -> None:
    with open_table() as first, open_table() as second:
        first.transact(scope, [Put(COUNTER, {"n": 1})])
        assert second.get(scope, COUNTER) == {"n": 1}
        second.update(scope, Update(COUNTER, add={"n": 1}))
        assert first.get(scope, COUNTER) == {"n": 2}
    with open_table() as later:
        assert later.get(scope, COUNTER) == {"n": 2}


@pytest.mark.parametrize(
    "actions", [[], [Put(COUNTER, {})] * 2, [Put(Key("p", str(n)), {}) for n in range(101)]]
)
def test_a_transaction_of_the_wrong_shape_is_refused_or_does_nothing(
    table: Table, scope: Scope, actions: list[Put]
) -> None:
    if actions:
        with pytest.raises(ValueError, match="100 actions"):
            table.transact(scope, actions)
    else:
        table.transact(scope, actions)
    assert table.query(scope, Query("p")).rows == []
