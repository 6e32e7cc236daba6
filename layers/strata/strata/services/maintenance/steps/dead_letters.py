"""What was given up."""

from collections.abc import Callable, Mapping

from strata.domain.scope import Scope
from strata.ports import Queue
from strata.services.maintenance.step import Swept, Window


class DeadLetters:
    """Counts what lies among the dead letters of each queue; an operator decides what becomes of it.

    Args:
        queues: by name, made when they are asked.
    """

    name = "dead_letters"

    def __init__(self, queues: Callable[[], Mapping[str, Queue]]) -> None:
        self._queues = queues

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """Ask every queue."""
        return Swept({name: queue.counts().dead for name, queue in self._queues().items()})
