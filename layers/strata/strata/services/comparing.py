"""Table and index side by side, while both are written."""

from collections.abc import Sequence
from typing import Literal

from strata.domain.scope import Scope
from strata.ports import Item, Key, SearchIndex, Table
from strata.services.pending import Pending
from strata.services.records import OBSERVATION_KIND, observation_id_of, observation_key, pointer_key

Lack = Literal["missing", "stale"]


class Comparison:
    """Finds where the index differs from the table without a note that says so.

    Documents are read before rows, rows before notes, and what differs is looked at twice: a row that is
    written and indexed meanwhile is no difference.
    """

    def __init__(self, table: Table, index: SearchIndex, pending: Pending) -> None:
        self._table = table
        self._index = index
        self._pending = pending

    def behind(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, Lack]:
        """Those of these observations (up to 1 000) that are not in the index, or not as they are now."""
        found = self.lacking(scope, keys)
        if found:
            found = self.lacking(scope, list(found))
        rows = self._table.get_many(scope, list(found))
        pending = self._pending.changed(scope, rows.values())
        return {key: lack for key, lack in found.items() if observation_id_of(key) not in pending}

    def lacking(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, Lack]:
        """The same, whatever the notes say."""
        documents = [str(observation_id_of(key)) for key in keys]
        versions = dict(self._index.catalog(scope, OBSERVATION_KIND, documents))
        found: dict[Key, Lack] = {}
        for key, row in self._table.get_many(scope, keys).items():
            version = versions.get(str(row["id"]))
            if version is None:
                found[key] = "missing"
            elif version != row["updated_at"]:
                found[key] = "stale"
        return found

    def orphans(self, scope: Scope, documents: Sequence[str]) -> list[str]:
        """Those of these documents (up to 1 000) that have no row."""
        pointers, alone = self._alone(scope, documents)
        if not alone:
            return []
        gone = [(pointers[each]["project"], int(each)) for each in alone if each in pointers]
        pending = self._pending.removed(scope, gone)
        still = dict(self._index.catalog(scope, OBSERVATION_KIND, alone))
        return [each for each in alone if each in still and int(each) not in pending]

    def _alone(self, scope: Scope, documents: Sequence[str]) -> tuple[dict[str, Item], list[str]]:
        """The pointers of these documents, and those that have no row."""
        by_pointer = {pointer_key(int(each)): each for each in documents}
        pointers = {
            by_pointer[key]: item for key, item in self._table.get_many(scope, list(by_pointer)).items()
        }
        by_row = {observation_key(item["project"], int(each)): each for each, item in pointers.items()}
        there = {by_row[key] for key in self._table.get_many(scope, list(by_row))}
        return pointers, [each for each in documents if each not in there]
