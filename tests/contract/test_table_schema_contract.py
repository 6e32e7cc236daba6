"""Every row says which shape it has; services don't see it, and what a newer version wrote is refused."""

from collections.abc import Callable

import pytest

from strata.adapters.rules import schema
from strata.domain.errors import NewerRow
from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, Check, Delete, Equals, Item, Key, Present, Put, Update
from strata.ports.table import ConditionFailed, Query, Table

KEY, OTHER = Key("p", "s"), Key("p", "t")
PLACES: Item = {"gsi1pk": "i", "gsi1sk": "1", "gsi3pk": "o", "gsi3sk": "k"}

Writing = Callable[[Action], None]


@pytest.fixture
def newer(table: Table, scope: Scope, monkeypatch: pytest.MonkeyPatch) -> Writing:
    """Writes as the next version of Strata will."""

    def write(action: Action) -> None:
        with monkeypatch.context() as upgraded:
            upgraded.setattr(schema, "SCHEMA", schema.SCHEMA + 1)
            table.transact(scope, [action])

    return write


WRITES = [
    Put(KEY, {"a": 1} | PLACES),
    Update(KEY, set={"a": 1} | PLACES),
    Update(KEY, default={"a": 1} | PLACES),
]


@pytest.mark.parametrize("write", WRITES, ids=["put", "set", "default"])
def test_a_row_of_a_newer_version_is_refused_wherever_its_item_is_read(
    table: Table, scope: Scope, newer: Writing, write: Action
) -> None:
    newer(write)
    table.transact(scope, [Put(OTHER, {"b": 2})])
    with pytest.raises(NewerRow, match=r"schema 2.*knows 1.*upgrade"):
        table.get(scope, KEY)
    with pytest.raises(NewerRow):
        table.get_many(scope, [OTHER, KEY])
    for query in (Query("p"), Query("i", index="gsi1"), Query("p", where=Equals("a", 9))):
        with pytest.raises(NewerRow):
            table.query(scope, query)
    assert table.get(scope, OTHER) == {"b": 2}
    # what is known by its key alone can still be found, and so erased
    assert [row.key for row in table.query(scope, Query("o", index="gsi3")).rows] == [KEY]


@pytest.mark.parametrize(
    "action",
    [
        Update(KEY, set={"a": 2}),
        Update(KEY, add={"a": 1}),
        Update(KEY, set={"a": 2}, condition=Present()),
        Update(KEY, set={"a": 2}, condition=Absent()),
        Put(KEY, {"a": 2}, Equals("a", 1)),
        Put(KEY, {"a": 2}, Absent()),
        Delete(KEY, Equals("a", 1)),
        Check(KEY, Equals("a", 1)),
        Check(KEY, Equals("c", None)),
    ],
    ids=repr,
)
def test_no_condition_is_judged_and_no_update_made_by_a_row_of_a_newer_version(
    table: Table, scope: Scope, newer: Writing, action: Action
) -> None:
    newer(Put(KEY, {"a": 1}))
    for actions in ([action], [action, Put(OTHER, {"b": 2})]):
        with pytest.raises(NewerRow):
            table.transact(scope, actions)
    assert table.get(scope, OTHER) is None


@pytest.mark.parametrize("action", [Put(KEY, {"a": 2}), Delete(KEY)], ids=["put", "delete"])
def test_a_row_of_a_newer_version_can_be_replaced_and_deleted(
    table: Table, scope: Scope, newer: Writing, action: Action
) -> None:
    newer(Put(KEY, {"a": 1}))
    table.transact(scope, [action])
    assert table.get(scope, KEY) == ({"a": 2} if isinstance(action, Put) else None)


@pytest.mark.parametrize(
    "action",
    [Put(KEY, {"a": 2}, Absent()), Update(KEY, set={"a": 2}), Update(KEY, set={"a": 2}, condition=Absent())],
    ids=repr,
)
def test_one_that_is_past_its_time_is_absent_like_any_other(
    table: Table, scope: Scope, newer: Writing, action: Action
) -> None:
    newer(Put(KEY, {"a": 1, "expires_at": 1}))
    assert table.get(scope, KEY) is None
    with pytest.raises(ConditionFailed) as failed:
        table.transact(scope, [Check(KEY, Present()), Put(OTHER, {})])
    assert failed.value.failures == {0: None}
    table.transact(scope, [action])
    assert table.get(scope, KEY) == {"a": 2}


def test_an_updated_row_is_of_the_version_that_updated_it(table: Table, scope: Scope, newer: Writing) -> None:
    table.transact(scope, [Put(KEY, {"a": 1})])
    newer(Update(KEY, add={"a": 1}))
    with pytest.raises(NewerRow):
        table.get(scope, KEY)


@pytest.mark.parametrize("name", ["schema", "_schema", "__schema", "schema_", "my_schema"])
def test_an_item_may_have_attributes_of_that_name(table: Table, scope: Scope, name: str) -> None:
    table.transact(scope, [Put(KEY, {name: 7})])
    assert table.get(scope, KEY) == {name: 7}
    assert table.update(scope, Update(KEY, add={name: 1}, condition=Equals(name, 7))) == {name: 8}
    assert [row.item for row in table.query(scope, Query("p", where=Equals(name, 8))).rows] == [{name: 8}]
    table.update(scope, Update(KEY, remove=(name,)))
    assert table.get(scope, KEY) == {}
