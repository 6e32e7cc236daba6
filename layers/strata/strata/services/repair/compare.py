"""Comparison of table and index, while both are written."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Literal

from strata.domain.scope import Scope
from strata.ports.rows import Item, Key
from strata.ports.search import SearchIndex
from strata.ports.table import Census, Table
from strata.services.records.kinds import KINDS, Kind
from strata.services.repair.batches import AT_ONCE, batches
from strata.services.repair.open_notes import OpenNotes

Lack = Literal["missing", "stale"]


class Comparison:
    """Finds differences between the index and the table that no open note explains.

    Documents are read before rows, rows before notes, and every difference is checked twice: a row that is
    written and indexed meanwhile is no difference.

    Args:
        table, index: are compared.
        notes: name the changes that are on their way to the index.
    """

    def __init__(self, census: Census, table: Table, index: SearchIndex, notes: OpenNotes) -> None:
        self._census = census
        self._table = table
        self._index = index
        self._notes = notes

    def count_rows(self) -> int:
        """The number of searched rows."""
        return sum(self._census.count(kind.prefix) for kind in KINDS)

    def rows(self) -> Iterator[tuple[Scope, Kind, list[Key]]]:
        """Every searched row, in batches."""
        for kind in KINDS:
            for scope, keys in batches(self._census.keys(kind.prefix)):
                yield scope, kind, keys

    def documents(self, tenants: Sequence[str]) -> Iterator[tuple[Scope, Kind, list[str]]]:
        """Every document of these tenants, in batches."""
        for tenant, kind in product(tenants, KINDS):
            catalog = self._index.catalog(Scope(tenant), kind.name)
            while documents := [key for key, _ in islice(catalog, AT_ONCE)]:
                yield Scope(tenant), kind, documents

    def behind(self, scope: Scope, kind: Kind, keys: Sequence[Key]) -> dict[Key, Lack]:
        """Those of these rows (up to 1 000) that the index lacks, or has in an older state."""
        found = self.lacking(scope, kind, keys)
        if found:
            found = self.lacking(scope, kind, list(found))
        rows = self._table.get_many(scope, list(found))
        excusable = {key: row for key, row in rows.items() if kind.has_id(key) and kind.is_whole(row)}
        noted = self._notes.changed(scope, kind, excusable.values())
        return {
            key: lack for key, lack in found.items() if key not in excusable or kind.id_of(key) not in noted
        }

    def lacking(self, scope: Scope, kind: Kind, keys: Sequence[Key]) -> dict[Key, Lack]:
        """The same, with or without notes."""
        documents = {key: kind.document_of(key) for key in keys if kind.has_id(key)}
        versions = dict(self._index.catalog(scope, kind.name, list(documents.values())))
        found: dict[Key, Lack] = {}
        for key, row in self._table.get_many(scope, keys).items():
            version = versions.get(documents.get(key, ""))
            if version is None:
                found[key] = "missing"
            elif version != row.get("updated_at"):
                found[key] = "stale"
        return found

    def orphans(self, scope: Scope, kind: Kind, documents: Sequence[str]) -> list[str]:
        """Those of these documents (up to 1 000) that have no row."""
        pointers, alone = self._alone(scope, kind, documents)
        if not alone:
            return []
        numbers = {each: kind.number(each) for each in alone}
        gone = [
            (pointers[each][kind.place], number)
            for each, number in numbers.items()
            if each in pointers and number is not None
        ]
        noted = self._notes.removed(scope, kind, gone)
        still = dict(self._index.catalog(scope, kind.name, alone))
        return [each for each in alone if each in still and numbers[each] not in noted]

    def _alone(self, scope: Scope, kind: Kind, documents: Sequence[str]) -> tuple[dict[str, Item], list[str]]:
        """The pointers of these documents, and those that have no row."""
        numbers = {each: number for each in documents if (number := kind.number(each)) is not None}
        by_pointer = {kind.pointer(number): each for each, number in numbers.items()}
        pointers = {
            by_pointer[key]: item for key, item in self._table.get_many(scope, list(by_pointer)).items()
        }
        by_row = {kind.key(item[kind.place], numbers[each]): each for each, item in pointers.items()}
        there = {by_row[key] for key in self._table.get_many(scope, list(by_row))}
        return pointers, [each for each in documents if each not in there]
