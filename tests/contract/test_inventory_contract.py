"""The inventory of one tenant's keys, over each store of rows."""

import pytest

from strata.adapters.dynamodb import inventory as dynamodb
from strata.adapters.dynamodb.inventory import DynamoInventory
from strata.adapters.dynamodb.table import DynamoTable
from strata.adapters.sqlite.inventory import SqliteInventory
from strata.adapters.sqlite.table import SqliteTable
from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.ports.rows import Key, Put
from strata.ports.table import Inventory, Table

ACME, OTHERS = Scope("acme"), Scope("acme2")
KEYS = {Key(f"p{number % 7}", f"{kind}#{number:03d}") for number in range(60) for kind in ("OBS", "FACT")}


@pytest.fixture
def inventory(table: Table) -> Inventory:
    for scope in (ACME, OTHERS):
        keys = sorted(KEYS | {Key("p1", "HEAD"), Key("p1", "obs#1")})
        for start in range(0, len(keys), 50):
            table.transact(scope, [Put(key, {}) for key in keys[start : start + 50]])
    table.transact(OTHERS, [Put(Key("alone", "OBS#1"), {})])
    if isinstance(table, DynamoTable):
        return DynamoInventory(table._client, table._name, patience=60)
    assert isinstance(table, SqliteTable)
    return SqliteInventory(table._database)


def test_a_tenants_keys_of_some_kinds_are_each_named_once(inventory: Inventory) -> None:
    found = [key for _, key in inventory.keys(ACME, ["OBS#", "FACT#"], None) if key is not None]
    assert len(found) == len(KEYS)
    assert set(found) == KEYS
    assert [key for _, key in inventory.keys(ACME, ["HEAD"], None) if key] == [Key("p1", "HEAD")]
    assert [key for _, key in inventory.keys(Scope("nobody"), ["OBS#"], None) if key] == []


def test_every_place_continues_behind_it_and_names_nothing_of_another_tenant(inventory: Inventory) -> None:
    steps = list(inventory.keys(ACME, ["OBS#"], None))
    keys = [key for _, key in steps if key is not None]
    for number, (place, _) in enumerate(steps[::9]):
        behind = [key for _, key in steps[number * 9 + 1 :] if key is not None]
        assert [key for _, key in inventory.keys(ACME, ["OBS#"], place) if key is not None] == behind
        assert "acme2" not in str(place)
    assert keys == sorted(keys, key=lambda key: (keys.index(key), key.sk))


@pytest.mark.parametrize(
    "place", [(), ("x",), (1, 2, 3), (3, 1), (-1, 4), (None, None), ("a", "b", "c", "d")]
)
def test_a_place_of_another_form_is_refused(inventory: Inventory, place: tuple[object, ...]) -> None:
    with pytest.raises(InvalidRequest):
        list(inventory.keys(ACME, ["OBS#"], place))


@pytest.mark.parametrize("open_table", ["dynamodb"], indirect=True)
def test_a_large_table_is_read_in_segments(inventory: Inventory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynamodb, "SEGMENT_BYTES", 700)
    steps = list(inventory.keys(ACME, ["OBS#", "FACT#"], None))
    assert steps[-1][0][0] > 3
    found = [key for _, key in steps if key is not None]
    assert len(found) == len(KEYS)
    assert set(found) == KEYS
    for place, _ in steps[::7]:
        behind = [key for _, key in inventory.keys(ACME, ["OBS#", "FACT#"], place) if key is not None]
        assert found[len(found) - len(behind) :] == behind
