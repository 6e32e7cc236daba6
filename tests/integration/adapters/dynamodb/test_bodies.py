"""Large rows of the DynamoDB adapter: which bodies there are, and what a failure leaves."""

import re
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from servers.tables import dynamodb_client
from strata.adapters.bodies.folder import FolderBodies
from strata.adapters.clock import SystemClock
from strata.adapters.dynamodb.table import DynamoTable
from strata.adapters.rules.conditions import holds, updated
from strata.domain.errors import TooLarge, Unavailable
from strata.domain.scope import Scope
from strata.ports.bodies import Bodies
from strata.ports.rows import Absent, Action, Condition, Delete, Equals, Item, Key, Present, Put, Update
from strata.ports.table import ConditionFailed, Query

SCOPE = Scope("acme")
KEY = Key("p", "s")
BIG = "x" * 400_000

Client = Any


class Counting:
    """A client that counts what is sent through it, and does something first where it is told to."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.sent: list[str] = []
        self.first: dict[str, Callable[[], object]] = {}

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        if operation.startswith("_"):
            raise AttributeError(operation)

        def call(**arguments: Any) -> Any:
            self.sent.append(operation)
            self.first.get(operation, int)()
            return getattr(self._client, operation)(**arguments)

        return call


@pytest.fixture
def client(dynamodb_local: str) -> Counting:
    return Counting(dynamodb_client(dynamodb_local))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bodies"


@pytest.fixture
def table(client: Counting, dynamodb_table: str, folder: Path) -> DynamoTable:
    return DynamoTable(client, dynamodb_table, SystemClock(), patience=60, bodies=FolderBodies(folder))


def kept(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def named(client: Client, table: str) -> set[str]:
    """The bodies that the stored rows name."""
    rows = client.scan(TableName=table, ConsistentRead=True)["Items"]
    return {name for row in rows for name in row.get("bodies", {"SS": []})["SS"]}


# --- no body without a row, no row without its bodies


NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.sampled_from([0, 1, "short", "y" * 200_000, "z" * 400_000])
ITEMS = st.dictionaries(NAMES, VALUES, max_size=3)
KEYS = st.sampled_from(["s", "t"])
CONDITIONS: st.SearchStrategy[Condition | None] = st.none() | st.sampled_from(
    [Absent(), Present(), Equals("a", 1), Equals("b", None)]
)
EXPIRED = st.sampled_from([{}, {}, {"expires_at": 1}])


@st.composite
def updates(draw: st.DrawFn, key: Key) -> Update:
    names = ["a", "b", "c"]
    how = {name: draw(st.sampled_from(["set", "default", "remove", "no"])) for name in names}
    return Update(
        key,
        set={name: draw(VALUES) for name in names if how[name] == "set"},
        default={name: draw(VALUES) for name in names if how[name] == "default"},
        remove=tuple(name for name in names if how[name] == "remove"),
        condition=draw(CONDITIONS),
    )


@st.composite
def writes(draw: st.DrawFn, partition: str = "p") -> list[Action]:
    """One action, or two of a transaction."""
    made: list[Action] = []
    for sk in sorted(draw(st.sets(KEYS, min_size=1))):
        key = Key(partition, sk)
        match draw(st.sampled_from(["put", "update", "update", "delete"])):
            case "put":
                made.append(Put(key, draw(ITEMS) | draw(EXPIRED), draw(CONDITIONS)))
            case "update":
                made.append(draw(updates(key)))
            case _:
                made.append(Delete(key, draw(CONDITIONS)))
    return made


def wanted(rows: dict[Key, Item], actions: Sequence[Action]) -> dict[Key, Item] | None:
    """The live rows after the actions; None when a condition fails."""
    after = dict(rows)
    for action in actions:
        before = rows.get(action.key)
        condition: Condition | None = action.condition
        if condition is not None and not holds(condition, before):
            return None
        match action:
            case Put(key, item):
                after[key] = item
            case Update(key):
                after[key] = updated(action, before)
            case _:
                after.pop(action.key, None)
    return {key: item for key, item in after.items() if "expires_at" not in item}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(writes(), min_size=1, max_size=6))
def test_after_any_writes_every_body_is_of_a_row_and_every_row_is_whole(
    table: DynamoTable, client: Counting, dynamodb_table: str, folder: Path, history: list[list[Action]]
) -> None:
    table.transact(SCOPE, [Delete(Key("p", "s")), Delete(Key("p", "t"))])
    rows: dict[Key, Item] = {}
    for actions in history:
        after = wanted(rows, actions)
        if after is None:
            with pytest.raises(ConditionFailed) as failed:
                table.transact(SCOPE, actions)
            for place, standing in failed.value.failures.items():
                assert standing == rows.get(actions[place].key)
        else:
            table.transact(SCOPE, actions)
            rows = after
        assert {row.key: row.item for row in table.query(SCOPE, Query("p")).rows} == rows
        assert kept(folder) == named(client, dynamodb_table)
    table.transact(SCOPE, [Delete(Key("p", "s")), Delete(Key("p", "t"))])
    assert kept(folder) == set()


# --- what it costs


def test_rows_without_bodies_take_one_request_each_way(
    table: DynamoTable, client: Counting, folder: Path
) -> None:
    table.transact(SCOPE, [Put(KEY, {"a": 1})])
    table.update(SCOPE, Update(KEY, set={"a": 2}, remove=("b",)))
    table.transact(SCOPE, [Put(KEY, {"a": 3}), Update(Key("p", "t"), set={"a": 1})])
    table.get(SCOPE, KEY)
    table.get_many(SCOPE, [KEY])
    table.query(SCOPE, Query("p"))
    table.transact(SCOPE, [Delete(KEY)])
    assert client.sent == [
        "put_item",
        "update_item",
        "transact_write_items",
        "get_item",
        "batch_get_item",
        "query",
        "delete_item",
    ]
    assert not folder.exists()


def test_a_small_update_of_a_large_row_takes_one_request(table: DynamoTable, client: Counting) -> None:
    table.transact(SCOPE, [Put(KEY, {"n": 1, "text": BIG})])
    client.sent.clear()
    assert table.update(SCOPE, Update(KEY, set={"n": 2})) == {"n": 2, "text": BIG}
    assert client.sent == ["update_item"]


def test_without_a_place_for_bodies_a_large_row_is_refused_unsent(
    client: Counting, dynamodb_table: str
) -> None:
    table = DynamoTable(client, dynamodb_table, SystemClock())
    for action in (Put(KEY, {"text": BIG + BIG}), Update(KEY, set={"text": BIG + BIG})):
        with pytest.raises(TooLarge):
            table.transact(SCOPE, [action])
    assert client.sent == []


# --- failures


def test_the_bodies_are_there_before_the_row_and_stay_when_nobody_knows(
    table: DynamoTable, client: Counting, folder: Path
) -> None:
    there: list[int] = []

    def lose_the_answer() -> None:
        there.append(len(kept(folder)))
        raise ReadTimeoutError(endpoint_url="http://table")

    client.first["put_item"] = lose_the_answer
    with pytest.raises(Unavailable):
        table.transact(SCOPE, [Put(KEY, {"text": BIG})])
    assert there == [1], "sent once: a repeated put could bring back the name of an erased body"
    assert len(kept(folder)) == 1


def test_a_refused_write_leaves_no_body(table: DynamoTable, folder: Path) -> None:
    table.transact(SCOPE, [Put(KEY, {"text": BIG})])
    before = kept(folder)
    with pytest.raises(ConditionFailed):
        table.transact(SCOPE, [Put(KEY, {"text": BIG}, Absent())])
    with pytest.raises(TooLarge):
        table.update(SCOPE, Update(KEY, set={f"a{n}": "x" * 1000 for n in range(500)}))
    assert kept(folder) == before


class Leaky(FolderBodies):
    """Bodies that can't be erased."""

    def delete_many(self, scope: Scope, names: Sequence[str]) -> None:
        raise Unavailable("no")


def test_a_body_that_cannot_be_erased_is_named_in_the_log(
    client: Counting, dynamodb_table: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = DynamoTable(client, dynamodb_table, SystemClock(), bodies=Leaky(folder))
    table.transact(SCOPE, [Put(KEY, {"text": BIG})])
    (name,) = kept(folder)
    table.transact(SCOPE, [Put(KEY, {"n": 1})])
    assert table.get(SCOPE, KEY) == {"n": 1}
    assert name in caplog.text


# --- others write meanwhile


class Interrupting(FolderBodies):
    """Bodies that are read only after something else has happened, once."""

    meanwhile: Callable[[], object] | None = None

    def get_many(self, scope: Scope, names: Sequence[str]) -> dict[str, bytes]:
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        return super().get_many(scope, names)


@pytest.fixture
def torn(client: Counting, dynamodb_table: str, folder: Path, table: DynamoTable) -> Any:
    """A table and how to have a write of another happen between a row and its bodies."""
    bodies = Interrupting(folder)
    reading = DynamoTable(client, dynamodb_table, SystemClock(), patience=60, bodies=bodies)

    def during(action: Action) -> DynamoTable:
        bodies.meanwhile = lambda: table.transact(SCOPE, [action])
        return reading

    return during


def test_a_row_that_changes_while_its_bodies_are_read_is_read_again(table: DynamoTable, torn: Any) -> None:
    table.transact(SCOPE, [Put(KEY, {"text": BIG, "gsi1pk": "i", "gsi1sk": "1"})])
    other = {"text": "y" * 400_000, "gsi1pk": "i", "gsi1sk": "1"}
    assert torn(Put(KEY, other)).get(SCOPE, KEY) == other
    small = other | {"text": "small"}
    assert torn(Put(KEY, small)).query(SCOPE, Query("i", index="gsi1")).rows[0].item == small
    table.transact(SCOPE, [Put(KEY, other)])
    assert torn(Delete(KEY)).get_many(SCOPE, [KEY]) == {}


def test_a_body_that_is_gone_for_good_is_told(table: DynamoTable, folder: Path) -> None:
    table.transact(SCOPE, [Put(KEY, {"text": BIG})])
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()
    with pytest.raises(Unavailable, match="missing"):
        table.get(SCOPE, KEY)


def test_writers_of_one_large_row_leave_the_last_ones_bodies_alone(
    client: Counting, dynamodb_table: str, folder: Path
) -> None:

    bodies: Bodies = FolderBodies(folder)

    def write(number: int) -> None:
        table = DynamoTable(client, dynamodb_table, SystemClock(), patience=60, bodies=bodies)
        key = Key("p", "s")
        match number % 3:
            case 0:
                table.transact(SCOPE, [Put(key, {"a": f"{number}" * 200_000, "n": number})])
            case 1:
                with suppress(Unavailable):  # another writer deletes the row before it is read again
                    table.update(SCOPE, Update(key, set={"a": f"{number}" * 200_000}))
            case _:
                table.transact(SCOPE, [Delete(key), Put(Key("p", uuid.uuid4().hex), {})])

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(write, range(24)))
    assert kept(folder) == named(client, dynamodb_table)
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in kept(folder))
