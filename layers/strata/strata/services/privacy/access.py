"""Gives people everything that is stored about them, in pages (GDPR 15 and 20)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from strata.domain.cursors import opened, sealed
from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.erasures import PersonalData
from strata.ports.clock import Clock
from strata.ports.table import Query, Row, Table
from strata.services.privacy.erasure.find import in_session, is_theirs, owned_rows, session_of
from strata.services.privacy.registry import holding_of
from strata.services.records.events import event_count_key
from strata.services.records.owners import owner_pk
from strata.services.records.parts import digest
from strata.services.table.pages import every_row
from strata.services.transfer.exporter import PAGE_BYTES

PAGE_ROWS = 50
_PARTS = len(in_session(""))
_COUNT = event_count_key("")
"""A row of the totals: it lies in a session, but is nobody's."""


@dataclass(frozen=True, slots=True)
class _Position:
    """A position among everything that is a person's.

    Attributes:
        page: the cursor of a page of rows that name the person, None for the first page.
        row: the number of a row of that page; `PAGE_ROWS` for the rows in the person's own partition.
        part: the number of a list of that row's session, 0 for the row itself.
        first: the sort key in that list, or in the partition, at which to continue.
    """

    page: str | None = None
    row: int = 0
    part: int = 0
    first: str = ""

    def encoded(self, of: str) -> str:
        """An opaque cursor; `of` names the listing that it continues."""
        return sealed(of, (self.page, self.row, self.part, self.first))

    @classmethod
    def decoded(cls, cursor: str, of: str) -> "_Position":
        match opened(cursor, of):
            case [str() | None as page, int(row), int(part), str(first)] if (
                0 <= row <= PAGE_ROWS and 0 <= part <= _PARTS
            ):
                return cls(page, int(row), int(part), first)
        raise InvalidRequest.of("cursor", "is not one that this listing gave")


class Access:
    """Gives out a person's rows, kind by kind as `registry` says."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def page(self, scope: Scope, owner: str, cursor: str | None) -> PersonalData:
        """One page of whole rows, at most 4 MB; what is written meanwhile may be missing.

        Raises:
            InvalidRequest: the cursor is not one of this person's data.
        """
        listing = digest(scope.tenant, "ai-data", owner)
        start = _Position.decoded(cursor, listing) if cursor else _Position()
        found = PersonalData(exported_at=rfc3339(self._clock.now_us()), items={})
        size = 0
        for position, row in self._rows(scope, owner, start):
            holding = holding_of(row.key)
            if holding.shown is None:
                continue
            shown = holding.shown(row.key, row.item)
            size += len(json.dumps(json.dumps(shown)))
            if size > PAGE_BYTES and found.items:
                found.next = position.encoded(listing)
                break
            found.items.setdefault(holding.name, []).append(shown)
        return found

    def _rows(self, scope: Scope, owner: str, start: _Position) -> Iterator[tuple[_Position, Row]]:
        """All rows from a position on: those that name the person, with those in their sessions; the rest."""
        begin = start
        while begin.row != PAGE_ROWS:
            query = replace(owned_rows(owner), limit=PAGE_ROWS, cursor=begin.page, expired=False)
            page = self._table.query(scope, query)
            keys = [row.key for row in page.rows][begin.row :]
            rows = self._table.get_many(scope, keys) if keys else {}
            for key in keys:
                if key in rows:
                    yield from self._row(scope, owner, begin, Row(key, rows[key]))
                begin = _Position(begin.page, begin.row + 1)
            begin = _Position(row=PAGE_ROWS) if page.cursor is None else _Position(page.cursor)
        yield from self._list(scope, begin, Query(owner_pk(owner), limit=PAGE_ROWS))

    def _row(self, scope: Scope, owner: str, begin: _Position, row: Row) -> Iterator[tuple[_Position, Row]]:
        """A row that names the person; after a session's row, the rows in it that name nobody."""
        if begin.part == 0:
            yield begin, row
        session_id = session_of(row.key)
        lists = () if session_id is None else in_session(session_id)
        for part, query in enumerate(lists, 1):
            if part < begin.part:
                continue
            first = begin.first if part == begin.part else ""
            for position, each in self._list(scope, replace(begin, part=part, first=first), query):
                elsewhere = each.item.get("gsi3pk") == owner_pk(owner) or each.key.sk == _COUNT.sk
                if not elsewhere and is_theirs(each.key, each.item, owner):
                    yield position, each

    def _list(self, scope: Scope, begin: _Position, query: Query) -> Iterator[tuple[_Position, Row]]:
        """The rows of a query with the position of each."""
        sort = f"{query.index}sk"
        query = replace(query, limit=PAGE_ROWS, first=begin.first or None, expired=False)
        for row in every_row(self._table, scope, query):
            yield replace(begin, first=row.item[sort] if query.index else row.key.sk), row
