"""The work on changed rows: index them, count them, and remove their change notes."""

from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.ports.rows import Key
from strata.services.search.change_notes import ChangeNotes
from strata.services.stream.consumers import Consumer
from strata.services.stream.totals import Totals
from strata.services.table.parallel import Parallel


class FollowUp:
    """Indexes and counts changed rows, side by side over remote stores, then removes their notes.

    Over an embedded store rows are counted and a few notes removed in one transaction.

    Args:
        index: indexes changed rows.
        totals: counts them.
        change_notes: removes the notes of rows that are indexed.
        parallel: indexes and counts.
    """

    def __init__(
        self, index: Consumer, totals: Totals, change_notes: ChangeNotes, parallel: Parallel
    ) -> None:
        self._index = index
        self._totals = totals
        self._change_notes = change_notes
        self._parallel = parallel

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Bring index and totals up to date with these rows, then remove the notes among them."""
        if self._parallel.is_sequential:
            self._index(scope, keys)
            removals = self._change_notes.removals(keys)
            folded = self._totals.fold(scope, keys, removals)
        else:
            removals = []
            _, folded = self._parallel.both(
                lambda: self._index(scope, keys), lambda: self._totals.fold(scope, keys)
            )
        if not removals:
            self._change_notes.remove(scope, keys)
        self._totals.forget(scope, folded, keys)
