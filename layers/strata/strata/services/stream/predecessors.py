"""The turn before each turn: mostly one query a session, however many of its rows are indexed together."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

from strata.domain.scope import Scope
from strata.ports.rows import Item
from strata.ports.table import Query, Table
from strata.services.records.kinds import Kind
from strata.services.records.parts import numbered
from strata.services.table.parallel import Parallel

Rows = Sequence[tuple[Kind, Item]]

Session = tuple[Kind, str]
"""A kind of rows, and the gsi1 partition of a session that holds them."""


class Predecessors:
    """Finds the memory that was saved just before each one in its session.

    Args:
        table: is queried.
        parallel: queries several sessions at once.
    """

    def __init__(self, table: Table, parallel: Parallel) -> None:
        self._table = table
        self._parallel = parallel

    def of(self, scope: Scope, rows: Rows) -> list[str | None]:
        """The documents of the predecessors of these rows, None for a row that has none, in their order."""
        sessions: dict[Session, set[int]] = {}
        for kind, row in rows:
            if (session := kind.session(row)) is not None:
                sessions.setdefault((kind, session), set()).add(row["id"])
        asked = [partial(self._in_session, scope, session, ids) for session, ids in sessions.items()]
        found = dict(zip(sessions, self._parallel.each(asked), strict=True))
        documents: list[str | None] = []
        for kind, row in rows:
            session = kind.session(row)
            before = None if session is None else found[kind, session].get(row["id"])
            documents.append(None if before is None else kind.document_key(before))
        return documents

    def _in_session(self, scope: Scope, session: Session, ids: set[int]) -> dict[int, int]:
        """The predecessors of these rows of a session; rows without one are missing.

        Turns are mostly indexed in a row: then as many rows before the last one as there are turns hold the
        predecessors of all. For a row that they don't reach, there is one more query.
        """
        known = self._before(scope, session, max(ids), len(ids))
        reached = min(known) if len(known) == len(ids) else 0
        ordered = sorted(ids.union(known))
        found: dict[int, int] = {}
        for each in ids:
            place = bisect_left(ordered, each)
            before = ordered[place - 1 : place] if each > reached else self._before(scope, session, each, 1)
            if before:
                found[each] = before[0]
        return found

    def _before(self, scope: Scope, session: Session, before: int, limit: int) -> list[int]:
        """The ids of up to `limit` rows of a session just before this one."""
        kind, partition = session
        query = Query(
            partition,
            index="gsi1",
            last=numbered(before - 1),
            newest_first=True,
            limit=limit,
            resumable=False,
            keys_only=True,
        )
        return [kind.id_of(row.key) for row in self._table.query(scope, query).rows]
