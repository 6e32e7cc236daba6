"""Step of the service's own run: the tenants that changed are called."""

from strata.domain.scope import Scope
from strata.ports.queue import Queue
from strata.services.maintenance.marks import Marks
from strata.services.maintenance.step import Swept, Window

AT_ONCE = 500


class CallTenants:
    """Sends a message for each tenant that changed.

    Args:
        marks: name the tenants.
        queue: takes the messages.
    """

    name = "tenants"

    def __init__(self, marks: Marks, queue: Queue) -> None:
        self._marks = marks
        self._queue = queue

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        tenants, after = self._marks.tenants(window.days, cursor, AT_ONCE)
        if tenants:
            self._queue.send([{"tenant": tenant, "run": window.run} for tenant in tenants])
        return Swept({"called": len(tenants)}, after)
