"""What is left to do once changed rows are indexed: count them, and take their notes away."""

from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.ports import Key
from strata.services.search.change_notes import ChangeNotes
from strata.services.stream.totals import Totals


class FollowUp:
    """Counts and settles changed rows, in one transaction where they are few."""

    def __init__(self, totals: Totals, freshness: ChangeNotes) -> None:
        self._totals = totals
        self._freshness = freshness

    def settle(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Bring the totals up to date with these rows, then let the notes among them go."""
        removals = self._freshness.removals(keys)
        self._totals.fold(scope, keys, removals)
        if not removals:
            self._freshness.remove(scope, keys)
