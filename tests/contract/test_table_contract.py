"""The promises of every adapter of the port `Table`: values, conditions, transactions, time to live."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strata.domain.scope import Scope
from strata.ports.rows import (
    Absent,
    AllOf,
    AnyOf,
    AtMost,
    Check,
    Condition,
    Delete,
    Equals,
    Json,
    Key,
    Present,
    Put,
    Update,
)
from strata.ports.table import ConditionFailed, Query, Table

KEY = Key("p", "s")


def put(table: Table, scope: Scope, key: Key = KEY, **item: Json) -> None:
    table.transact(scope, [Put(key, item)])


def test_a_row_comes_back_whole_and_an_unknown_one_is_none(table: Table, scope: Scope) -> None:
    put(table, scope, a=1, b="x")
    assert table.get(scope, KEY) == {"a": 1, "b": "x"}
    assert table.get(scope, Key("p", "t")) is None
    assert table.get(scope, Key("q", "s")) is None


def test_a_put_replaces_the_whole_row(table: Table, scope: Scope) -> None:
    put(table, scope, a=1, b=2)
    put(table, scope, a=3)
    assert table.get(scope, KEY) == {"a": 3}


@pytest.mark.parametrize(
    "value",
    [
        "",
        "nul\0inside",
        "日本語 العربية 👩‍👩‍👧 \u202eright to left",
        "'; DROP TABLE items; --",
        0,
        -1,
        2**53 - 1,
        1.5,
        0.1,
        True,
        False,
        None,
        [],
        {},
        [1, "1", None, [True, {"deep": [{}]}]],
        {"": {"nul\0": ["x"]}},
    ],
    ids=repr,
)
def test_a_value_comes_back_as_it_went_in(table: Table, scope: Scope, value: Json) -> None:
    put(table, scope, value=value)
    item = table.get(scope, KEY)
    assert item == {"value": value}
    assert type(item["value"]) is type(value)


def test_a_deeply_nested_value_and_a_long_one_come_back(table: Table, scope: Scope) -> None:
    nested: Json = "core"
    for _ in range(25):
        nested = [{"in": nested}]
    put(table, scope, nested=nested, long="ü" * 50_000)
    assert table.get(scope, KEY) == {"nested": nested, "long": "ü" * 50_000}


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e15, 1e15).filter(
    lambda x: x == 0 or abs(x) > 1e-100
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pk=TEXT.filter(bool), sk=TEXT.filter(bool), value=VALUES)
def test_any_key_and_any_json_value_come_back(
    table: Table, scope: Scope, pk: str, sk: str, value: Json
) -> None:
    put(table, scope, Key(pk, sk), value=value)
    assert table.get(scope, Key(pk, sk)) == {"value": value}
    assert [row.key for row in table.query(scope, Query(pk, first=sk, last=sk)).rows] == [Key(pk, sk)]


def test_a_tenant_sees_none_of_another_tenants_rows(table: Table, scope: Scope, other_scope: Scope) -> None:
    mine: dict[str, Any] = {"a": 1, "gsi1pk": "i", "gsi1sk": "1"}
    put(table, scope, **mine)
    assert table.get(other_scope, KEY) is None
    assert table.get_many(other_scope, [KEY]) == {}
    assert table.query(other_scope, Query("p")).rows == []
    assert table.query(other_scope, Query("i", index="gsi1")).rows == []
    table.transact(other_scope, [Put(KEY, {"a": 2}, Absent())])
    table.transact(other_scope, [Delete(KEY)])
    assert table.get(scope, KEY) == mine


def test_no_key_reaches_into_another_tenant(table: Table) -> None:
    put(table, Scope("a"), Key("b#p", "s"), secret=1)
    put(table, Scope("a"), Key("p", "s"), secret=1)
    assert table.get(Scope("a:b"), Key("p", "s")) is None
    assert table.get(Scope("b"), Key("../a#p", "s")) is None
    assert table.query(Scope("b"), Query("a#p")).rows == []


def test_many_rows_are_read_at_once_and_missing_ones_left_out(table: Table, scope: Scope) -> None:
    keys = [Key("p", f"{number:04d}") for number in range(450)]
    for start in range(0, 450, 90):
        table.transact(scope, [Put(key, {"n": key.sk}) for key in keys[start : start + 90]])
    found = table.get_many(scope, [*keys, Key("p", "none"), keys[0]])
    assert found == {key: {"n": key.sk} for key in keys}
    assert table.get_many(scope, []) == {}


def test_many_rows_are_deleted_and_missing_ones_left_out(
    table: Table, scope: Scope, other_scope: Scope
) -> None:
    keys = [Key("p", f"{number:04d}") for number in range(230)]
    for start in range(0, 230, 90):
        table.transact(scope, [Put(key, {"n": key.sk}) for key in keys[start : start + 90]])
    put(table, other_scope, keys[0], n="theirs")
    table.delete_many(scope, [*keys[:-1], Key("p", "none"), keys[0]])
    assert table.get_many(scope, keys) == {keys[-1]: {"n": "0229"}}
    assert table.get(other_scope, keys[0]) == {"n": "theirs"}
    table.delete_many(scope, [])


# --- conditions


@pytest.mark.parametrize(
    ("condition", "with_row", "without_row"),
    [
        (Absent(), False, True),
        (Present(), True, False),
        (Equals("n", 5), True, False),
        (Equals("n", 6), False, False),
        (Equals("n", "5"), False, False),
        (Equals("flag", True), True, False),
        (Equals("flag", 1), False, False),
        (Equals("missing", None), True, False),
        (Equals("null", None), True, False),
        (Equals("n", None), False, False),
        (AtMost("n", 5), True, False),
        (AtMost("n", 4.9), False, False),
        (AtMost("missing", 5), False, False),
        (AtMost("text", 5), False, False),
        (AnyOf((Absent(), Equals("n", 5))), True, True),
        (AnyOf((Equals("n", 1), Equals("n", 2))), False, False),
        (AllOf((Present(), AtMost("n", 9), Equals("text", "x"))), True, False),
        (AllOf((Present(), AtMost("n", 1))), False, False),
        (
            AnyOf((AllOf((Equals("n", 5), Equals("text", "y"))), AllOf((Equals("n", 5), Present())))),
            True,
            False,
        ),
    ],
    ids=repr,
)
def test_conditions_hold_of_live_rows_only(
    table: Table, scope: Scope, condition: Condition, with_row: bool, without_row: bool
) -> None:
    there, missing = Key("p", "there"), Key("p", "missing")
    put(table, scope, there, n=5, flag=True, text="x", null=None)
    assert _passes(table, scope, Check(there, condition)) is with_row
    assert _passes(table, scope, Check(missing, condition)) is without_row


def _passes(table: Table, scope: Scope, action: Check) -> bool:
    try:
        table.transact(scope, [action])
    except ConditionFailed:
        return False
    return True


def test_a_failed_condition_writes_nothing_and_tells_who_stood_there(table: Table, scope: Scope) -> None:
    put(table, scope, owner="ann")
    with pytest.raises(ConditionFailed) as failed:
        table.transact(
            scope,
            [
                Put(Key("p", "new"), {"a": 1}),
                Put(KEY, {"owner": "bob"}, Absent()),
                Delete(Key("p", "gone"), Present()),
                Update(Key("p", "counter"), add={"n": 1}),
            ],
        )
    assert failed.value.failures == {1: {"owner": "ann"}, 2: None}
    assert table.get(scope, KEY) == {"owner": "ann"}
    assert table.query(scope, Query("p")).rows[0].key == KEY
    assert len(table.query(scope, Query("p")).rows) == 1


def test_a_transaction_takes_a_hundred_actions_of_every_kind(table: Table, scope: Scope) -> None:
    put(table, scope, Key("p", "old"), a=1)
    put(table, scope, Key("p", "seen"), a=1)
    table.transact(
        scope,
        [
            Delete(Key("p", "old"), Present()),
            Delete(Key("p", "never")),
            Check(Key("p", "seen"), Equals("a", 1)),
            Update(Key("p", "counter"), add={"n": 2}),
            *(Put(Key("q", f"{number:03d}"), {"n": number}) for number in range(96)),
        ],
    )
    assert {row.key.sk for row in table.query(scope, Query("p")).rows} == {"seen", "counter"}
    assert len(table.query(scope, Query("q")).rows) == 96


# --- updates


def test_an_update_sets_adds_defaults_and_removes(table: Table, scope: Scope) -> None:
    put(table, scope, kept=1, count=2, old="x", first="a")
    after = table.update(
        scope,
        Update(
            KEY,
            set={"new": [1]},
            add={"count": 3, "fresh": 1.5},
            default={"first": "b", "made": 7},
            remove=("old", "no"),
        ),
    )
    assert after == {"kept": 1, "count": 5, "fresh": 1.5, "first": "a", "made": 7, "new": [1]}
    assert table.get(scope, KEY) == after


def test_an_update_makes_the_row_that_is_not_there(table: Table, scope: Scope) -> None:
    assert table.update(scope, Update(KEY, set={"a": 1}, add={"n": 1}, default={"d": 0})) == {
        "a": 1,
        "n": 1,
        "d": 0,
    }


def test_a_failed_update_tells_the_row_and_leaves_it(table: Table, scope: Scope) -> None:
    put(table, scope, version=2)
    with pytest.raises(ConditionFailed) as failed:
        table.update(scope, Update(KEY, set={"version": 3}, condition=Equals("version", 1)))
    assert failed.value.failures == {0: {"version": 2}}
    assert table.get(scope, KEY) == {"version": 2}
