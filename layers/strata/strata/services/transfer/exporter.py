"""Exports the sessions and observations of a tenant, in pages."""

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from strata.domain.cursors import foreign, opened, sealed
from strata.domain.faults import reason
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.sessions import Session
from strata.domain.wire.transfer import Export, ExportedObservation
from strata.ports.clock import Clock
from strata.ports.rows import Item
from strata.ports.table import Query, Row, Table
from strata.services.records.observations import (
    LAST_OBSERVATION,
    OBSERVATION_PREFIX,
    project_pk,
    to_observation,
)
from strata.services.records.parts import digest
from strata.services.records.sessions import project_sessions, session_key, to_session
from strata.services.stream.consumers import row_kind
from strata.services.stream.current_totals import CurrentTotals
from strata.services.table.pages import every_row

PAGE_BYTES = 4_000_000
"""The size of a page, counted as a function's response holds it: as a JSON string, in which characters may be
escaped. A function may respond with 6 MB."""

_log = logging.getLogger("strata.export")

_ROWS_AT_ONCE = 200
_SESSIONS, _OBSERVATIONS = 0, 1


@dataclass(frozen=True, slots=True, order=True)
class _Position:
    """A position in an export: a project, one of its two lists, and the sort key of a row in it."""

    project: str
    rows: int
    first: str = ""

    def encoded(self, of: str) -> str:
        """An opaque cursor; `of` names the export that it continues."""
        return sealed(of, (self.project, self.rows, self.first))

    @classmethod
    def decoded(cls, cursor: str, of: str) -> "_Position":
        match opened(cursor, of):
            case [str(project), (0 | 1) as rows, str(first)]:
                return cls(project, int(rows), first)
        raise foreign("export")


class Exporter:
    """Exports a tenant's sessions and observations."""

    def __init__(self, table: Table, clock: Clock, totals: CurrentTotals) -> None:
        self._table = table
        self._clock = clock
        self._totals = totals

    def page(self, scope: Scope, project: str | None, cursor: str | None) -> Export:
        """One page: project by project, sessions before observations, oldest first.

        Raises:
            InvalidRequest: the cursor is not one of this tenant's export of this project.
        """
        export = digest(scope.tenant, project or "")
        start = _Position.decoded(cursor, export) if cursor else None
        page = Export(exported_at=rfc3339(self._clock.now_us()), sessions=[], observations=[])
        size = 0
        for position, row in self._rows(scope, project, start):
            size += len(json.dumps(row.model_dump_json(exclude_none=True)))
            if size > PAGE_BYTES and (page.sessions or page.observations):
                page.next = position.encoded(export)
                break
            if isinstance(row, Session):
                page.sessions.append(row)
            else:
                page.observations.append(row)
        return page

    def _rows(
        self, scope: Scope, project: str | None, start: _Position | None
    ) -> Iterator[tuple[_Position, Session | ExportedObservation]]:
        names = self._totals.every_project(scope) if project is None else [project]
        for name in names:
            for rows in (_SESSIONS, _OBSERVATIONS):
                part = _Position(name, rows)
                if start is None or (start.project, start.rows) < (name, rows):
                    yield from self._part(scope, part)
                elif (start.project, start.rows) == (name, rows):
                    yield from self._part(scope, start)

    def _part(
        self, scope: Scope, start: _Position
    ) -> Iterator[tuple[_Position, Session | ExportedObservation]]:
        rows = every_row(self._table, scope, _query(start))
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            yield from self._read(scope, start, some)

    def _read(
        self, scope: Scope, start: _Position, rows: Sequence[Row]
    ) -> Iterator[tuple[_Position, Session | ExportedObservation]]:
        owners = self._owners(scope, rows) if start.rows == _OBSERVATIONS else {}
        for row in rows:
            try:
                exported = (
                    to_session(row.item)
                    if start.rows == _SESSIONS
                    else _exported(row.item, owners.get(row.item["session_id"]))
                )
            except Exception as error:  # one malformed row must not keep the others from being exported
                _log.error("a row of %s is malformed and left out: %s", row_kind(row.key), reason(error))
                continue
            place = row.item["gsi1sk"] if start.rows == _SESSIONS else row.key.sk
            yield _Position(start.project, start.rows, place), exported

    def _owners(self, scope: Scope, rows: Sequence[Row]) -> dict[str, str | None]:
        """The owners of the sessions of those of these rows that name nobody."""
        nobodys = [row.item.get("session_id") for row in rows if not row.item.get("user_id")]
        keys = {each: session_key(each) for each in nobodys if isinstance(each, str)}
        found = self._table.get_many(scope, list(keys.values())) if keys else {}
        return {each: found.get(key, {}).get("user_id") for each, key in keys.items()}


def _exported(item: Item, session_owner: str | None) -> ExportedObservation:
    owner = None if item.get("user_id") else session_owner
    return ExportedObservation(**dict(to_observation(item)), session_user_id=owner)


def _query(start: _Position) -> Query:
    if start.rows == _SESSIONS:
        pk = project_sessions(start.project)
        return Query(pk, index="gsi1", first=start.first or None, limit=_ROWS_AT_ONCE)
    return Query(
        project_pk(start.project),
        first=start.first or OBSERVATION_PREFIX,
        last=LAST_OBSERVATION,
        limit=_ROWS_AT_ONCE,
    )
