"""Step: the entities of people whose entities changed are mended, and merges of them proposed."""

from collections import Counter
from collections.abc import Callable, Mapping

from strata.domain.errors import Unavailable
from strata.domain.faults import reason
from strata.domain.scope import Scope
from strata.services.maintenance.step import Swept, Window

AT_ONCE = 5

Due = Callable[[Scope, str | None, int], tuple[list[str], str | None]]
"""The people whose entities changed since they were tended, and the next page's cursor."""
Tend = Callable[[Scope, str, bool], Mapping[str, int]]
"""Tends the entities of one person, or counts (True) what would be done; the numbers for the report."""


class TendEntities:
    """Tends the entities of people. One for whom it fails keeps nobody else waiting, and stays due."""

    name = "entities"

    def __init__(self, due: Due, tend: Tend) -> None:
        self._due = due
        self._tend = tend

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        owners, after = self._due(scope, cursor, AT_ONCE)
        counts: Counter[str] = Counter(people=0)
        error = ""
        for owner in owners:
            try:
                counts.update(self._tend(scope, owner, window.dry))
                counts["people"] += 1
            except Unavailable:
                raise
            except Exception as failed:
                error = reason(failed)
                counts["failed"] += 1
        return Swept(counts, after, again=bool(error), error=error)
