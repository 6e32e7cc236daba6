"""The promises of every adapter of the port `Table` about partitions, indexes and pages."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.ports.rows import AtMost, Delete, Equals, Key, Put, Update
from strata.ports.table import Query, Row, Table


def fill(table: Table, scope: Scope, pk: str, sort_keys: list[str]) -> None:
    for start in range(0, len(sort_keys), 90):
        table.transact(scope, [Put(Key(pk, sk), {"sk": sk}) for sk in sort_keys[start : start + 90]])


def every(table: Table, scope: Scope, query: Query) -> list[Row]:
    """All pages of a query."""
    rows: list[Row] = []
    while True:
        page = table.query(scope, query)
        assert len(page.rows) <= query.limit
        rows += page.rows
        if page.cursor is None:
            return rows
        query = replace(query, cursor=page.cursor)


def found(table: Table, scope: Scope, query: Query) -> list[str]:
    return [row.key.sk for row in every(table, scope, query)]


def test_rows_stand_in_the_order_of_their_sort_key(table: Table, scope: Scope) -> None:
    sort_keys = ["b", "a", "B", "a\0", "é", "10", "9", "日", "\U0001f600", "\uffee"]
    fill(table, scope, "p", sort_keys)
    fill(table, scope, "p2", ["other"])
    in_order = sorted(sort_keys, key=str.encode)
    assert found(table, scope, Query("p")) == in_order
    assert found(table, scope, Query("p", newest_first=True)) == in_order[::-1]


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"first": "b"}, ["b", "ba", "bb", "c"]),
        ({"last": "b"}, ["a", "b"]),
        ({"first": "b", "last": "bb"}, ["b", "ba", "bb"]),
        ({"prefix": "b"}, ["b", "ba", "bb"]),
        ({"prefix": "x"}, []),
        ({"prefix": ""}, ["a", "b", "ba", "bb", "c"]),
        ({"first": "bb", "last": "b"}, []),
    ],
    ids=repr,
)
def test_bounds_and_prefix_cut_the_partition(
    table: Table, scope: Scope, bounds: dict[str, Any], expected: list[str]
) -> None:
    fill(table, scope, "p", ["a", "b", "ba", "bb", "c"])
    assert found(table, scope, Query("p", **bounds)) == expected
    assert found(table, scope, Query("p", newest_first=True, **bounds)) == expected[::-1]


SORT_KEYS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(keys=st.sets(SORT_KEYS, min_size=1, max_size=12), prefix=SORT_KEYS)
def test_a_prefix_finds_what_begins_with_it(table: Table, scope: Scope, keys: set[str], prefix: str) -> None:
    pk = "|".join(sorted(keys)) + "||" + prefix
    fill(table, scope, pk, sorted(keys))
    expected = sorted((key for key in keys if key.startswith(prefix)), key=str.encode)
    assert found(table, scope, Query(pk, prefix=prefix)) == expected


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("limit", [1, 7, 50, 100])
def test_pages_reach_the_end_without_gap_or_repeat(
    table: Table, scope: Scope, limit: int, newest_first: bool
) -> None:
    sort_keys = [f"{number:03d}" for number in range(50)]
    fill(table, scope, "p", sort_keys)
    expected = sort_keys[::-1] if newest_first else sort_keys
    assert found(table, scope, Query("p", limit=limit, newest_first=newest_first)) == expected


def test_a_listing_goes_on_where_it_was_although_rows_come_and_go(table: Table, scope: Scope) -> None:
    fill(table, scope, "p", ["b", "d", "f", "h"])
    page = table.query(scope, Query("p", limit=2))
    table.transact(scope, [Put(Key("p", "a"), {}), Delete(Key("p", "d")), Put(Key("p", "e"), {})])
    assert found(table, scope, Query("p", cursor=page.cursor)) == ["e", "f", "h"]


def test_the_limit_counts_rows_that_passed_the_filter(table: Table, scope: Scope) -> None:
    for start in range(0, 300, 100):
        table.transact(
            scope,
            [Put(Key("p", f"{n:03d}"), {"n": n, "even": n % 2 == 0}) for n in range(start, start + 100)],
        )
    query = Query("p", where=Equals("even", True), limit=40)
    first = table.query(scope, query)
    assert [row.item["n"] for row in first.rows] == list(range(0, 80, 2))
    assert [row.item["n"] for row in every(table, scope, query)] == list(range(0, 300, 2))
    rare = Query("p", where=AtMost("n", 0), newest_first=True, limit=1)
    assert [row.item["n"] for row in every(table, scope, rare)] == [0]


def test_an_index_is_sparse_and_in_its_own_order(table: Table, scope: Scope) -> None:
    places = {"x": ("i", "3"), "y": ("i", "1"), "z": ("j", "2"), "w": ("i", "2")}
    for sk, (pk, place) in places.items():
        table.transact(
            scope, [Put(Key(f"p-{sk}", sk), {"gsi1pk": pk, "gsi1sk": place, "gsi2pk": "all", "gsi2sk": sk})]
        )
    table.transact(scope, [Put(Key("p", "plain"), {}), Put(Key("p", "half"), {"gsi1pk": "i"})])
    assert found(table, scope, Query("i", index="gsi1")) == ["y", "w", "x"]
    assert found(table, scope, Query("i", index="gsi1", newest_first=True)) == ["x", "w", "y"]
    assert found(table, scope, Query("i", index="gsi1", first="2")) == ["w", "x"]
    assert found(table, scope, Query("all", index="gsi2", limit=1)) == ["w", "x", "y", "z"]


def test_the_third_index_knows_keys_only(table: Table, scope: Scope) -> None:
    for sk in ("b", "a"):
        table.transact(scope, [Put(Key("p", sk), {"gsi3pk": "USER#ann", "gsi3sk": sk, "said": "hello"})])
    table.transact(scope, [Put(Key("p", "c"), {"gsi3pk": "USER#bob", "gsi3sk": "c"})])
    rows = every(table, scope, Query("USER#ann", index="gsi3", limit=1))
    assert [(row.key, row.item) for row in rows] == [(Key("p", "a"), {}), (Key("p", "b"), {})]


def test_a_query_for_keys_reads_no_items(table: Table, scope: Scope) -> None:
    for sk in ("b", "a"):
        table.transact(scope, [Put(Key("p", sk), {"gsi1pk": "i", "gsi1sk": sk, "said": "hello"})])
    for query in (Query("p", limit=1, keys_only=True), Query("i", index="gsi1", limit=1, keys_only=True)):
        rows = every(table, scope, query)
        assert [(row.key, row.item) for row in rows] == [(Key("p", "a"), {}), (Key("p", "b"), {})]


def test_rows_that_share_a_place_in_an_index_are_all_paged(table: Table, scope: Scope) -> None:
    keys = {Key(f"p{number % 5}", f"{number:02d}") for number in range(30)}
    table.transact(scope, [Put(key, {"gsi1pk": "i", "gsi1sk": "same"}) for key in keys])
    for newest_first in (False, True):
        rows = every(table, scope, Query("i", index="gsi1", limit=7, newest_first=newest_first))
        assert len(rows) == 30
        assert {row.key for row in rows} == keys


def test_an_index_follows_the_row(table: Table, scope: Scope) -> None:
    key = Key("p", "s")
    table.transact(scope, [Put(key, {"gsi1pk": "i", "gsi1sk": "1"})])
    table.update(scope, Update(key, set={"gsi1pk": "j"}))
    assert found(table, scope, Query("i", index="gsi1")) == []
    assert found(table, scope, Query("j", index="gsi1")) == ["s"]
    table.update(scope, Update(key, remove=("gsi1pk", "gsi1sk")))
    assert found(table, scope, Query("j", index="gsi1")) == []


@pytest.mark.parametrize("cursor", ["", "nonsense", "!", "WzFd", "W10", "ü", "\0"])
def test_a_bad_cursor_is_refused_by_name(table: Table, scope: Scope, cursor: str) -> None:
    fill(table, scope, "p", ["a"])
    with pytest.raises(InvalidRequest) as refused:
        table.query(scope, Query("p", cursor=cursor))
    assert [problem.field for problem in refused.value.details] == ["cursor"]


def test_a_cursor_belongs_to_its_query(table: Table, scope: Scope, other_scope: Scope) -> None:
    fill(table, scope, "p", ["a", "b"])
    cursor = table.query(scope, Query("p", limit=1)).cursor
    for asked, other in [
        (other_scope, Query("p")),
        (scope, Query("q")),
        (scope, Query("p", newest_first=True)),
    ]:
        with pytest.raises(InvalidRequest):
            table.query(asked, replace(other, cursor=cursor))


def test_who_will_not_go_on_gets_the_same_rows_and_no_cursor(table: Table, scope: Scope) -> None:
    fill(table, scope, "p", [f"k{number}" for number in range(5)])
    query = Query("p", limit=2, newest_first=True)
    page = table.query(scope, query)
    last = table.query(scope, replace(query, resumable=False))
    assert page.cursor is not None
    assert last.cursor is None
    assert last.rows == page.rows
