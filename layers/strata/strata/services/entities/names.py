"""Names that lead to entities, for writes of more rows than one transaction holds."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, Check, Delete, Equals, Item, Key, Put
from strata.ports.table import Table
from strata.services.entities.rows import names_of
from strata.services.records.entities import entity_key, name_rows
from strata.services.table.retry import ATTEMPTS
from strata.services.table.transaction import Refused, transact

_AT_ONCE = 50
"""Names in one transaction, each with a check of its entity."""

Row = TypeVar("Row")


def names_leading_to(owner: str, row: Item) -> dict[Key, Item]:
    """The rows of the names that lead to an entity."""
    return name_rows(owner, row, names_of(row))


def some_of(rows: Sequence[Row], number: int) -> Iterator[Sequence[Row]]:
    """The rows in parts of at most this number."""
    return (rows[start : start + number] for start in range(0, len(rows), number))


def settle_names(table: Table, scope: Scope, owner: str, names: Mapping[Key, Item]) -> None:
    """Write each of these rows of names where the row of its entity has the name, else delete it.

    Each changes in a transaction with a check of that row: a deletion without one would take a name that
    another source gave the entity again meanwhile.
    """
    for some in some_of(list(names.items()), _AT_ONCE):
        for _ in range(ATTEMPTS):
            with suppress(Refused):  # a row changed since it was read
                _settle(table, scope, owner, dict(some))
                break


def _settle(table: Table, scope: Scope, owner: str, names: Mapping[Key, Item]) -> None:
    entities = {key: entity_key(owner, item["entity"]) for key, item in names.items()}
    found = table.get_many(scope, [*names, *{*entities.values()}])
    checks: dict[Key, Action] = {}
    actions: list[Action] = []
    for key, entity in entities.items():
        row = found.get(entity)
        item = names_leading_to(owner, row).get(key) if row else None
        if item != found.get(key):
            actions.append(Put(key, item) if item else Delete(key))
            checks[entity] = Check(entity, Equals("version", row["version"]) if row else Absent())
    if actions:
        transact(table, scope, {"entities": list(checks.values()), "names": actions})
