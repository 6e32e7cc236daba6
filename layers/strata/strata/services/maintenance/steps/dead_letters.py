"""What was given up."""

from collections.abc import Callable, Mapping

from strata.domain.scope import Scope
from strata.services.maintenance.step import Swept, Window


class DeadLetters:
    """Counts what lies among the dead letters of each queue; an operator decides what becomes of it.

    Args:
        count: says how many there are, by the queue.
    """

    name = "dead_letters"

    def __init__(self, count: Callable[[], Mapping[str, int]]) -> None:
        self._count = count

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """Ask every queue."""
        return Swept(self._count())
