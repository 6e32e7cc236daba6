"""The promises of every adapter of the port `Table` about expired rows."""

import pytest

from strata.domain.scope import Scope
from strata.ports.rows import Absent, Check, Delete, Key, Present, Put, Update
from strata.ports.table import ConditionFailed, Query, Table
from support.clocks import RunningClock

KEY = Key("p", "s")


@pytest.fixture
def expired(table: Table, scope: Scope, clock: RunningClock) -> Table:
    """A table whose row KEY has passed its time, and is still stored."""
    expires_at = clock.now_us() / 1e6 + 50
    table.transact(
        scope, [Put(KEY, {"n": 5, "expires_at": expires_at, "gsi1pk": "i", "gsi1sk": "1", "note": "old"})]
    )
    assert table.get(scope, KEY) is not None
    clock.forward(100)
    return table


def test_an_expired_row_is_not_read(expired: Table, scope: Scope) -> None:
    assert expired.get(scope, KEY) is None
    assert expired.get_many(scope, [KEY]) == {}
    assert expired.query(scope, Query("p")).rows == []
    assert expired.query(scope, Query("i", index="gsi1")).rows == []


def test_conditions_take_an_expired_row_for_absent(expired: Table, scope: Scope) -> None:
    expired.transact(scope, [Check(KEY, Absent())])
    with pytest.raises(ConditionFailed) as failed:
        expired.transact(scope, [Put(KEY, {}, Present())])
    assert failed.value.failures == {0: None}
    expired.transact(scope, [Put(KEY, {"n": 1}, Absent())])
    assert expired.get(scope, KEY) == {"n": 1}


def test_an_update_of_an_expired_row_starts_anew(expired: Table, scope: Scope, clock: RunningClock) -> None:
    later = clock.now_us() // 1_000_000 + 60
    after = expired.update(
        scope, Update(KEY, set={"expires_at": later}, add={"n": 1}, default={"made": True})
    )
    assert after == {"n": 1, "made": True, "expires_at": later}
    assert expired.get(scope, KEY) == after
    assert expired.query(scope, Query("i", index="gsi1")).rows == []


def test_expired_rows_take_no_room_on_a_page(table: Table, scope: Scope, clock: RunningClock) -> None:
    soon = clock.now_us() / 1e6 + 50
    for number in range(20):
        item = {"n": number} if number % 2 else {"n": number, "expires_at": soon}
        table.transact(scope, [Put(Key("p", f"{number:02d}"), item)])
    clock.forward(100)
    assert [row.item["n"] for row in table.query(scope, Query("p", limit=5)).rows] == [1, 3, 5, 7, 9]


def test_an_attribute_of_another_type_is_no_time_to_live(table: Table, scope: Scope) -> None:
    table.transact(scope, [Put(KEY, {"expires_at": "1"}), Put(Key("p", "t"), {"expires_at": None})])
    assert table.get(scope, KEY) == {"expires_at": "1"}
    assert table.get(scope, Key("p", "t")) == {"expires_at": None}


def test_who_asks_for_expired_rows_gets_them_while_they_are_stored(expired: Table, scope: Scope) -> None:
    (row,) = expired.query(scope, Query("p", expired=True)).rows
    assert (row.key, row.item["note"]) == (KEY, "old")
    (row,) = expired.query(scope, Query("i", index="gsi1", expired=True)).rows
    assert row.key == KEY
    expired.transact(scope, [Delete(KEY)])
    assert expired.query(scope, Query("p", expired=True)).rows == []
