"""The search index against the table, where memories changed."""

from strata.domain.scope import Scope
from strata.ports import Clock, Item, Key, Table
from strata.services.comparing import Comparison
from strata.services.freshness import noted_as
from strata.services.kinds import KINDS
from strata.services.maintenance.marks import Marks
from strata.services.maintenance.step import Swept, Window
from strata.services.maintenance.steps.sample import sample

AT_ONCE = 20
"""Places of a piece."""

_KINDS = {kind.name: kind for kind in KINDS}


class IndexSample:
    """Compares a sample of the memories of each place that changed with the index.

    What differs is noted as if it had been written again, so that the indexer mends it: nobody else writes
    the index. Documents without a row are `strata verify`'s to find.

    Args:
        table, clock: the source of truth, and the time.
        comparison: finds differences that no note excuses.
        marks: say what changed.
    """

    name = "index"

    def __init__(self, table: Table, clock: Clock, comparison: Comparison, marks: Marks) -> None:
        self._table = table
        self._clock = clock
        self._comparison = comparison
        self._marks = marks

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """Compare the samples of some places."""
        places, after = self._marks.places(scope, window.days, cursor, AT_ONCE)
        rows: dict[str, dict[Key, Item]] = {name: {} for name in _KINDS}
        for place in places:
            kind = _KINDS.get(place.kind)
            if kind is not None:
                sampled = sample(self._table, scope, kind, place.partition)
                rows[kind.name] |= {kind.row_key(row): row for row in sampled}
        repaired = 0
        for name, found in rows.items():
            if found:
                behind = self._comparison.behind(scope, _KINDS[name], list(found))
                for key in behind:
                    self._table.transact(scope, noted_as(_KINDS[name], found[key], self._clock.now_us()))
                repaired += len(behind)
        counts = {
            "places": len(places),
            "compared": sum(map(len, rows.values())),
            "repaired": repaired,
        }
        return Swept(counts, after)
