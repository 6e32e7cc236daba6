"""Step: dead letters are counted."""

from collections.abc import Callable, Mapping

from strata.domain.scope import Scope
from strata.services.maintenance.step import Swept, Window


class DeadLetters:
    """Counts the dead letters of each queue; an operator decides what becomes of them.

    Args:
        count: returns their number by queue.
    """

    name = "dead_letters"

    def __init__(self, count: Callable[[], Mapping[str, int]]) -> None:
        self._count = count

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        return Swept(self._count())
