"""Reading observations: one, the recent ones, and one among its neighbours in time."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from heapq import nlargest
from itertools import islice

from strata.domain.errors import NotFound
from strata.domain.filters import EVERYTHING, Filters
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.observations import GLOBAL_SCOPE, Observation, TimelineEntry
from strata.ports.rows import AllOf, AnyOf, Condition, Equals, Item
from strata.ports.table import Query, Row, Table
from strata.services.people.ownership import is_of_another
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import (
    GLOBAL_PK,
    LAST_OBSERVATION,
    OBSERVATION_PREFIX,
    observation_key,
    pointer_key,
    project_pk,
    to_observation,
)
from strata.services.records.parts import numbered
from strata.services.search.filters import ObservationFilter
from strata.services.stream.current_totals import CurrentTotals
from strata.services.table.pages import every_row
from strata.services.table.parallel import Parallel

_PAGE = 200

_TIMELINE_CHARACTERS = 440_000
"""The most characters of a timeline, so that it fits into a function's 6 MB in any script."""


class Reader:
    """Reads observations from the table, consistently."""

    def __init__(self, table: Table, totals: CurrentTotals, parallel: Parallel) -> None:
        self._table = table
        self._parallel = parallel
        self._totals = totals

    def get(self, scope: Scope, observation_id: int, user_id: str | None = None) -> Observation:
        """The live observation.

        Raises:
            NotFound: unknown, deleted, another tenant's, or another user's than the one named.
        """
        return to_observation(self._row(scope, observation_id, user_id))

    def _row(self, scope: Scope, observation_id: int, user_id: str | None) -> Item:
        pointer = self._table.get(scope, pointer_key(observation_id))
        row = pointer and self._table.get(scope, observation_key(pointer["project"], observation_id))
        if not row or is_of_another(row.get("user_id"), user_id):
            raise NotFound("no such observation")
        return row

    def by_ids(self, scope: Scope, ids: Sequence[int]) -> list[Item]:
        """The rows of the live ones among these observations."""
        keys = {pointer_key(each): each for each in ids}
        pointers = self._table.get_many(scope, list(keys)) if keys else {}
        rows = [observation_key(pointer["project"], keys[key]) for key, pointer in pointers.items()]
        return list(self._table.get_many(scope, rows).values()) if rows else []

    def recent(
        self,
        scope: Scope,
        *,
        project: str | None,
        kind: str | None,
        scope_name: str | None,
        limit: int,
        only: Filters = EVERYTHING,
    ) -> list[Observation]:
        """The newest observations, newest first; of every project of the tenant when none is named."""
        where = _conditions(kind, scope_name)
        if project is None and scope_name == GLOBAL_SCOPE:
            rows = self._globals(scope, limit, where, only)
        elif project is None:
            names = self.projects(scope)
            calls = [partial(self._of_project, scope, name, limit, where, only) for name in names]
            rows = _newest(limit, *self._parallel.each(calls))
        else:
            rows = self._of_project(scope, project, limit, where, only)
        return [to_observation(row) for row in rows]

    def projects(self, scope: Scope) -> list[str]:
        """Every project of the tenant."""
        return self._totals.projects(scope)

    def lacks_projects(self, scope: Scope) -> bool:
        """Whether `projects` may lack some, because more changes wait to be counted than a read counts."""
        return self._totals.is_behind(scope)

    def newest_wanted(self, scope: Scope, wanted: ObservationFilter, limit: int) -> list[Item]:
        """The newest rows of the filter's project, newest first; the filter itself is not applied."""
        return self.newest(scope, project=wanted.project, limit=limit)

    def newest(
        self,
        scope: Scope,
        *,
        project: str | None,
        scope_name: str | None = None,
        limit: int,
        names: Sequence[str] | None = None,
        only: Filters = EVERYTHING,
    ) -> list[Item]:
        """The newest rows that a search in this project, or in all of them, may find; newest first.

        `names` are all projects, if they are already known, which saves a round trip.
        """
        where = _conditions(None, scope_name)
        calls = []
        if scope_name != GLOBAL_SCOPE:
            if project is not None:
                names = [project]
            elif names is None:
                names = self.projects(scope)
            calls = [partial(self._of_project, scope, name, limit, where, only) for name in names]
        if scope_name in (None, GLOBAL_SCOPE):
            calls.append(partial(self._globals, scope, limit, None, only))
        return _newest(limit, *self._parallel.each(calls))

    def _of_project(
        self, scope: Scope, project: str, limit: int, where: Condition | None, only: Filters
    ) -> list[Item]:
        query = Query(
            project_pk(project),
            prefix=OBSERVATION_PREFIX,
            newest_first=True,
            limit=limit,
            where=where,
            resumable=False,
        )
        return self._read(scope, query, only)

    def _globals(self, scope: Scope, limit: int, where: Condition | None, only: Filters) -> list[Item]:
        query = Query(GLOBAL_PK, index="gsi2", newest_first=True, limit=limit, where=where, resumable=False)
        return self._read(scope, query, only)

    def _read(self, scope: Scope, query: Query, only: Filters) -> list[Item]:
        """The first rows of a query that pass the filters: as many as it asks for, if there are."""
        if not only:
            return _whole(self._table.query(scope, query).rows)
        rows = every_row(self._table, scope, replace(query, limit=_PAGE, resumable=True))
        passing = (row.item for row in rows if OBSERVATIONS.is_whole(row.item) and only.admits(row.item))
        return list(islice(passing, query.limit))

    def timeline(
        self, scope: Scope, observation_id: int, *, before: int, after: int, user_id: str | None = None
    ) -> list[TimelineEntry]:
        """The observation with those before and after it in its project, oldest first.

        Those of other users than the one named are left out.

        Raises:
            NotFound: the observation is unknown, deleted, another tenant's, or another user's.
        """
        anchor = self._row(scope, observation_id, user_id)
        pk, place = project_pk(anchor["project"]), OBSERVATION_PREFIX
        where = None if user_id is None else AnyOf((Equals("user_id", None), Equals("user_id", user_id)))
        rows = [anchor]
        if before:
            last = place + numbered(observation_id - 1)
            earlier = Query(
                pk, first=place, last=last, newest_first=True, limit=before, where=where, resumable=False
            )
            rows = _whole(reversed(self._table.query(scope, earlier).rows)) + rows
        if after:
            first = place + numbered(observation_id + 1)
            later = Query(pk, first=first, last=LAST_OBSERVATION, limit=after, where=where, resumable=False)
            rows += _whole(self._table.query(scope, later).rows)
        return [
            TimelineEntry(
                id=row["id"],
                type=row["type"],
                title=row["title"],
                content=row["content"],
                created_at=rfc3339(row["created_at"]),
            )
            for row in _fitting(rows, rows.index(anchor))
        ]


def _whole(rows: Iterable[Row]) -> list[Item]:
    """The rows without malformed ones, so that these hide no other."""
    return [row.item for row in rows if OBSERVATIONS.is_whole(row.item)]


def _fitting(rows: Sequence[Item], anchor: int) -> Sequence[Item]:
    """The rows around the anchor that fit into a timeline: the farthest are left out."""
    first, end = 0, len(rows)
    size = sum(len(row["content"]) for row in rows)
    while end - first > 1 and size > _TIMELINE_CHARACTERS:
        if (anchor - first) * 2 >= end - first:
            size -= len(rows[first]["content"])
            first += 1
        else:
            end -= 1
            size -= len(rows[end]["content"])
    return rows[first:end]


def _conditions(kind: str | None, scope_name: str | None) -> Condition | None:
    asked = [Equals(name, value) for name, value in (("type", kind), ("scope", scope_name)) if value]
    return AllOf(tuple(asked)) if asked else None


def _newest(limit: int, *groups: list[Item]) -> list[Item]:
    """The newest `limit` rows of several groups, each once."""
    rows = {row["id"]: row for group in groups for row in group}
    return nlargest(limit, rows.values(), key=lambda row: row["id"])
