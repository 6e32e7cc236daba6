"""How much there is, folded from the change stream, so that no write touches a shared counter.

An observation is counted when its pointer says `live` and is not yet marked `counted`; a session when its
row has started. The mark and the total change in one transaction, so that a repeated, late or reordered
event changes nothing: the fold looks at the rows as they are now.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from strata.domain.models import Stats
from strata.domain.scope import Scope
from strata.ports import Action, AllOf, ConditionFailed, Equals, Item, Key, Present, Query, Table, Update
from strata.services.records import (
    SESSION_SK,
    STATS_PK,
    observation_id_of,
    observation_of,
    pointer_key,
    stats_key,
)

_PER_TRANSACTION = 48


class Totals:
    """Reads and folds the totals of a tenant."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def stats(self, scope: Scope, project: str | None) -> Stats:
        """Totals of one project, or of all of them."""
        observations = sessions = 0
        projects = []
        for row in self._rows(scope):
            projects.append(row["project"])
            if project in (None, row["project"]):
                observations += row.get("observations", 0)
                sessions += row.get("sessions", 0)
        return Stats(total_sessions=sessions, total_observations=observations, projects=sorted(projects))

    def projects(self, scope: Scope) -> list[str]:
        """Every project of the tenant, by name."""
        return sorted(row["project"] for row in self._rows(scope))

    def _rows(self, scope: Scope) -> Iterator[Item]:
        cursor: str | None = None
        while True:
            page = self._table.query(scope, Query(STATS_PK, limit=1000, cursor=cursor))
            for row in page.rows:
                if row.item.get("observations", 0) > 0 or row.item.get("sessions", 0) > 0:
                    yield row.item
            cursor = page.cursor
            if cursor is None:
                return

    def fold(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Bring the totals up to date with the rows under these keys; other rows' keys are passed over."""
        marked = list(dict.fromkeys(key for key in map(_marked, keys) if key is not None))
        for start in range(0, len(marked), _PER_TRANSACTION):
            chunk = marked[start : start + _PER_TRANSACTION]
            rows = self._table.get_many(scope, chunk)
            due = [change for key, row in rows.items() if (change := _due(key, row))]
            try:
                self._commit(scope, due)
            except ConditionFailed:
                for change in due:  # another fold counted some of them meanwhile
                    with suppress(ConditionFailed):
                        self._commit(scope, [change])

    def _commit(self, scope: Scope, changes: Sequence["_Counted"]) -> None:
        if not changes:
            return
        totals: dict[str, Counter[str]] = defaultdict(Counter)
        for change in changes:
            totals[change.project][change.total] += change.by
        actions: list[Action] = [change.mark for change in changes]
        actions += [
            Update(stats_key(project), set={"project": project}, add=dict(by))
            for project, by in totals.items()
        ]
        self._table.transact(scope, actions)


@dataclass(frozen=True, slots=True)
class _Counted:
    """One row's step into or out of a project's total."""

    mark: Update
    project: str
    total: str
    by: int


def _marked(key: Key) -> Key | None:
    """The row that carries the mark of a changed row: an observation's pointer, a session itself."""
    observation = observation_of(key)
    if observation is not None:
        return pointer_key(observation_id_of(observation))
    return key if key.sk == SESSION_SK else None


def _due(key: Key, row: Item) -> _Counted | None:
    if key.sk == SESSION_SK:
        exists, total = bool(row.get("started_at")) and row.get("persist", True), "sessions"
    else:
        exists, total = row["state"] == "live", "observations"
    counted = bool(row.get("counted"))
    if exists == counted:
        return None
    mark = Update(
        key,
        set={"counted": exists},
        condition=AllOf((Present(), Equals("counted", row.get("counted")))),
    )
    return _Counted(mark, row["project"], total, 1 if exists else -1)
