"""One step of an erasure: finds rows of the person and erases them, for some rows and seconds."""

from collections.abc import Iterable, Iterator, Set

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Item
from strata.ports.table import Query, Row, Table
from strata.services.knowledge.felling import Felling
from strata.services.people.holdings import (
    PAGE,
    in_session,
    is_theirs,
    own_partitions,
    owned_facts,
    owned_rows,
    owned_sessions,
    rows_of,
    session_of,
)
from strata.services.privacy.erasure.batch import RemovalBatch
from strata.services.privacy.erasure.remove import Remover, empty_app
from strata.services.privacy.registry import holding_of
from strata.services.records.events import event_count_key
from strata.services.records.owners import owner_pk
from strata.services.records.people import FACTS_PREFIX
from strata.services.records.sessions import SESSION_SK
from strata.services.table.transaction import write_what_holds

ROWS, SECONDS = 2000, 20
"""About how many rows one step erases at most, and how long it takes."""


class StepSpent(Exception):
    """The step has erased as much, or taken as long, as one step may."""


class ErasureStep:
    """One step of an erasure.

    Attributes:
        batch: writes the removals.
    """

    def __init__(
        self, table: Table, clock: Clock, scope: Scope, job: Item, batch: RemovalBatch, *, rows: int
    ) -> None:
        self.batch = batch
        self._table = table
        self._clock = clock
        self._scope = scope
        self._owner: str = job["owner"]
        self._channel: str | None = job.get("external_type")
        self._remover = Remover(job["erasure_id"], clock.now_us())
        self._until = clock.now_us() + SECONDS * 1_000_000
        self._rows = rows
        self._apps: set[str] = set()

    def erase_rows(self) -> None:
        """Erase the sessions of the person with all they hold, then every other row that names the person.

        Of one channel, erase its sessions, and the facts that came from them.

        Raises:
            StepSpent: there is more.
        """
        sessions: list[str] = []
        for row in self._owned(owned_sessions(self._owner)):
            if self._channel is not None and row.item.get("external_type") != self._channel:
                continue
            session_id = session_of(row.key)
            self._erase(row)
            if session_id is not None:
                sessions.append(session_id)
            if len(sessions) == PAGE:
                self.empty_sessions(sessions)
                sessions = []
        self.empty_sessions(sessions)
        if self._channel is not None:
            return
        facts: dict[str, None] = {}  # partitions, in order: one for each agent that knows the person
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
        """Erase the rows and memories in sessions whose own rows were emptied.

        Raises:
            StepSpent: there is more.
        """
        self._flush()  # the sessions' own rows: from here on nothing new is kept in them
        emptied = list(sessions)
        if emptied:
            felling = Felling(self._table, self._clock)
            felling.fell_before_owner(self._scope, emptied)
            if self._channel is not None:
                self._erase_facts(frozenset(emptied))
                felling.fell_sessions(self._scope, self._owner, emptied)
        for session_id in emptied:
            rows, *memories = in_session(session_id)
            stays = event_count_key(session_id).sk  # the stream deletes it once its log is gone
            for row in self._rows_of(rows):
                if row.key.sk not in (SESSION_SK, stays):
                    self._erase(row)
            for query in memories:
                for row in self._rows_of(query):
                    if is_theirs(row.key, row.item, self._owner):
                        self._erase(row)
        self._flush()

    def _erase_facts(self, sessions: Set[str]) -> None:
        """Erase the facts that came from these sessions."""
        for row in self._owned(owned_facts(self._owner)):
            if row.item.get("session_id") in sessions:
                self._erase(row)

    def check_spent(self) -> None:
        """End the step when it has done its share.

        Raises:
            StepSpent: it has; everything that waited was written.
        """
        if self.batch.taken >= self._rows or self._clock.now_us() > self._until:
            self._flush()
            raise StepSpent

    def _owned(self, query: Query) -> Iterator[Row]:
        """The rows of a query that name the person also as they are in the table now."""
        mine = owner_pk(self._owner)
        return (row for row in self._rows_of(query) if not row.item or row.item.get("gsi3pk") == mine)

    def _rows_of(self, query: Query) -> Iterator[Row]:
        return rows_of(self._table, self._scope, query, self._clock.now_us() / 1e6)

    def _erase(self, row: Row) -> None:
        self.batch.add(self._remover.removal(row.key, row.item), row.item)
        if "app" in row.item:
            self._apps.add(row.item["app"])
        self.check_spent()

    def _flush(self) -> None:
        self.batch.flush()
        apps, self._apps = self._apps, set()
        for app in apps:
            write_what_holds(self._table, self._scope, [empty_app(app)])
