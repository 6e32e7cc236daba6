"""Steps over what is known of people: of those whose conclusions changed, or whose dates have come."""

from collections.abc import Callable, Mapping, Sequence

from strata.domain.scope import Scope
from strata.services.knowledge.sweeping import CONTRADICTIONS, KnowledgeSweep
from strata.services.maintenance.marks import Marks
from strata.services.maintenance.step import Swept, Window
from strata.services.maintenance.steps.owners import for_each, skipped

FIRST, LAST = "stale", "pruning"
CHAIN = (FIRST, "decay", "redundancy", CONTRADICTIONS, LAST)
"""The steps, in their order. The first takes people up, the last one lets them go."""
AT_ONCE = 20

Work = Callable[[Scope, str, Window], Mapping[str, int]]
"""Does a step for one person; the numbers for the report."""


class PeopleStep:
    """Does one thing for each person.

    A person for whom it fails keeps nobody else waiting, and is swept again by the next run.

    Args:
        name: of `CHAIN`.
        sweep: names the people.
        work: is done for each.
        marks: note the tenant for the days on which somebody is due.
        deferral: why a tenant's sweep is skipped now; empty when it may take place.
        at_once: the people of one piece.
    """

    def __init__(
        self,
        name: str,
        sweep: KnowledgeSweep,
        work: Work,
        marks: Marks,
        deferral: Callable[[Scope], str],
        at_once: int = AT_ONCE,
    ) -> None:
        self.name = name
        self._sweep = sweep
        self._work = work
        self._marks = marks
        self._deferral = deferral
        self._at_once = at_once

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        if not window.dry and (why := self._deferral(scope)):
            return skipped(why)
        run = window.run * 1000
        owners, after = self._people(scope, window, cursor, self._at_once)

        def work(owner: str) -> Mapping[str, int] | None:
            if self.name == FIRST and not window.dry and not self._sweep.take_up(scope, owner, run):
                return None
            return self._work(scope, owner, window)

        def then(owner: str) -> None:
            if self.name == LAST and not window.dry and window.failed.isdisjoint(CHAIN):
                self._let_go(scope, owner, run)

        return for_each(owners, after, work, then)

    def due(self, scope: Scope, window: Window) -> bool:
        """Whether there is anybody whom a run sweeps in this step."""
        owners, _ = self._people(scope, window, None, 1)
        return bool(owners)

    def _people(
        self, scope: Scope, window: Window, cursor: str | None, number: int
    ) -> tuple[Sequence[str], str | None]:
        run = window.run * 1000
        first = 0 if window.dry or self.name == FIRST else run
        last = run - 1 if self.name == FIRST and not window.dry else run
        return self._sweep.people(scope, first, last, cursor, number)

    def _let_go(self, scope: Scope, owner: str, run: int) -> None:
        due = self._sweep.finish(scope, owner, run)
        if due is not None:
            self._marks.note(scope, at=due)
