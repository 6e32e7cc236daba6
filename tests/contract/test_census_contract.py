"""The census of every tenant's rows that a table on one machine gives the operator."""

from typing import cast

import pytest

from strata.adapters.dynamodb.census import DynamoCensus
from strata.adapters.dynamodb.table import DynamoTable
from strata.domain.scope import Scope
from strata.ports.rows import Delete, Key, Put
from strata.ports.table import Census, Table


@pytest.fixture
def census(table: Table) -> Census:
    """The table itself where one file holds it; beside it on DynamoDB, where a scan is another right."""
    if isinstance(table, DynamoTable):
        return DynamoCensus(table._client, table._name)
    return cast(Census, table)


def test_every_tenant_with_a_row_is_named_once(table: Table, census: Census) -> None:
    names = ["a", "a.b", "a-b", "ab", "A", "b:c@d", "local"]
    assert census.tenants() == []
    for name in names:
        table.transact(Scope(name), [Put(Key(pk, "s"), {}) for pk in ("", "#", "p", "\uffee")])
    table.transact(Scope("gone"), [Put(Key("p", "s"), {})])
    table.transact(Scope("gone"), [Delete(Key("p", "s"))])
    assert sorted(census.tenants()) == sorted(names)


def test_the_directory_of_api_keys_is_no_tenant(table: Table, census: Census) -> None:
    table.transact(Scope.directory(), [Put(Key("KEYS", "a#1"), {})])
    table.transact(Scope("a"), [Put(Key("p", "s"), {})])
    assert census.tenants() == ["a"]


def test_rows_are_counted_and_named_by_the_beginning_of_their_sort_key(table: Table, census: Census) -> None:
    expected = set()
    for tenant in (Scope("a"), Scope("b")):
        for start in range(0, 60, 20):
            keys = [Key(f"p#{number % 7}", f"OBS#{number:04d}") for number in range(start, start + 20)]
            table.transact(tenant, [Put(key, {}) for key in keys])
            expected |= {(tenant.tenant, key) for key in keys}
        table.transact(tenant, [Put(Key("p#1", "OTHER"), {}), Put(Key("p#1", "obs#lower"), {})])
    assert census.count("OBS#") == len(expected)
    named = [(scope.tenant, key) for scope, key in census.keys("OBS#")]
    assert len(named) == len(expected)
    assert set(named) == expected
    assert census.count("") == len(expected) + 4
    assert (census.count("none"), list(census.keys("none"))) == (0, [])
