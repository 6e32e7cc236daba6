"""The promises of every adapter of the port `Table` about large rows."""

from typing import Any

import pytest

from strata.domain.errors import TooLarge
from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, AtMost, Check, Delete, Equals, Item, Key, Present, Put, Update
from strata.ports.table import ConditionFailed, Query, Table
from support.clocks import RunningClock

KEY = Key("p", "s")
MIB = 1 << 20

LARGE: Item = {
    "text": "\u00fc\U0001f600 \ud800" + "x" * (MIB // 2),
    "turns": [{"role": "user", "content": "y" * 100_000, "n": n + 0.5} for n in range(5)],
    "bodies": "a name like another",
    "n": 1,
    "gsi1pk": "i",
    "gsi1sk": "1",
}


def put(table: Table, scope: Scope, key: Key = KEY, **item: object) -> None:
    table.transact(scope, [Put(key, dict(item))])


def test_a_row_of_a_megabyte_comes_back_whole_however_it_is_read(table: Table, scope: Scope) -> None:
    put(table, scope, **LARGE)
    put(table, scope, Key("p", "small"), n=2)
    assert table.get(scope, KEY) == LARGE
    assert table.get_many(scope, [KEY, Key("p", "small")]) == {KEY: LARGE, Key("p", "small"): {"n": 2}}
    assert [row.item for row in table.query(scope, Query("p")).rows] == [LARGE, {"n": 2}]
    assert [row.item for row in table.query(scope, Query("i", index="gsi1")).rows] == [LARGE]
    assert [row.item for row in table.query(scope, Query("p", where=AtMost("n", 1))).rows] == [LARGE]


def test_conditions_and_updates_of_small_values_see_a_large_row(table: Table, scope: Scope) -> None:
    put(table, scope, **LARGE)
    table.transact(scope, [Check(KEY, Equals("n", 1)), Update(Key("p", "t"), set={"a": 1})])
    refused: list[Action] = [Put(KEY, {"n": 9}, Absent()), Update(Key("p", "u"), add={"n": 1})]
    with pytest.raises(ConditionFailed) as failed:
        table.transact(scope, refused)
    assert failed.value.failures == {0: LARGE}
    after = LARGE | {"n": 3, "bodies": "other"}
    assert table.update(scope, Update(KEY, set={"bodies": "other"}, add={"n": 2})) == after
    table.transact(
        scope, [Update(KEY, add={"n": 1}, condition=Equals("n", 3)), Delete(Key("p", "t"), Present())]
    )
    assert table.get(scope, KEY) == after | {"n": 4}


def test_large_values_are_replaced_defaulted_and_removed_by_updates(table: Table, scope: Scope) -> None:
    put(table, scope, n=1)
    first, second = "a" * MIB, "b" * MIB
    assert table.update(scope, Update(KEY, default={"text": first})) == {"n": 1, "text": first}
    assert table.update(scope, Update(KEY, default={"text": second})) == {"n": 1, "text": first}
    table.transact(scope, [Update(KEY, set={"text": second}), Put(Key("p", "t"), {})])
    assert table.get(scope, KEY) == {"n": 1, "text": second}
    assert table.update(scope, Update(KEY, set={"text": "short"})) == {"n": 1, "text": "short"}
    assert table.update(scope, Update(KEY, set={"text": first}, remove=("n",))) == {"text": first}
    assert table.update(scope, Update(KEY, set={"n": 2}, remove=("text",))) == {"n": 2}
    with pytest.raises(ConditionFailed) as failed:
        table.update(scope, Update(KEY, set={"text": second}, condition=Equals("n", 1)))
    assert failed.value.failures == {0: {"n": 2}}
    assert table.get(scope, KEY) == {"n": 2}


def test_a_row_grows_large_update_by_update(table: Table, scope: Scope) -> None:
    for number in range(10):
        table.update(scope, Update(KEY, set={f"part{number}": str(number) * 100_000}))
    assert table.get(scope, KEY) == {f"part{number}": str(number) * 100_000 for number in range(10)}


def test_a_large_row_is_replaced_by_any_other_and_deleted(table: Table, scope: Scope) -> None:
    other = LARGE | {"text": "z" * MIB}
    put(table, scope, **LARGE)
    put(table, scope, **other)
    assert table.get(scope, KEY) == other
    put(table, scope, n=1)
    assert table.get(scope, KEY) == {"n": 1}
    put(table, scope, **LARGE)
    table.transact(scope, [Delete(KEY, Equals("n", 1)), Put(Key("p", "t"), LARGE)])
    assert table.get(scope, KEY) is None
    table.transact(scope, [Delete(Key("p", "t"))])
    assert table.query(scope, Query("p")).rows == []


def test_large_rows_are_written_together(table: Table, scope: Scope) -> None:
    items: dict[Key, Item] = {Key("p", f"{n:02d}"): {"n": n, "text": "x" * 300_000} for n in range(20)}
    table.transact(scope, [Put(key, item) for key, item in items.items()])
    assert {row.key: row.item for row in table.query(scope, Query("p")).rows} == items


def test_nothing_of_an_expired_large_row_comes_back(table: Table, scope: Scope, clock: RunningClock) -> None:
    expires_at = clock.now_us() // 1_000_000 + 60
    for key in (KEY, Key("p", "t"), Key("p", "u")):
        put(table, scope, key, **LARGE, expires_at=expires_at)
    clock.forward(61)
    assert table.get(scope, KEY) is None
    assert table.update(scope, Update(KEY, add={"n": 5})) == {"n": 5}
    table.transact(scope, [Put(Key("p", "t"), {"text": "new"}, Absent()), Update(Key("p", "u"), set=LARGE)])
    assert [row.item for row in table.query(scope, Query("p")).rows] == [{"n": 5}, {"text": "new"}, LARGE]


def test_a_write_that_fails_leaves_a_large_row_as_it_was(table: Table, scope: Scope) -> None:
    put(table, scope, **LARGE)
    failing = Check(Key("p", "t"), Present())
    for action in (Put(KEY, {"n": 1}), Delete(KEY), Update(KEY, set={"text": "x" * MIB})):
        with pytest.raises(ConditionFailed) as failed:
            table.transact(scope, [action, failing])
        assert failed.value.failures == {1: None}
        assert table.get(scope, KEY) == LARGE


def test_a_row_is_either_kept_whole_or_refused(table: Table, scope: Scope) -> None:
    many: dict[str, Any] = {f"attribute{number}": "x" * 900 for number in range(600)}
    try:
        put(table, scope, **many)
    except TooLarge:
        assert table.get(scope, KEY) is None
    else:
        assert table.get(scope, KEY) == many
