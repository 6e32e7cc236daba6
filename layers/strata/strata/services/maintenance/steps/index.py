"""Step: the search index is compared with the table, where memories changed."""

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Item, Key
from strata.ports.table import Table
from strata.services.maintenance.marks import KINDS_BY_NAME, Marks
from strata.services.maintenance.step import Swept, Window
from strata.services.maintenance.steps.sample import sample
from strata.services.records.change_notes import change_notes
from strata.services.records.kinds import Kind
from strata.services.repair.compare import Comparison

AT_ONCE = 20
"""Partitions of a piece."""


class IndexSample:
    """Compares a sample of the memories of each changed partition with the index.

    A row that differs gets a change note, as if it had been written again, so that the indexer repairs it:
    nothing else writes the index. Documents without a row are found by `strata verify`.

    Args:
        comparison: finds differences that no note explains.
        marks: name the changed partitions.
    """

    name = "index"

    def __init__(self, table: Table, clock: Clock, comparison: Comparison, marks: Marks) -> None:
        self._table = table
        self._clock = clock
        self._comparison = comparison
        self._marks = marks

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        partitions, after = self._marks.partitions(scope, window.days, cursor, AT_ONCE)
        rows: dict[str, dict[Key, Item]] = {name: {} for name in KINDS_BY_NAME}
        for partition in partitions:
            kind = KINDS_BY_NAME[partition.kind]
            sampled = sample(self._table, scope, kind, partition.key)
            rows[kind.name] |= {kind.row_key(row): row for row in sampled}
        repaired = sum(self._repair(scope, KINDS_BY_NAME[name], found) for name, found in rows.items())
        counts = {
            "places": len(partitions),
            "compared": sum(map(len, rows.values())),
            "repaired": repaired,
        }
        return Swept(counts, after)

    def _repair(self, scope: Scope, kind: Kind, rows: dict[Key, Item]) -> int:
        behind = self._comparison.behind(scope, kind, list(rows)) if rows else {}
        for key in behind:
            self._table.transact(scope, change_notes(kind, rows[key], self._clock.now_us()))
        return len(behind)
