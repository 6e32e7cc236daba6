"""One step of an erasure: what it finds it erases, until it has done its share."""

from collections.abc import Iterable, Iterator

from strata.domain.scope import Scope
from strata.ports import Clock, Item, Query, Row, Table
from strata.services.privacy.erasure.batch import Batch
from strata.services.privacy.erasure.find import (
    PAGE,
    in_session,
    is_theirs,
    own_partitions,
    owned_rows,
    owned_sessions,
    rows_of,
    session_of,
)
from strata.services.privacy.erasure.remove import RemovalMaker, empty_app
from strata.services.privacy.registry import holding_of
from strata.services.records.events import event_count_key
from strata.services.records.owners import owner_pk
from strata.services.records.people import FACTS_PREFIX
from strata.services.records.sessions import SESSION_SK
from strata.services.table.transaction import write_what_holds

ROWS, SECONDS = 2000, 20
"""What one step erases and takes at most, about."""


class Enough(Exception):
    """The step has done its share."""


class Step:
    """One step's finding and erasing, until it has done its share."""

    def __init__(
        self, table: Table, clock: Clock, scope: Scope, job: Item, batch: Batch, *, rows: int
    ) -> None:
        self.batch = batch
        self._table = table
        self._clock = clock
        self._scope = scope
        self._owner: str = job["owner"]
        self._removing = RemovalMaker(job["erasure_id"], clock.now_us())
        self._until = clock.now_us() + SECONDS * 1_000_000
        self._rows = rows
        self._apps: set[str] = set()

    def erase_what_is_theirs(self) -> None:
        """Empty the sessions they own, then erase what else names them.

        Raises:
            Enough: there is more.
        """
        sessions: list[str] = []
        for row in self._owned(owned_sessions(self._owner)):
            session_id = session_of(row.key)
            self._erase(row)
            if session_id is not None:
                sessions.append(session_id)
            if len(sessions) == PAGE:
                self.empty_sessions(sessions)
                sessions = []
        self.empty_sessions(sessions)
        facts: dict[str, None] = {}
        for row in self._owned(owned_rows(self._owner)):
            if row.key.pk.startswith(FACTS_PREFIX):
                facts[row.key.pk] = None
            else:
                self._erase(row)
        for query in (
            *(Query(pk, limit=PAGE, expired=True) for pk in facts),
            *own_partitions(self._owner),
        ):
            for row in self._rows_of(query):
                if not holding_of(row.key).kept:
                    self._erase(row)
        self._flush()

    def empty_sessions(self, sessions: Iterable[str]) -> None:
        """Erase what sessions hold that were marked as emptied.

        Raises:
            Enough: there is more.
        """
        self._flush()  # from here on nothing new is kept in them
        for session_id in sessions:
            rows, *memories = in_session(session_id)
            stays = event_count_key(session_id).sk  # the stream takes it away, once its log is gone
            for row in self._rows_of(rows):
                if row.key.sk not in (SESSION_SK, stays):
                    self._erase(row)
            for query in memories:
                for row in self._rows_of(query):
                    if is_theirs(row.key, row.item, self._owner):
                        self._erase(row)
        self._flush()

    def go_on_if_time(self) -> None:
        """Raises `Enough` when there is none left."""
        if self.batch.taken >= self._rows or self._clock.now_us() > self._until:
            self._flush()
            raise Enough

    def _owned(self, query: Query) -> Iterator[Row]:
        """Rows that name the person, also as they are in the table now."""
        mine = owner_pk(self._owner)
        return (row for row in self._rows_of(query) if not row.item or row.item.get("gsi3pk") == mine)

    def _rows_of(self, query: Query) -> Iterator[Row]:
        return rows_of(self._table, self._scope, query, self._clock.now_us() / 1e6)

    def _erase(self, row: Row) -> None:
        self.batch.add(self._removing.of(row.key, row.item), row.item)
        if "app" in row.item:
            self._apps.add(row.item["app"])
        self.go_on_if_time()

    def _flush(self) -> None:
        self.batch.flush()
        apps, self._apps = self._apps, set()
        for app in apps:
            write_what_holds(self._table, self._scope, [empty_app(app)])
