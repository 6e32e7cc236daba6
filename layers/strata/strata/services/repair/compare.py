"""Table and index side by side, while both are written."""

from collections.abc import Sequence
from typing import Literal

from strata.domain.scope import Scope
from strata.ports import Item, Key, SearchIndex, Table
from strata.services.repair.open_notes import OpenNotes
from strata.services.search.kinds import Kind

Lack = Literal["missing", "stale"]


class Comparison:
    """Finds where the index differs from the table without a note that says so.

    Documents are read before rows, rows before notes, and what differs is looked at twice: a row that is
    written and indexed meanwhile is no difference.
    """

    def __init__(self, table: Table, index: SearchIndex, pending: OpenNotes) -> None:
        self._table = table
        self._index = index
        self._pending = pending

    def behind(self, scope: Scope, kind: Kind, keys: Sequence[Key]) -> dict[Key, Lack]:
        """Those of these rows (up to 1 000) that are not in the index, or not as they are now."""
        found = self.lacking(scope, kind, keys)
        if found:
            found = self.lacking(scope, kind, list(found))
        rows = self._table.get_many(scope, list(found))
        pending = self._pending.changed(scope, kind, rows.values())
        return {key: lack for key, lack in found.items() if kind.id_of(key) not in pending}

    def lacking(self, scope: Scope, kind: Kind, keys: Sequence[Key]) -> dict[Key, Lack]:
        """The same, whatever the notes say."""
        versions = dict(self._index.catalog(scope, kind.name, [kind.document_of(key) for key in keys]))
        found: dict[Key, Lack] = {}
        for key, row in self._table.get_many(scope, keys).items():
            version = versions.get(kind.document_of(key))
            if version is None:
                found[key] = "missing"
            elif version != row["updated_at"]:
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
        pending = self._pending.removed(scope, kind, gone)
        still = dict(self._index.catalog(scope, kind.name, alone))
        return [each for each in alone if each in still and numbers[each] not in pending]

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
