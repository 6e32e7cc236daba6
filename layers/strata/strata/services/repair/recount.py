"""Comparison of the totals with the rows that they count."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, Equals, Item, Key, Update
from strata.ports.table import Census, ConditionFailed, Table
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import pointed_id, pointer_key
from strata.services.records.parts import POINTER_SK
from strata.services.records.sessions import SESSION_SK
from strata.services.records.totals import stats_key
from strata.services.repair.batches import batches
from strata.services.repair.open_notes import OVERDUE_SECONDS, OpenNotes
from strata.services.stream.totals import Totals, uncounted

_ATTEMPTS = 3
_APART_US = 60_000_000
"""How far the clocks of those that save may be apart, with the time that a save takes."""
_NAMES = ("observations", "sessions")
_NONE = (0, 0)

_Project = tuple[str, str]
"""Tenant and project."""
Counted = dict[_Project, tuple[int, int]]
"""Observations and sessions of projects."""


@dataclass(frozen=True, slots=True)
class WrongTotal:
    """A project's totals as they are stored and as they should be, each as (observations, sessions)."""

    tenant: str
    project: str
    stored: tuple[int, int]
    counted: tuple[int, int]


class Recounter:
    """Counts the rows that are marked as counted, and finds those whose mark is wrong.

    Args:
        totals: are checked, and corrected.
        notes: name the changes that the stream will still count.
    """

    def __init__(self, census: Census, table: Table, totals: Totals, notes: OpenNotes, clock: Clock) -> None:
        self._census = census
        self._table = table
        self._totals = totals
        self._notes = notes
        self._clock = clock

    def uncounted(self) -> Iterator[tuple[Scope, int, list[Key]]]:
        """Batch by batch: the number of rows checked, and those that the totals have missed or still hold,
        although no note names them."""
        for prefix in (POINTER_SK, SESSION_SK):
            for scope, keys in batches(self._census.keys(prefix)):
                due = self._due(scope, [key for key in keys if key.sk == prefix])
                if due:  # checked again, as it may have been counted meanwhile
                    due = self._due(scope, list(due))
                yield scope, len(keys), self._unexcused(scope, due)

    def count(self, scope: Scope, keys: list[Key]) -> None:
        """Count these rows, or leave them out, as they are now."""
        self._totals.count(scope, keys)

    def wrong(self, tenants: Sequence[str], marked: Callable[[], Counted] | None = None) -> list[WrongTotal]:
        """The projects of these tenants whose totals are not the number of their marked rows.

        `marked` counts these instead of this process.
        """
        for _ in range(_ATTEMPTS):
            since, before = self._clock.now_us() - _APART_US, self._stored(tenants)
            counted = (marked or self.marked)()
            projects = before.keys() | counted.keys()
            young: set[_Project] = set()
            for each in projects:
                if before.get(each, _NONE) != counted.get(each, _NONE):
                    counted[each], last = self._settled(each, counted.get(each, _NONE))
                    if last > since:
                        young.add(each)
            after = self._stored(tenants)
            differing = [each for each in projects if before.get(each, _NONE) != counted.get(each, _NONE)]
            # a total that moved, or lacks a row that came, while rows were counted can't be judged by these
            wrong = [each for each in differing if before.get(each) == after.get(each) and each not in young]
            if len(wrong) == len(differing):
                break
        return [
            WrongTotal(*each, before.get(each, _NONE), counted.get(each, _NONE)) for each in sorted(wrong)
        ]

    def correct(self, wrong: WrongTotal) -> bool:
        """Store the counted totals; False when the stored ones have changed since."""
        scope = Scope(wrong.tenant)
        row = self._table.get(scope, stats_key(wrong.project)) or {}
        if tuple(row.get(name, 0) for name in _NAMES) != wrong.stored:
            return False
        same = AllOf(tuple(Equals(name, row.get(name)) for name in _NAMES)) if row else Absent()
        counted = dict(zip(_NAMES, wrong.counted, strict=True))
        values = {"project": wrong.project} | counted
        try:
            self._table.transact(scope, [Update(stats_key(wrong.project), set=values, condition=same)])
        except ConditionFailed:
            return False
        return True

    def _due(self, scope: Scope, keys: list[Key]) -> dict[Key, Item]:
        rows = self._table.get_many(scope, keys)
        return {key: row for key, row in rows.items() if uncounted(key, row)}

    def _unexcused(self, scope: Scope, rows: dict[Key, Item]) -> list[Key]:
        """Those of these rows that the stream is not about to count."""
        changed = [(row["project"], pointed_id(key)) for key, row in rows.items() if key.sk == POINTER_SK]
        noted = {pointer_key(each) for each in self._notes.removed(scope, OBSERVATIONS, changed)}
        since = self._clock.now_us() - OVERDUE_SECONDS * 1_000_000
        return [key for key, row in rows.items() if key not in noted and not row.get("started_at", 0) > since]

    def _settled(self, project: _Project, marked: tuple[int, int]) -> tuple[tuple[int, int], int]:
        """A project's numbers without what its totals are owed, and the time of the last note that owes."""
        tenant, name = project
        observations, sessions = marked
        owed = self._totals.owed(Scope(tenant), name)
        return (observations - len(owed), sessions), max(owed, default=0)

    def _stored(self, tenants: Sequence[str]) -> dict[_Project, tuple[int, int]]:
        return {
            (tenant, row["project"]): (row.get("observations", 0), row.get("sessions", 0))
            for tenant in tenants
            for row in self._totals.rows(Scope(tenant))
        }

    def marked(self) -> Counted:
        """The numbers of counted observations and sessions, by tenant and project."""
        marked: dict[str, Counter[_Project]] = defaultdict(Counter)
        for prefix, name in ((POINTER_SK, "observations"), (SESSION_SK, "sessions")):
            for scope, keys in batches(self._census.keys(prefix)):
                rows = self._table.get_many(scope, [key for key in keys if key.sk == prefix])
                marked[name].update(
                    (scope.tenant, row["project"]) for row in rows.values() if row.get("counted")
                )
        observations, sessions = (marked[name] for name in _NAMES)
        return {each: (observations[each], sessions[each]) for each in observations | sessions}
