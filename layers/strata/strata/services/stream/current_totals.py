"""Totals as they will be once every change was counted, so that a client counts what it has written."""

from collections import Counter
from collections.abc import Iterator, Sequence

from strata.domain.scope import Scope
from strata.ports.changes import Backlog
from strata.ports.rows import Item, Key
from strata.ports.table import Table
from strata.services.records.observations import OBSERVATION_PREFIX
from strata.services.records.sessions import SESSION_SK
from strata.services.stream.totals import Totals, has_any, rows_with_marks

MOST = 500
"""Changes that wait to be counted and are added by a read; with more of them totals are behind."""

_NEWEST = 100
"""So many are added then: among them is what the caller has just written."""

_COUNTED = OBSERVATION_PREFIX, SESSION_SK
_ATTEMPTS = 3
_ALL = 2**31


class CurrentTotals(Totals):
    """Adds the rows that the stream's consumer has not counted yet to the stored totals.

    Args:
        table: the source of truth.
        backlog: names the changes that wait for the consumer.
    """

    def __init__(self, table: Table, backlog: Backlog) -> None:
        super().__init__(table)
        self._backlog = backlog

    def is_behind(self, scope: Scope) -> bool:
        """Whether more changes wait than a read counts: the totals lack some of them."""
        return self._backlog.is_longer(scope, _COUNTED, MOST)

    def every_project(self, scope: Scope) -> list[str]:
        """The projects with every change counted, however many wait."""
        waiting = self._waiting(scope, _ALL)
        return sorted(row["project"] for row in self._counted(scope, waiting) if has_any(row))

    def rows(self, scope: Scope) -> Iterator[Item]:
        """The totals of every project."""
        return self._counted(scope, self._waiting(scope, _NEWEST if self.is_behind(scope) else MOST))

    def _waiting(self, scope: Scope, most: int) -> list[Key]:
        return self._backlog.waiting(scope, _COUNTED, most)

    def _counted(self, scope: Scope, waiting: Sequence[Key]) -> Iterator[Item]:
        marked = rows_with_marks(waiting)
        stored = list(super().rows(scope))
        for _ in range(_ATTEMPTS):
            due, before = self.uncounted(scope, marked), stored
            # the consumer may have counted between the two reads
            if not marked or (stored := list(super().rows(scope))) == before:
                break
        for row in stored:
            added = due.pop(row["project"], Counter())
            yield row | {total: row.get(total, 0) + by for total, by in added.items()}
        for project, added in due.items():
            yield {"project": project, **added}
