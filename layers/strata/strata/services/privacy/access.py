"""Everything that is stored about a person, in pages: to see, or to take elsewhere (GDPR 15 and 20)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from strata.domain.cursors import opened, sealed
from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.erasures import PersonalData
from strata.ports import Clock, Query, Row, Table
from strata.services.privacy.erasure.find import in_session, is_theirs, owned_rows, session_of
from strata.services.privacy.registry import holding_of
from strata.services.records.events import event_count_key
from strata.services.records.owners import owner_pk
from strata.services.records.parts import digest
from strata.services.table.pages import every_row
from strata.services.transfer.exporter import PAGE_BYTES

_PAGE = 50
_REST = _PAGE
_PARTS = len(in_session(""))
_COUNT = event_count_key("")
"""Of the totals, and nobody's, though it lies in a session."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a walk through what is a person's stands.

    Attributes:
        page: the cursor of a page of what names them, None for the first one.
        row: the number of a row of that page; `_REST` for what lies in a partition of theirs alone.
        part: which list of that row's session, 0 for the row itself.
        first: the sort key in that list, or in the partition, from which to go on.
    """

    page: str | None = None
    row: int = 0
    part: int = 0
    first: str = ""

    def encoded(self, of: str) -> str:
        """An opaque cursor; `of` names the walk that it continues."""
        return sealed(of, (self.page, self.row, self.part, self.first))

    @classmethod
    def decoded(cls, cursor: str, of: str) -> "_Place":
        match opened(cursor, of):
            case [str() | None as page, int(row), int(part), str(first)] if (
                0 <= row <= _REST and 0 <= part <= _PARTS
            ):
                return cls(page, int(row), int(part), first)
        raise InvalidRequest.of("cursor", "is not one that this listing gave")


class Access:
    """Gives out what is a person's, kind by kind as `registry` says."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def page(self, scope: Scope, owner: str, cursor: str | None) -> PersonalData:
        """One page of at most 4 MB, of whole rows; what is written meanwhile may be missing.

        Raises:
            InvalidRequest: the cursor is not one of this person's data.
        """
        walk = digest(scope.tenant, "ai-data", owner)
        start = _Place.decoded(cursor, walk) if cursor else _Place()
        found = PersonalData(exported_at=rfc3339(self._clock.now_us()), items={})
        size = 0
        for place, row in self._rows(scope, owner, start):
            holding = holding_of(row.key)
            if holding.shown is None:
                continue
            shown = holding.shown(row.key, row.item)
            size += len(json.dumps(json.dumps(shown)))
            if size > PAGE_BYTES and found.items:
                found.next = place.encoded(walk)
                break
            found.items.setdefault(holding.name, []).append(shown)
        return found

    def _rows(self, scope: Scope, owner: str, start: _Place) -> Iterator[tuple[_Place, Row]]:
        """All rows from a place on: what names the person, with what their sessions hold; then the rest."""
        begin = start
        while begin.row != _REST:
            query = replace(owned_rows(owner), limit=_PAGE, cursor=begin.page, expired=False)
            page = self._table.query(scope, query)
            keys = [row.key for row in page.rows][begin.row :]
            rows = self._table.get_many(scope, keys) if keys else {}
            for key in keys:
                if key in rows:
                    yield from self._row(scope, owner, begin, Row(key, rows[key]))
                begin = _Place(begin.page, begin.row + 1)
            begin = _Place(row=_REST) if page.cursor is None else _Place(page.cursor)
        yield from self._list(scope, begin, Query(owner_pk(owner), limit=_PAGE))

    def _row(self, scope: Scope, owner: str, begin: _Place, row: Row) -> Iterator[tuple[_Place, Row]]:
        """A row that names the person; of a session all that it holds of them but what names them itself."""
        if begin.part == 0:
            yield begin, row
        session_id = session_of(row.key)
        lists = () if session_id is None else in_session(session_id)
        for part, query in enumerate(lists, 1):
            if part < begin.part:
                continue
            first = begin.first if part == begin.part else ""
            for place, each in self._list(scope, replace(begin, part=part, first=first), query):
                elsewhere = each.item.get("gsi3pk") == owner_pk(owner) or each.key.sk == _COUNT.sk
                if not elsewhere and is_theirs(each.key, each.item, owner):
                    yield place, each

    def _list(self, scope: Scope, begin: _Place, query: Query) -> Iterator[tuple[_Place, Row]]:
        """The rows of a query with the place of each."""
        sort = f"{query.index}sk"
        query = replace(query, limit=_PAGE, first=begin.first or None, expired=False)
        for row in every_row(self._table, scope, query):
            yield replace(begin, first=row.item[sort] if query.index else row.key.sk), row
