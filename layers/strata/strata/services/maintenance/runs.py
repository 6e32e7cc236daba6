"""Rows of maintenance runs: the progress of a run and its report in one.

Each piece of work is entered under the number of pieces before it, so that a piece done by several workers
counts once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from strata.domain.errors import Conflict, NotFound, Unavailable
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.maintenance import MOST_FLAGGED, Report
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, Equals, Item, Present, Put, Update
from strata.ports.table import ConditionFailed, Query, Table
from strata.services.maintenance.marks import days_from
from strata.services.records.maintenance import (
    MAINTENANCE_PK,
    RUN_PREFIX,
    maintenance_key,
    run_key,
    to_report,
)
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

KEPT_SECONDS = 90 * DAY
"""The life of a report."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The result of one piece of work, as it is added to a run.

    Attributes:
        step: the name of its step.
        took_ms: its duration.
        counts: its numbers, by name.
        flagged: ids that the report names.
        cursor: where the step goes on; None when the step is done.
        error: why the step failed; empty when it did not.
        again: whether the next run must take place even without a change.
    """

    step: str
    took_ms: int
    counts: Mapping[str, int] = field(default_factory=dict)
    flagged: Sequence[str] = ()
    cursor: str | None = None
    error: str = ""
    again: bool = False


class Runs:
    """Reads and writes the rows of runs."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def begin(
        self,
        scope: Scope,
        trigger: str,
        steps: Sequence[str],
        timestamp: int | None = None,
        *,
        dry: bool = False,
    ) -> Item:
        """The row of a new run; of the run with this timestamp, if it has begun already."""
        now = self._clock.now_us()
        run: Item = {
            "timestamp": now // 1000 if timestamp is None else timestamp,
            "trigger": trigger,
            "dry_run": dry,
            "status": "running",
            "piece": 0,
            "left": list(steps),
            "cursor": None,
            "days": days_from(self.state(scope).get("until"), now),
            "again": False,
            "duration_ms": 0,
            "summary": {},
            "flagged": {},
            "durations": {},
            "errors": {},
            "expires_at": now // 1_000_000 + KEPT_SECONDS,
        }
        while True:
            try:
                transact(self._table, scope, {"run": Put(run_key(run["timestamp"]), run, Absent())})
            except Refused as refused:
                if timestamp is not None:
                    return refused.row("run") or run
                run["timestamp"] += 1
            else:
                return run

    def enter(self, scope: Scope, run: Item, piece: Piece) -> Item | None:
        """Add a piece to its run; the run's row after it, None when another worker added this piece first."""
        counts: dict[str, int] = dict(run["summary"].get(piece.step, {}))
        for name, count in piece.counts.items():
            counts[name] = counts.get(name, 0) + count
        left = run["left"][1:] if piece.cursor is None else run["left"]
        change: Item = {
            "piece": run["piece"] + 1,
            "left": left,
            "cursor": piece.cursor,
            "status": "running" if left else "done",
            "again": run["again"] or piece.again,
            "duration_ms": run["duration_ms"] + piece.took_ms,
            "summary": run["summary"] | {piece.step: counts},
            "flagged": _with_more(run.get("flagged", {}), piece),
            "durations": run["durations"] | {piece.step: run["durations"].get(piece.step, 0) + piece.took_ms},
            "errors": run["errors"] | ({piece.step: piece.error} if piece.error else {}),
        }
        unmoved = AllOf((Present(), Equals("piece", run["piece"])))
        entered = Update(run_key(run["timestamp"]), set=change, condition=unmoved)
        try:
            return self._table.update(scope, entered)
        except ConditionFailed:
            return None

    def conclude(self, scope: Scope, run: Item, *, covers: bool = True) -> None:
        """Record that a run took place, and, unless a step failed, the day from which the next one goes on.

        It is idempotent.

        Args:
            scope: the tenant, or the service itself.
            run: is done.
            covers: whether its steps were all the steps of these runs.
        """
        try:
            settled(self._clock, "the state", lambda _: self._advance(scope, run, covers=covers))
        except Conflict as error:
            raise Unavailable("the state of maintenance is being written by others") from error

    def _advance(self, scope: Scope, run: Item, *, covers: bool) -> None:
        state = self.state(scope)
        values: Item = {}
        if covers and not run["errors"] and run["days"][-1] > state.get("until", ""):
            values["until"] = run["days"][-1]
        if run["timestamp"] > state.get("last", 0):
            values["last"] = run["timestamp"]
        if values:
            unmoved = AllOf(tuple(Equals(name, state.get(name)) for name in ("until", "last")))
            added = {"runs": 1} if "last" in values else {}
            condition = unmoved if state else Absent()
            self._table.update(scope, Update(maintenance_key(), set=values, add=added, condition=condition))

    def state(self, scope: Scope) -> Item:
        """The progress of the runs of a tenant, or of the service itself; empty before the first."""
        return self._table.get(scope, maintenance_key()) or {}

    def get(self, scope: Scope, timestamp: int) -> Item:
        """The row of a run.

        Raises:
            NotFound: no run has this timestamp.
        """
        run = self._table.get(scope, run_key(timestamp))
        if run is None:
            raise NotFound("no such run")
        return run

    def report(self, scope: Scope, timestamp: int) -> Report:
        """The report of a run.

        Raises:
            NotFound: no run has this timestamp.
        """
        return to_report(self.get(scope, timestamp))

    def newest(self, scope: Scope, limit: int) -> list[Report]:
        """The reports of the newest runs, newest first."""
        query = Query(MAINTENANCE_PK, prefix=RUN_PREFIX, newest_first=True, limit=limit, resumable=False)
        return [to_report(row.item) for row in self._table.query(scope, query).rows]


def _with_more(flagged: Item, piece: Piece) -> Item:
    """The ids that the steps have flagged, up to a hundred of each."""
    named = [*flagged.get(piece.step, ()), *piece.flagged][:MOST_FLAGGED]
    return flagged | {piece.step: named} if named else flagged
