"""Runs of maintenance: how far each is, and what it came to.

A run's row is its progress and its report in one. Each piece of work is entered under the number of the
pieces before it, so that of several who did the same piece one counts it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from strata.domain.errors import Conflict, NotFound, Unavailable
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports import (
    Absent,
    AllOf,
    Clock,
    ConditionFailed,
    Equals,
    Item,
    Present,
    Put,
    Query,
    Table,
    Update,
)
from strata.services.maintenance.marks import days_from
from strata.services.records.maintenance import MAINTENANCE_PK, RUN_PREFIX, maintenance_key, run_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

KEPT_SECONDS = 90 * DAY
"""For so long a report can be read."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What one piece of work adds to a run.

    Attributes:
        step: whose it was.
        took_ms: how long it took.
        counts: what it counted.
        cursor: where the step goes on; None when it is done.
        error: why it could not be done; empty when it was.
        again: whether the next run must come, changes or not.
    """

    step: str
    took_ms: int
    counts: Mapping[str, int] = field(default_factory=dict)
    cursor: str | None = None
    error: str = ""
    again: bool = False


class Runs:
    """The rows of runs.

    Args:
        table, clock: where they are, and the time.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def begin(self, scope: Scope, trigger: str, steps: Sequence[str], timestamp: int | None = None) -> Item:
        """The row of a new run; of the one with this timestamp, if it was begun before."""
        now = self._clock.now_us()
        run: Item = {
            "timestamp": now // 1000 if timestamp is None else timestamp,
            "trigger": trigger,
            "status": "running",
            "piece": 0,
            "left": list(steps),
            "cursor": None,
            "days": days_from(self.state(scope).get("until"), now),
            "again": False,
            "duration_ms": 0,
            "summary": {},
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
        """Add a piece to its run; the run's row after it, None when another entered this piece first."""
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
        """Note that a run took place, and have later ones begin where it did if it did all of its work.

        Doing it again changes nothing.

        Args:
            scope: whose runs they are.
            run: the one that is done.
            covers: whether it was about everything that these runs are about.
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
        """How far the runs of a tenant, or of the service itself, have come; empty before the first."""
        return self._table.get(scope, maintenance_key()) or {}

    def get(self, scope: Scope, timestamp: int) -> Item:
        """A run.

        Raises:
            NotFound: there is none of this timestamp.
        """
        run = self._table.get(scope, run_key(timestamp))
        if run is None:
            raise NotFound("no such run")
        return run

    def newest(self, scope: Scope, limit: int) -> list[Item]:
        """The newest runs, newest first."""
        query = Query(MAINTENANCE_PK, prefix=RUN_PREFIX, newest_first=True, limit=limit, resumable=False)
        return [row.item for row in self._table.query(scope, query).rows]
