"""The DynamoDB adapter against DynamoDB Local: what the contract of tables does not say of it."""

import socket
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from servers.tables import dynamodb_client
from strata.adapters.clock import SystemClock
from strata.adapters.dynamodb.census import DynamoCensus
from strata.adapters.dynamodb.client import make_client
from strata.adapters.dynamodb.table import DynamoTable
from strata.adapters.rules.conditions import holds
from strata.adapters.rules.cursors import encode_cursor
from strata.domain.errors import InvalidRequest, Unavailable
from strata.domain.scope import Scope
from strata.local.template.dynamodb import create_table
from strata.ports.rows import (
    Absent,
    AllOf,
    AnyOf,
    AtMost,
    Check,
    Condition,
    Equals,
    Json,
    Key,
    Present,
    Put,
    Update,
)
from strata.ports.table import ConditionFailed, Query, Row

SCOPE = Scope("acme")
KEY = Key("p", "s")


@pytest.fixture
def table(dynamodb_local: str, dynamodb_table: str) -> DynamoTable:
    return DynamoTable(dynamodb_client(dynamodb_local), dynamodb_table, SystemClock(), patience=60)


# --- the schema


def test_the_table_is_the_one_of_the_template(dynamodb_local: str, dynamodb_table: str) -> None:
    client = dynamodb_client(dynamodb_local)
    create_table(client, dynamodb_table)  # a second time does nothing
    made = client.describe_table(TableName=dynamodb_table)["Table"]
    assert {index["IndexName"] for index in made["GlobalSecondaryIndexes"]} >= {"gsi1", "gsi2"}
    assert made["StreamSpecification"]["StreamEnabled"]
    ttl = client.describe_time_to_live(TableName=dynamodb_table)["TimeToLiveDescription"]
    assert (ttl["AttributeName"], ttl["TimeToLiveStatus"]) == ("expires_at", "ENABLED")


# --- values that the engine itself would refuse


@pytest.mark.parametrize(
    "value",
    [10**40, 1e300, 5e-324, -0.5, "half \ud800 pair", {"": {"": 1}}, {"pk": 1}, [[[[]]]] * 3],
    ids=repr,
)
def test_every_json_value_is_kept(table: DynamoTable, value: Json) -> None:
    table.transact(SCOPE, [Put(KEY, {"value": value})])
    assert table.get(SCOPE, KEY) == {"value": value}


def test_attributes_may_have_the_names_of_the_key(table: DynamoTable) -> None:
    table.transact(SCOPE, [Put(KEY, {"pk": 1, "sk": "x", "_pk": 2})])
    assert table.update(SCOPE, Update(KEY, set={"sk": "y"}, condition=Equals("pk", 1))) == {
        "pk": 1,
        "sk": "y",
        "_pk": 2,
    }
    assert table.query(SCOPE, Query("p", where=Equals("sk", "y"))).rows[0].key == KEY


# --- conditions


NAMES = st.sampled_from(["a", "b"])
VALUES = st.sampled_from([None, 0, 1, 2, "1", True])
CONDITIONS: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([Absent(), Present()])
    | st.builds(Equals, NAMES, VALUES)
    | st.builds(AtMost, NAMES, st.integers(0, 2)),
    lambda inner: (
        st.builds(AnyOf, st.lists(inner, min_size=1, max_size=3).map(tuple))
        | st.builds(AllOf, st.lists(inner, min_size=1, max_size=3).map(tuple))
    ),
    max_leaves=6,
)
ITEMS = st.none() | st.dictionaries(NAMES, VALUES, max_size=2)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(condition=CONDITIONS, item=ITEMS, expired=st.booleans())
def test_the_engine_decides_every_condition_as_the_rule_does(
    table: DynamoTable, condition: Condition, item: dict[str, Json] | None, expired: bool
) -> None:
    key = Key(uuid.uuid4().hex, "s")
    if item is not None:
        table.transact(SCOPE, [Put(key, item | ({"expires_at": 1} if expired else {}))])
    live = None if expired else item
    expected = holds(condition, live)
    assert _passes(lambda: table.transact(SCOPE, [Check(key, condition)])) is expected
    if live is not None:
        assert bool(table.query(SCOPE, Query(key.pk, where=condition)).rows) is expected
    assert _passes(lambda: table.update(SCOPE, Update(key, add={"n": 1}, condition=condition))) is expected
    after = (live or {}) | {"n": 1} if expected else live
    assert table.get(SCOPE, key) == after


def _passes(call: Callable[[], object]) -> bool:
    try:
        call()
    except ConditionFailed:
        return False
    return True


def test_an_expired_row_is_written_anew_in_the_middle_of_a_transaction(table: DynamoTable) -> None:
    old = {"n": 5, "note": "old", "expires_at": 1, "gsi1pk": "i", "gsi1sk": "1"}
    table.transact(SCOPE, [Put(KEY, old)])
    counted = Update(KEY, add={"n": 1}, default={"made": True}, condition=AnyOf((Absent(), Equals("n", 5))))
    table.transact(SCOPE, [Put(Key("p", "t"), {}), counted, Check(Key("p", "u"), Absent())])
    assert table.get(SCOPE, KEY) == {"n": 1, "made": True}
    assert table.query(SCOPE, Query("i", index="gsi1")).rows == []


# --- pages


def test_a_page_is_filled_across_more_than_the_megabyte_that_one_answer_holds(table: DynamoTable) -> None:
    for start in range(0, 20, 5):
        table.transact(
            SCOPE, [Put(Key("p", f"{n:02d}"), {"text": "x" * 200_000}) for n in range(start, start + 5)]
        )
    page = table.query(SCOPE, Query("p", limit=15))
    assert [row.key.sk for row in page.rows] == [f"{n:02d}" for n in range(15)]
    rest = table.query(SCOPE, Query("p", limit=15, cursor=page.cursor))
    assert ([row.key.sk for row in rest.rows], rest.cursor) == ([f"{n:02d}" for n in range(15, 20)], None)


def test_prefix_and_bounds_cut_together(table: DynamoTable) -> None:
    keys = ["a", "b", "b1", "b2", "b\U0010ffff\U0010ffff", "c"]
    table.transact(SCOPE, [Put(Key("p", sk), {}) for sk in keys])

    def found(**bounds: str) -> list[str]:
        return [row.key.sk for row in table.query(SCOPE, Query("p", **bounds)).rows]  # type: ignore[arg-type]

    assert found(prefix="b", first="b1") == ["b1", "b2", "b\U0010ffff\U0010ffff"]
    assert found(prefix="b", last="b1") == ["b", "b1"]
    assert found(prefix="b", first="a", last="c") == ["b", "b1", "b2", "b\U0010ffff\U0010ffff"]
    assert found(prefix="b", first="c") == found(last="") == []


@pytest.mark.parametrize(
    "place", [("",), ("z" * 2000,), ("a", "b", "c")], ids=["empty", "long", "of an index"]
)
def test_a_forged_cursor_is_refused(table: DynamoTable, place: tuple[str, ...]) -> None:
    query = Query("p", first="a", last="b")
    with pytest.raises(InvalidRequest):
        table.query(SCOPE, replace(query, cursor=encode_cursor(SCOPE, query, place)))


def test_a_forged_cursor_of_an_index_stays_inside_the_tenant(table: DynamoTable) -> None:
    other = Scope("other")
    for scope in (SCOPE, other):
        table.transact(scope, [Put(KEY, {"of": scope.tenant, "gsi1pk": "i", "gsi1sk": "1"})])
    query = Query("i", index="gsi1")
    forged = replace(query, cursor=encode_cursor(SCOPE, query, ("0", "../other#p", "s")))
    assert [row.item["of"] for row in _rows(table, forged)] == ["acme"]


def _rows(table: DynamoTable, query: Query) -> list[Row]:
    return table.query(SCOPE, query).rows


# --- the operator's view


def test_the_census_counts_and_lists_every_tenants_rows(
    table: DynamoTable, dynamodb_local: str, dynamodb_table: str
) -> None:
    for tenant in ("one", "two"):
        actions = [Put(Key(f"p{n % 3}", f"OBS#{n:03d}"), {"text": "x" * 20_000}) for n in range(40)]
        table.transact(Scope(tenant), [*actions, Put(Key("p", "SESSION"), {})])
    census = DynamoCensus(dynamodb_client(dynamodb_local), dynamodb_table)
    assert census.tenants() == ["one", "two"]
    assert census.count("OBS#") == 80
    listed = list(census.keys("OBS#"))
    expected = {(t, f"p{n % 3}", f"OBS#{n:03d}") for t in ("one", "two") for n in range(40)}
    assert len(listed) == 80
    assert {(scope.tenant, key.pk, key.sk) for scope, key in listed} == expected


# --- nobody there


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and never answers."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        taken: list[socket.socket] = []

        def take() -> None:
            try:
                while True:
                    taken.append(listening.accept()[0])
            except OSError:
                return

        threading.Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        for connection in taken:
            connection.close()


def test_a_store_that_hangs_or_is_down_is_unavailable(silent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "anything")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
    with closing(socket.create_server(("127.0.0.1", 0))) as gone:
        down = f"http://127.0.0.1:{gone.getsockname()[1]}"
    for endpoint in (silent, down):
        with closing(make_client(endpoint=endpoint, region="eu-west-1", read_timeout=0.2)) as client:
            table = DynamoTable(client, "rows", SystemClock())
            with pytest.raises(Unavailable):
                table.get(SCOPE, KEY)
            with pytest.raises(Unavailable):
                table.update(SCOPE, Update(KEY, add={"n": 1}))
