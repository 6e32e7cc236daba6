"""Step: the totals of projects are checked, where memories changed."""

from itertools import islice

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Item, Key
from strata.ports.table import Query, Table
from strata.services.maintenance.marks import MarkedPartition, Marks
from strata.services.maintenance.step import Swept, Window
from strata.services.maintenance.steps.sample import sample
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import pointer_key
from strata.services.records.parts import numbered
from strata.services.records.sessions import project_sessions, session_key
from strata.services.repair.open_notes import OVERDUE_SECONDS
from strata.services.stream.totals import Totals, uncounted
from strata.services.table.pages import every_row

AT_ONCE = 20
"""Partitions of a piece."""

SESSIONS = 200
"""Of a project."""


class Counters:
    """Counts rows that a project's totals missed: among a sample of its observations, and its new sessions.

    Args:
        totals: are corrected.
        marks: name the changed partitions.
    """

    name = "counters"

    def __init__(self, table: Table, clock: Clock, totals: Totals, marks: Marks) -> None:
        self._table = table
        self._clock = clock
        self._totals = totals
        self._marks = marks

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        partitions, after = self._marks.partitions(scope, window.days, cursor, AT_ONCE)
        before = self._clock.now_us() - OVERDUE_SECONDS * 1_000_000
        looked_at, counted = 0, 0
        for partition in partitions:
            if partition.kind == OBSERVATIONS.name:
                rows = self._rows(scope, partition, window.since, before)
                due = [key for key, row in rows.items() if uncounted(key, row)]
                self._totals.count(scope, due)
                looked_at += len(rows)
                counted += len(due)
        return Swept({"looked_at": looked_at, "counted": counted}, after)

    def _rows(self, scope: Scope, partition: MarkedPartition, since: int, before: int) -> dict[Key, Item]:
        """The rows with the marks of what was written between `since` and `before`."""
        sampled = sample(self._table, scope, OBSERVATIONS, partition.key)
        if not sampled:
            return {}
        pointers = [pointer_key(row["id"]) for row in sampled if row["id"] < before]
        started = Query(
            project_sessions(sampled[0]["project"]),
            index="gsi1",
            first=numbered(since),
            last=numbered(before),
            newest_first=True,
        )
        sessions = [
            session_key(row.item["id"]) for row in islice(every_row(self._table, scope, started), SESSIONS)
        ]
        return self._table.get_many(scope, [*pointers, *sessions])
