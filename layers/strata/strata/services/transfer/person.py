"""Walks over what is a person's: the rows that name them, those in their sessions, their own partition."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from strata.domain.scope import Scope
from strata.ports.table import Place, Query, Row, Table
from strata.services.people.holdings import in_session, is_theirs, owned_rows, session_of
from strata.services.records.events import event_count_key
from strata.services.records.owners import owner_pk
from strata.services.table.pages import every_row

PAGE_ROWS = 50
_PARTS = len(in_session(""))
_COUNT = event_count_key("")
"""A row of the totals: it lies in a session, but is nobody's."""


@dataclass(frozen=True, slots=True)
class Position:
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

    @property
    def place(self) -> Place:
        """The position as values of JSON."""
        return self.page, self.row, self.part, self.first

    @classmethod
    def at(cls, place: object) -> "Position | None":
        """The position of a place; None where that is none."""
        match place:
            case [str() | None as page, int(row), int(part), str(first)] if (
                0 <= row <= PAGE_ROWS and 0 <= part <= _PARTS
            ):
                return cls(page, int(row), int(part), first)
        return None


class PersonRows:
    """Reads a person's rows."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def rows(self, scope: Scope, owner: str, start: Position) -> Iterator[tuple[Position, Row]]:
        """All rows from a position on, each with its own; what is written meanwhile may be missing."""
        begin = start
        while begin.row != PAGE_ROWS:
            query = replace(owned_rows(owner), limit=PAGE_ROWS, cursor=begin.page, expired=False)
            page = self._table.query(scope, query)
            keys = [row.key for row in page.rows][begin.row :]
            rows = self._table.get_many(scope, keys) if keys else {}
            for key in keys:
                if key in rows:
                    yield from self._row(scope, owner, begin, Row(key, rows[key]))
                begin = Position(begin.page, begin.row + 1)
            begin = Position(row=PAGE_ROWS) if page.cursor is None else Position(page.cursor)
        yield from self._list(scope, begin, Query(owner_pk(owner), limit=PAGE_ROWS))

    def _row(self, scope: Scope, owner: str, begin: Position, row: Row) -> Iterator[tuple[Position, Row]]:
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

    def _list(self, scope: Scope, begin: Position, query: Query) -> Iterator[tuple[Position, Row]]:
        """The rows of a query with the position of each."""
        sort = f"{query.index}sk"
        query = replace(query, limit=PAGE_ROWS, first=begin.first or None, expired=False)
        for row in every_row(self._table, scope, query):
            yield replace(begin, first=row.item[sort] if query.index else row.key.sk), row
