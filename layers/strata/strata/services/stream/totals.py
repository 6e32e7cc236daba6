"""Totals of observations and sessions, folded from the change stream, so that no write shares a counter.

An observation is counted when its pointer is `live` and not yet marked `counted`; a session when it has
started. The mark and the total change in one transaction, and the fold reads rows as they are now, so that a
repeated, late or reordered record changes nothing. The pointer of a new observation is written with its mark;
`births` adds these to the totals without a write of each.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from strata.domain.scope import Scope
from strata.domain.wire.service import Stats
from strata.ports.rows import Action, AllOf, Equals, Item, Key, Present, Update
from strata.ports.table import ConditionFailed, Query, Table
from strata.services.records.observations import observation_id_of, observation_of, pointer_key
from strata.services.records.sessions import SESSION_SK
from strata.services.records.totals import STATS_PK, stats_key
from strata.services.stream.births import Account, Births
from strata.services.table.pages import every_row

_AT_ONCE = 1000
"""Rows that are counted together: a project's totals list the notes of the new ones among them."""

_PER_TRANSACTION = 80
"""Actions of one transaction, which leaves room for those that are written along."""


class Totals:
    """Reads and updates the totals of a tenant."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._births = Births(table)

    def stats(self, scope: Scope, project: str | None) -> Stats:
        """The totals of one project, or of all."""
        observations = sessions = 0
        projects = []
        for row in self.rows(scope):
            if not has_any(row):
                continue
            projects.append(row["project"])
            if project in (None, row["project"]):
                observations += row.get("observations", 0)
                sessions += row.get("sessions", 0)
        return Stats(total_sessions=sessions, total_observations=observations, projects=sorted(projects))

    def projects(self, scope: Scope) -> list[str]:
        """Every project of the tenant, by name."""
        return sorted(row["project"] for row in self.rows(scope) if has_any(row))

    def rows(self, scope: Scope) -> Iterator[Item]:
        """The stored totals of every project."""
        return (row.item for row in every_row(self._table, scope, Query(STATS_PK, limit=1000)))

    def fold(self, scope: Scope, keys: Sequence[Key], along: Sequence[Action] = ()) -> list[Account]:
        """Bring the totals up to date with these changed rows; keys of rows that are not counted are ignored.

        `along` (few actions, without conditions) is written in the same transaction, if there is one.

        Returns:
            What `forget` wants to know once the notes among the rows are removed.
        """
        return self.count(scope, rows_with_marks(keys), along)

    def count(self, scope: Scope, marked: Sequence[Key], along: Sequence[Action] = ()) -> list[Account]:
        """Do the same for rows that carry the marks: pointers of observations, and sessions."""
        accounts: dict[str, Account] = {}
        for start in range(0, max(len(marked), 1), _AT_ONCE):
            is_last = start + _AT_ONCE >= len(marked)
            births = self._count_part(scope, marked[start : start + _AT_ONCE], along if is_last else ())
            accounts |= {each.project: each for each in births}
        return list(accounts.values())

    def _count_part(self, scope: Scope, marked: Sequence[Key], along: Sequence[Action]) -> list[Account]:
        """Count some rows; `along`, which may remove what tells of them, goes with the last transaction."""
        rows = self._rows(scope, marked)
        changes = _changes(rows)
        births = self._births.count(scope, rows, () if changes else along)
        if changes or not any(each.owed for each in births):
            *parts, last = _parts(changes) or [[]]
            for part in parts:
                self._count(scope, part, ())
            self._count(scope, last, along)
        return births

    def forget(self, scope: Scope, accounts: Sequence[Account], removed: Sequence[Key]) -> None:
        """Note that these change notes were removed, after a fold of their rows."""
        self._births.forget(scope, accounts, set(removed))

    def owed(self, scope: Scope, project: str) -> list[int]:
        """The times (µs) of a project's new observations that are marked and wait to be counted."""
        return self._births.owed(scope, project)

    def uncounted(self, scope: Scope, marked: Sequence[Key]) -> dict[str, Counter[str]]:
        """What the rows with the marks still add to the totals, by project."""
        rows = self._rows(scope, marked)
        added: dict[str, Counter[str]] = defaultdict(Counter)
        for change in _changes(rows):
            added[change.project][change.total] += change.by
        for account in self._births.accounts(scope, rows):
            added[account.project]["observations"] += len(account.owed)
        return added

    def _rows(self, scope: Scope, marked: Sequence[Key]) -> dict[Key, Item]:
        return self._table.get_many(scope, marked) if marked else {}

    def _count(self, scope: Scope, changes: Sequence["Uncounted"], along: Sequence[Action]) -> None:
        """Commit one transaction, without changes that another fold has counted meanwhile."""
        while True:
            try:
                return self._commit(scope, changes, along)
            except ConditionFailed as failed:
                changes = [each for place, each in enumerate(changes) if place not in failed.failures]

    def _commit(self, scope: Scope, changes: Sequence["Uncounted"], along: Sequence[Action]) -> None:
        if not changes and not along:
            return
        totals: dict[str, Counter[str]] = defaultdict(Counter)
        for change in changes:
            totals[change.project][change.total] += change.by
        actions: list[Action] = [change.mark for change in changes]
        actions += [
            Update(stats_key(project), set={"project": project}, add=dict(by))
            for project, by in totals.items()
        ]
        actions += along
        self._table.transact(scope, actions)


@dataclass(frozen=True, slots=True)
class Uncounted:
    """One row that is to enter or leave a project's total: `by` 1 or -1."""

    key: Key
    counted: bool | None
    """The row's mark as it was read."""
    project: str
    total: str
    by: int

    @property
    def mark(self) -> Update:
        """The write that marks the row, refused where another fold has marked it since."""
        as_read = AllOf((Present(), Equals("counted", self.counted)))
        return Update(self.key, set={"counted": self.by > 0}, condition=as_read)


def uncounted(key: Key, row: Item) -> bool:
    """Whether this row (a pointer or a session) should be counted and is not, or the reverse."""
    return _due(key, row) is not None


def _changes(rows: Mapping[Key, Item]) -> list[Uncounted]:
    """What rows with marks change in the totals."""
    return [change for key, row in rows.items() if (change := _due(key, row))]


def _parts(changes: Sequence[Uncounted]) -> list[list[Uncounted]]:
    """The changes in transactions, with those of a project together: each project's total is one action."""
    parts: list[list[Uncounted]] = []
    projects: set[str] = set()
    for change in sorted(changes, key=lambda each: each.project):
        if not parts or len(parts[-1]) + len(projects | {change.project}) >= _PER_TRANSACTION:
            parts.append([])
            projects = set()
        parts[-1].append(change)
        projects.add(change.project)
    return parts


def rows_with_marks(keys: Sequence[Key]) -> list[Key]:
    """The rows that carry the marks of these changed rows, each once."""
    return list(dict.fromkeys(key for key in map(_marked, keys) if key is not None))


def has_any(row: Item) -> bool:
    """Whether a project with these totals has anything."""
    return bool(row.get("observations", 0) > 0 or row.get("sessions", 0) > 0)


def _marked(key: Key) -> Key | None:
    """The row that carries the mark of a changed row: an observation's pointer, a session itself."""
    observation = observation_of(key)
    if observation is not None:
        return pointer_key(observation_id_of(observation))
    return key if key.sk == SESSION_SK else None


def _due(key: Key, row: Item) -> Uncounted | None:
    if key.sk == SESSION_SK:
        exists, total = bool(row.get("started_at")) and row.get("persist", True), "sessions"
    else:
        exists, total = row["state"] == "live", "observations"
    counted = row.get("counted")
    if exists == bool(counted):
        return None
    return Uncounted(key, counted, row["project"], total, 1 if exists else -1)
