"""The work on changed rows once they are indexed: count them, and remove their change notes."""

from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.ports.rows import Key
from strata.services.search.change_notes import ChangeNotes
from strata.services.stream.totals import Totals


class FollowUp:
    """Counts changed rows and removes their notes, in one transaction where they are few."""

    def __init__(self, totals: Totals, change_notes: ChangeNotes) -> None:
        self._totals = totals
        self._change_notes = change_notes

    def settle(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Bring the totals up to date with these rows, then remove the notes among them."""
        removals = self._change_notes.removals(keys)
        self._totals.fold(scope, keys, removals)
        if not removals:
            self._change_notes.remove(scope, keys)
