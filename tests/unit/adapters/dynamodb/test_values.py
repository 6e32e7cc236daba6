"""JSON values keep what they are in DynamoDB's types; conditions come to what the rules say."""

import math
from decimal import Decimal
from typing import Any

import pytest
from boto3.dynamodb.types import TypeDeserializer
from hypothesis import given
from hypothesis import strategies as st

from strata.adapters.dynamodb.expressions import simplified
from strata.adapters.dynamodb.rows import item_of, read_item, read_key
from strata.adapters.dynamodb.values import plain, stored
from strata.adapters.rules.conditions import holds
from strata.domain.errors import InvalidRequest, NewerRow
from strata.domain.scope import Scope
from strata.ports.rows import Absent, AllOf, AnyOf, AtMost, Condition, Equals, Json, Key, Present

HALVES = st.sampled_from(["\ud800", "x\udfff"])
TEXT = st.text(max_size=10) | HALVES
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_value_comes_back_as_what_it_was(value: Json) -> None:
    back = plain(stored(value))
    assert back == value
    assert _types(back) == _types(value)


def _types(value: Json) -> Any:
    if isinstance(value, list):
        return [_types(each) for each in value]
    if isinstance(value, dict):
        return {name: _types(each) for name, each in value.items()}
    return type(value)


@pytest.mark.parametrize(
    "value",
    [
        10**38,
        -(10**200),
        1e300,
        5e-324,
        2**53 + 1,
        0.1 + 0.2,
        1e22,
        "half \ud800 pair",
        {"": 1},
        {"\ud800": 1},
    ],
    ids=repr,
)
def test_what_dynamodb_has_no_room_for_comes_back_too(value: Json) -> None:
    assert plain(stored(value)) == value
    assert type(plain(stored(value))) is type(value)


@pytest.mark.parametrize("depth", [1, 15, 16, 17, 33, 200])
def test_nesting_stays_within_what_dynamodb_takes(depth: int) -> None:
    nested: Json = "core"
    for _ in range(depth):
        nested = [{"in": nested}]
    assert plain(stored(nested)) == nested
    assert _levels(stored(nested)) <= 32


def _levels(value: dict[str, Any]) -> int:
    ((kind, content),) = value.items()
    if kind == "L":
        return 1 + max(map(_levels, content), default=0)
    if kind == "M":
        return 1 + max(map(_levels, content.values()), default=0)
    return 0


@given(st.integers(-(10**37), 10**37) | st.floats(-1e100, 1e100).filter(lambda x: x == 0 or abs(x) > 1e-100))
def test_numbers_are_numbers_to_other_readers_of_the_table(value: float) -> None:
    assert TypeDeserializer().deserialize(stored(value)) == Decimal(repr(value))


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, {1, 2}, b"x", [Decimal(1)], {1: {2: math.nan}}]
)
def test_what_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(InvalidRequest):
        stored(value)


@given(
    st.dictionaries(
        st.sampled_from(["pk", "sk", "_pk", "__sk", "schema", "_schema", "gsi1pk", "gsi2pk", "a"])
        | st.text(),
        TEXT,
        max_size=5,
    )
)
def test_attributes_with_the_names_of_keys_come_back(item: dict[str, str]) -> None:
    row = item_of(Scope("acme"), Key("p", "s"), item)
    assert (read_key(row), read_item(row)) == (Key("p", "s"), item)


def test_every_row_has_its_schema_and_one_without_is_of_the_first_version() -> None:
    row = item_of(Scope("acme"), Key("p", "s"), {"a": 1})
    assert row.pop("schema") == {"N": "1"}
    assert read_item(row) == {"a": 1}


@pytest.mark.parametrize("schema", [{"N": "2"}, {"S": "1"}, {"NULL": True}], ids=str)
def test_a_row_of_an_unknown_schema_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(NewerRow):
        read_item(item_of(Scope("acme"), Key("p", "s"), {"a": 1}) | {"schema": schema})


def test_the_tenant_stands_before_every_partition() -> None:
    row = item_of(Scope("acme"), Key("p", "s"), {"gsi1pk": "i", "gsi1sk": "1", "gsi2pk": "j"})
    assert {name: row[name]["S"] for name in ("pk", "gsi1pk", "gsi2pk", "gsi1sk")} == {
        "pk": "acme#p",
        "gsi1pk": "acme#i",
        "gsi2pk": "acme#j",
        "gsi1sk": "1",
    }


NAMES = st.sampled_from(["a", "b"])
CONDITIONS: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([Absent(), Present()])
    | st.builds(Equals, NAMES, st.sampled_from([None, 1, "1", True]))
    | st.builds(AtMost, NAMES, st.integers(0, 2)),
    lambda inner: (
        (st.builds(AnyOf, st.lists(inner, max_size=3).map(tuple)))
        | st.builds(AllOf, st.lists(inner, max_size=3).map(tuple))
    ),
    max_leaves=6,
)
ITEMS = st.dictionaries(NAMES, st.sampled_from([None, 0, 1, 2, "1", True]), max_size=2)


@given(CONDITIONS, ITEMS)
def test_what_is_left_of_a_condition_decides_as_the_whole_would(
    condition: Condition, item: dict[str, Json]
) -> None:
    left = simplified(condition)
    outcome = left if isinstance(left, bool) else holds(left, item)
    assert outcome == holds(condition, item)
