"""Stored rows: the tenant precedes the partition key, also in the secondary indexes."""

from collections.abc import Mapping
from dataclasses import dataclass

from strata.adapters.dynamodb.values import StoredItem, plain, stored
from strata.adapters.rules import schema
from strata.adapters.rules.keys import partition, stored_key
from strata.domain.scope import Scope
from strata.ports.rows import Item, Json, Key

BODIES = "bodies"
"""The attribute with the names of a row's bodies; only rows with bodies have it."""

_OWN = ("pk", "sk", BODIES, schema.NAME)
_INDEX_PARTITIONS = ("gsi1pk", "gsi2pk", "gsi3pk")


@dataclass(frozen=True, slots=True)
class InBody:
    """A pointer to the value in the body of this name."""

    name: str


class Bodied(dict[str, Json]):
    """An item with values that are still in bodies."""


def key_of(scope: Scope, key: Key) -> StoredItem:
    """The key attributes.

    Raises:
        InvalidRequest: the key contains a lone surrogate.
    """
    pk, sk = stored_key(scope, key)
    return {"pk": {"S": pk}, "sk": {"S": sk}}


def item_of(scope: Scope, key: Key, item: Item) -> StoredItem:
    """The whole row.

    Raises:
        InvalidRequest: a value has no JSON form.
    """
    return key_of(scope, key) | {schema.NAME: stored(schema.SCHEMA)} | attributes_of(scope, item)


def attributes_of(scope: Scope, attributes: Mapping[str, Json]) -> StoredItem:
    """Attributes without the key."""
    return {stored_name(name): stored(placed(scope, name, value)) for name, value in attributes.items()}


def stored_name(name: str) -> str:
    """The attribute's name as stored: `pk`, `sk`, `bodies` and `schema` are the row's own."""
    return schema.escaped(name, _OWN)


def placed(scope: Scope, name: str, value: Json) -> Json:
    """The value, prefixed with the tenant if it is a partition key of a secondary index."""
    return partition(scope, value) if name in _INDEX_PARTITIONS and isinstance(value, str) else value


def read_item(row: StoredItem) -> Item:
    """The item of a stored row; a `Bodied` one if values are in bodies.

    Raises:
        NewerRow: a newer version of Strata wrote it.
    """
    if BODIES in row:
        inside = {name: value for name, value in row.items() if "SS" not in value}
        pointers = {
            schema.unescaped(name, _OWN): InBody(value["SS"][0])
            for name, value in row.items()
            if "SS" in value and name != BODIES
        }
        return Bodied(read_item(inside) | pointers)
    if schema.NAME in row:
        schema.require_known(plain(row[schema.NAME]))
    item = {schema.unescaped(name, _OWN): plain(value) for name, value in row.items() if name not in _OWN}
    for name in _INDEX_PARTITIONS:
        if isinstance(item.get(name), str):
            item[name] = item[name].partition("#")[2]
    return item


def read_key(row: StoredItem) -> Key:
    """The key of a stored row, without the tenant."""
    return Key(row["pk"]["S"].partition("#")[2], row["sk"]["S"])


def is_live(row: StoredItem, now: float) -> bool:
    """Whether the stored row has not expired at `now` (epoch seconds)."""
    expires_at = row.get("expires_at", {}).get("N")
    return expires_at is None or float(expires_at) > now
