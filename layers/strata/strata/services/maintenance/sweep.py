"""Runs of maintenance: begun by hand or by the schedule, worked at piece by piece, carried on by messages.

A message is `{tenant, run}`, without a tenant for the service's own run. Work is idempotent: a message may be
delivered twice, also at the same time, and a piece that is done twice counts once. A message whose handling
fails is retried, and becomes a dead letter in the end.
"""

from collections.abc import Callable, Mapping, Sequence

from strata.domain.errors import NotFound, SwitchedOff, Unavailable
from strata.domain.faults import reason
from strata.domain.scope import MAINTENANCE, Scope
from strata.domain.wire.maintenance import Report
from strata.ports.clock import Clock
from strata.ports.queue import Queue
from strata.ports.rows import Item, Json
from strata.services.maintenance.marks import Marks, day_start
from strata.services.maintenance.runs import Piece, Runs
from strata.services.maintenance.step import Step, Window
from strata.services.records.maintenance import to_report

MANUAL, SCHEDULE = "manual", "schedule"

HasTime = Callable[[], bool]
"""Whether there is time for another piece."""
Due = Callable[[Scope, Window], bool]
"""Whether a step has anything to do."""


class Sweeper:
    """Begins runs and works at them.

    Args:
        runs, marks: their rows, and the marks of changes.
        steps: of a tenant's run, in their order.
        people_steps: of the same run after these; a dry run has no others.
        service_steps: of the service's own run.
        queue: takes the messages.
        enabled: whether maintenance is switched on.
        slow: steps that no request waits for, each with whether there is anything for it to do.
        alone: whether the service has one tenant only, whose runs then count as the service's.
    """

    def __init__(
        self,
        runs: Runs,
        marks: Marks,
        steps: Sequence[Step],
        people_steps: Sequence[Step],
        service_steps: Sequence[Step],
        queue: Queue,
        clock: Clock,
        *,
        enabled: bool,
        alone: bool,
        slow: Mapping[str, Due] | None = None,
    ) -> None:
        self._runs = runs
        self._marks = marks
        self._steps = {step.name: step for step in (*steps, *people_steps)}
        self._dry_steps = [step.name for step in people_steps]
        self._service_steps = {step.name: step for step in service_steps}
        self._queue = queue
        self._clock = clock
        self._enabled = enabled
        self._alone = alone
        self._slow = slow or {}

    def for_seconds(self, seconds: int) -> HasTime:
        """There is time for as many seconds from now on."""
        end = self._clock.monotonic() + seconds
        return lambda: self._clock.monotonic() < end

    def run_now(self, scope: Scope, has_time: HasTime, *, dry: bool = False) -> Report:
        """Run the maintenance of a tenant; messages carry on the work that there is no time for.

        Args:
            has_time: whether there is time for another piece.
            dry: only count what the steps over people's knowledge would do; the others are left out.

        Raises:
            SwitchedOff: maintenance is switched off.
        """
        if not self._enabled:
            raise SwitchedOff("maintenance is switched off (STRATA_MAINTENANCE)")
        run = self._runs.begin(scope, MANUAL, self._dry_steps if dry else list(self._steps), dry=dry)
        return to_report(self._work(scope, run, has_time, slow=self._slow))

    def run_scheduled(self, timestamp: int, has_time: HasTime) -> None:
        """Begin the service's own run, which calls the tenants. It is idempotent for one timestamp."""
        if self._enabled:
            scope = Scope.maintenance()
            run = self._runs.begin(scope, SCHEDULE, list(self._service_steps), timestamp)
            self._work(scope, run, has_time)

    def carry_on(self, message: Json, has_time: HasTime) -> None:
        """Work at the run that a message names.

        Raises:
            ValueError: it names none.
        """
        scope, timestamp = _named(message)
        if not self._enabled:
            return
        if scope.tenant == MAINTENANCE:
            try:
                run = self._runs.get(scope, timestamp)
            except NotFound:
                return
        else:
            run = self._runs.begin(scope, SCHEDULE, list(self._steps), timestamp)
        self._work(scope, run, has_time)

    def _work(
        self, scope: Scope, run: Item, has_time: HasTime, slow: Mapping[str, Due] | None = None
    ) -> Item:
        """Do at least one piece of a run, but none of a slow step; its row after the last piece done here."""
        while run["status"] == "running":
            due = (slow or {}).get(run["left"][0])
            if due is not None and due(scope, _window(run)):
                self._queue.send([_message(scope, run)])
                return run
            entered = self._runs.enter(scope, run, self._do_piece(scope, run))
            if entered is None:  # somebody else works at this run
                return self._runs.get(scope, run["timestamp"])
            run = entered
            if run["status"] == "running" and not has_time():
                self._queue.send([_message(scope, run)])
                return run
        self._finish(scope, run)
        return run

    def _do_piece(self, scope: Scope, run: Item) -> Piece:
        name = run["left"][0]
        step = (self._service_steps if scope.tenant == MAINTENANCE else self._steps).get(name)
        started = self._clock.monotonic()

        def took() -> int:
            return round((self._clock.monotonic() - started) * 1000)

        if step is None:  # the run began under another version of the service
            return Piece(name, 0)
        try:
            swept = step.sweep(scope, _window(run), run["cursor"])
        except Unavailable as error:
            return Piece(name, took(), error=error.message)
        except Exception as error:  # one step must not keep the others from their work
            return Piece(name, took(), error=reason(error))
        return Piece(name, took(), swept.counts, swept.flagged, swept.cursor, swept.error, again=swept.again)

    def _finish(self, scope: Scope, run: Item) -> None:
        if run.get("dry_run"):
            return
        if scope.tenant == MAINTENANCE:
            self._runs.conclude(scope, run)
            return
        if run["again"] or run["errors"]:
            self._marks.note(scope)
        self._runs.conclude(scope, run)
        if self._alone and run["trigger"] == MANUAL:
            self._runs.conclude(Scope.maintenance(), run, covers=False)


def _window(run: Item) -> Window:
    days = run["days"]
    return Window(run["timestamp"], days, day_start(days[0]), run.get("dry_run", False), run["errors"].keys())


def _message(scope: Scope, run: Item) -> Json:
    of_tenant = {} if scope.tenant == MAINTENANCE else {"tenant": scope.tenant}
    return of_tenant | {"run": run["timestamp"]}


def _named(message: Json) -> tuple[Scope, int]:
    if not isinstance(message, dict) or not isinstance(message.get("run"), int):
        raise ValueError("the message names no run")
    tenant = message.get("tenant")
    return (Scope.maintenance() if tenant is None else Scope(str(tenant))), message["run"]
