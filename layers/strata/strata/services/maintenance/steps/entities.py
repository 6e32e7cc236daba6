"""Step: the entities of people whose entities changed are mended, and merges of them proposed."""

from collections.abc import Callable, Mapping

from strata.domain.scope import Scope
from strata.services.maintenance.step import Swept, Window
from strata.services.maintenance.steps.owners import for_each

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
        return for_each(owners, after, lambda owner: self._tend(scope, owner, window.dry))
