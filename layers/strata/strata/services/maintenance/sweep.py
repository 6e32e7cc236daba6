"""Maintenance as it goes on: runs are begun, worked at piece by piece, and handed on by messages.

A message is `{tenant, run}`, without a tenant for the service's own run. It may come twice, at once too: the
work of a piece does no harm when it is done twice, and is counted once. What kills a process comes again, and
in the end lies among the dead letters.
"""

import time
from collections.abc import Callable, Sequence

from strata.domain.errors import NotFound, SwitchedOff, Unavailable
from strata.domain.scope import UPKEEP, Scope
from strata.ports import Item, Json, Queue
from strata.services.faults import reason
from strata.services.maintenance.marks import Marks, day_start
from strata.services.maintenance.runs import Piece, Runs
from strata.services.maintenance.step import Step, Window

MANUAL, SCHEDULE = "manual", "schedule"

GoingOn = Callable[[], bool]
"""Whether there is time for another piece."""


def for_seconds(seconds: float) -> GoingOn:
    """Until so much time has passed."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


class Sweeper:
    """Begins runs and works at them.

    Args:
        runs, marks: their rows, and what changed.
        steps: of a tenant's run, in their order.
        service_steps: of the service's own run.
        queue: takes the messages.
        enabled: whether there is any maintenance.
        alone: whether the service has one tenant only, so that this one's runs are the service's.
    """

    def __init__(
        self,
        runs: Runs,
        marks: Marks,
        steps: Sequence[Step],
        service_steps: Sequence[Step],
        queue: Queue,
        *,
        enabled: bool,
        alone: bool,
    ) -> None:
        self._runs = runs
        self._marks = marks
        self._steps = {step.name: step for step in steps}
        self._service_steps = {step.name: step for step in service_steps}
        self._queue = queue
        self._enabled = enabled
        self._alone = alone

    def by_hand(self, scope: Scope, going_on: GoingOn) -> Item:
        """Run the maintenance of a tenant; what there is no time for now goes on by messages.

        Raises:
            SwitchedOff: there is no maintenance.
        """
        if not self._enabled:
            raise SwitchedOff("maintenance is switched off (STRATA_MAINTENANCE)")
        return self._work(scope, self._runs.begin(scope, MANUAL, list(self._steps)), going_on)

    def on_schedule(self, timestamp: int, going_on: GoingOn) -> None:
        """Begin the service's own run, which sends for the tenants; again with one timestamp is one run."""
        if self._enabled:
            scope = Scope.upkeep()
            self._work(
                scope, self._runs.begin(scope, SCHEDULE, list(self._service_steps), timestamp), going_on
            )

    def go_on(self, message: Json, going_on: GoingOn) -> None:
        """Work at the run that a message names.

        Raises:
            ValueError: it names none.
        """
        scope, timestamp = _named(message)
        if not self._enabled:
            return
        if scope.tenant == UPKEEP:
            try:
                run = self._runs.get(scope, timestamp)
            except NotFound:
                return
        else:
            run = self._runs.begin(scope, SCHEDULE, list(self._steps), timestamp)
        self._work(scope, run, going_on)

    def _work(self, scope: Scope, run: Item, going_on: GoingOn) -> Item:
        """Do at least one piece of a run; its row after the last one that was done here."""
        while run["status"] == "running":
            entered = self._runs.enter(scope, run, self._piece(scope, run))
            if entered is None:  # somebody else is at it
                return self._runs.get(scope, run["timestamp"])
            run = entered
            if run["status"] == "running" and not going_on():
                self._queue.send([_message(scope, run)])
                return run
        self._finish(scope, run)
        return run

    def _piece(self, scope: Scope, run: Item) -> Piece:
        name = run["left"][0]
        step = (self._service_steps if scope.tenant == UPKEEP else self._steps).get(name)
        started = time.monotonic()

        def took() -> int:
            return round((time.monotonic() - started) * 1000)

        if step is None:  # the run began under another version of the service
            return Piece(name, 0)
        try:
            swept = step.sweep(
                scope, Window(run["timestamp"], run["days"], day_start(run["days"][0])), run["cursor"]
            )
        except Unavailable as error:
            return Piece(name, took(), error=error.message)
        except Exception as error:  # one step must not keep the others from their work
            return Piece(name, took(), error=reason(error))
        return Piece(name, took(), swept.counts, swept.cursor, again=swept.again)

    def _finish(self, scope: Scope, run: Item) -> None:
        if scope.tenant == UPKEEP:
            self._runs.conclude(scope, run)
            return
        if run["again"] or run["errors"]:
            self._marks.note(scope)
        self._runs.conclude(scope, run)
        if self._alone and run["trigger"] == MANUAL:
            self._runs.conclude(Scope.upkeep(), run, covers=False)


def _message(scope: Scope, run: Item) -> Json:
    of_tenant = {} if scope.tenant == UPKEEP else {"tenant": scope.tenant}
    return of_tenant | {"run": run["timestamp"]}


def _named(message: Json) -> tuple[Scope, int]:
    if not isinstance(message, dict) or not isinstance(message.get("run"), int):
        raise ValueError("the message names no run")
    tenant = message.get("tenant")
    return (Scope.upkeep() if tenant is None else Scope(str(tenant))), message["run"]
