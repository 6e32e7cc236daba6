"""Sessions: starting them, and listing the recent ones and their summaries."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nlargest

from strata.domain.errors import LimitReached, NotFound
from strata.domain.scope import Scope
from strata.domain.summary import unquoted
from strata.domain.times import microseconds
from strata.domain.wire.sessions import NewSession, Session
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, AnyOf, Condition, Equals, Item, Present, Update
from strata.ports.table import Query, Table
from strata.services.people.consent import refusing
from strata.services.people.ownership import (
    MARK,
    UNKEPT_SESSION_SECONDS,
    Ownership,
    belonging,
    claimable,
    claiming,
    is_marked,
    is_of_another,
    owner_of,
)
from strata.services.records.events import log_key
from strata.services.records.sessions import (
    listed,
    project_sessions,
    project_summaries,
    session_key,
    to_session,
)
from strata.services.stream.current_totals import CurrentTotals
from strata.services.table.parallel import Parallel
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, update

ACTIVE_SECONDS = 300
"""Seconds for which a session is under way after its last event."""


@dataclass(frozen=True, slots=True)
class SessionCatalog:
    """Starts and lists sessions."""

    table: Table
    clock: Clock
    totals: CurrentTotals
    ownership: Ownership
    parallel: Parallel
    make_room: Callable[[Scope], None]

    def start(self, scope: Scope, new: NewSession) -> Session:
        """Make the session, or return the one with this id, unchanged.

        Raises:
            OwnedByAnother: the session belongs to another user.
            LimitReached: a new one would be one too many for the tenant.
            Conflict: concurrent writers did not let this one settle.
        """
        try:
            self.make_room(scope)
        except LimitReached:
            if not (self.table.get(scope, session_key(new.id)) or {}).get("started_at"):
                raise
        admitted = self.ownership.admit(scope, new.id, None, new.user_id)
        beginning = new if admitted.kept else new.model_copy(update={"persist": False})

        def attempt(refused: Refused | None) -> Session:
            seen = None if refused is None else refused.row("session")
            begin = self._beginning(beginning, seen, claims=admitted.kept, chosen=not new.persist)
            try:
                return self._shown(scope, update(self.table, scope, "session", begin))
            except Refused as failed:
                there = failed.row("session")
                owner_of(there, new.user_id)
                if there is None or not there.get("started_at"):
                    raise
            if is_marked(there) and not new.persist:  # what was marked is asked for now, and stays
                asked = Update(session_key(new.id), remove=("marked",), condition=Equals("marked", True))
                there = update(self.table, scope, "session", asked)
            elif admitted.claims and admitted.owner and not there.get("user_id"):
                claim = claiming(new.id, admitted.owner, there)
                there = update(self.table, scope, "session", claim)
            return self._shown(scope, there)

        return settled(self.clock, "the session", attempt)

    def _beginning(self, new: NewSession, seen: Item | None, *, claims: bool, chosen: bool) -> Update:
        """The update that starts a session, as it was seen where writes have named it before.

        A session that keeps nothing is forgotten after a while, unless it holds something already: that
        remains its owner's. `chosen` says that its caller wants nothing kept; what the service marked because
        of somebody who was named keeps again what names others.
        """
        now = self.clock.now_us()
        started = min(microseconds(new.started_at), now) if new.started_at else now
        fields: Item = {"id": new.id, "project": new.project, "started_at": started, "message_count": 0}
        default: Item = {}
        remove: tuple[str, ...] = ()
        as_seen = AllOf(
            (Equals("started_at", None), Equals("unkept_until", (seen or {}).get("unkept_until")))
        )
        unstarted: Condition = AnyOf((Absent(), as_seen))
        if new.persist:
            fields |= listed(new.project, started, new.id)
            remove = MARK if seen and is_marked(seen) else ()
        else:
            fields["persist"] = False
            remove = ("unkept_until", "marked") if chosen else ()
            unstarted = AllOf((Present(), Equals("started_at", None))) if seen else Absent()
            if not seen:
                default["expires_at"] = now // 1_000_000 + UNKEPT_SESSION_SECONDS
        if not new.auto_summarize:
            fields["auto_summarize"] = False
        if new.agent_id:
            fields["agent_id"] = new.agent_id
        if new.external_type:
            fields["external_type"] = new.external_type
        if not new.user_id:
            return Update(
                session_key(new.id), set=fields, default=default, remove=remove, condition=unstarted
            )
        return Update(
            session_key(new.id),
            set=fields,
            default=default | (belonging(new.user_id) if claims else {}),
            remove=remove,
            condition=AllOf((unstarted, claimable(new.user_id))),
        )

    def recent(
        self,
        scope: Scope,
        project: str | None,
        limit: int,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[Session]:
        """Return the newest sessions, newest first; of all the tenant's projects when none is named.

        A user or an agent that is named has only their own.
        """
        names = [project] if project is not None else self.totals.projects(scope)
        asked = {"user_id": user_id, "agent_id": agent_id}
        named = tuple(Equals(name, value) for name, value in asked.items() if value is not None)
        only = AllOf(named) if named else None
        groups = self.parallel.each([partial(self._newest, scope, name, limit, only) for name in names])
        rows = (row for group in groups for row in group)
        newest = nlargest(limit, rows, key=lambda row: row["gsi1sk"])
        return [to_session(row) for row in self._given(scope, newest)]

    def activity(self, scope: Scope, now: int) -> tuple[int, float]:
        """Return how many sessions are under way (µs `now`), and the seconds since the last one ended.

        A session is under way that has not ended, and began or got an event in the last five minutes.
        """
        rows = [row for name in self.totals.projects(scope) for row in self._newest(scope, name, 20)]
        open_ones = [row for row in rows if not row.get("ended_at")]
        keys = [log_key(row["id"]) for row in open_ones]
        logs = self.table.get_many(scope, keys) if keys else {}
        since = now - ACTIVE_SECONDS * 1_000_000
        changed = [
            max(row["started_at"], logs.get(key, {}).get("updated_at", 0))
            for row, key in zip(open_ones, keys, strict=True)
        ]
        ended = max((row["ended_at"] for row in rows if row.get("ended_at")), default=None)
        return sum(1 for at in changed if at > since), math.inf if ended is None else (now - ended) / 1e6

    def lacks_projects(self, scope: Scope) -> bool:
        """Whether `recent` of all projects may lack some: more changes wait than a read counts."""
        return self.totals.is_behind(scope)

    def _newest(self, scope: Scope, project: str, limit: int, only: Condition | None = None) -> list[Item]:
        query = Query(
            project_sessions(project),
            index="gsi1",
            newest_first=True,
            limit=limit,
            where=only,
            resumable=False,
        )
        return [row.item for row in self.table.query(scope, query).rows]

    def summaries(self, scope: Scope, project: str, limit: int) -> list[str]:
        """Return the newest summaries of a project's ended sessions, newest first."""
        return [row["summary"] for row in self.summarized(scope, project, limit)]

    def summarized(self, scope: Scope, project: str, limit: int) -> list[Item]:
        """Return the rows of a project's newest sessions that have a summary, newest first.

        Those of people who refuse come without a line, and a summary that quotes them without its quotations.
        """
        query = Query(
            project_summaries(project), index="gsi2", newest_first=True, limit=limit, resumable=False
        )
        return self._given(scope, [row.item for row in self.table.query(scope, query).rows])

    def get(self, scope: Scope, session_id: str, user_id: str | None = None) -> Session:
        """Return a session.

        Raises:
            NotFound: there is no such session, or it is another user's than the one named.
        """
        for row in self.rows(scope, [session_id]):
            if is_of_another(row.get("user_id"), user_id):
                break
            return to_session(row)
        raise NotFound("no such session")

    def rows(self, scope: Scope, ids: Sequence[str]) -> list[Item]:
        """Return the rows of those of these sessions that were started, without the lines of who refuses."""
        rows = self.table.get_many(scope, [session_key(each) for each in ids]) if ids else {}
        return self._given(scope, [row for row in rows.values() if row.get("started_at")])

    def _shown(self, scope: Scope, row: Item) -> Session:
        return to_session(self._given(scope, [row])[0])

    def _given(self, scope: Scope, rows: Sequence[Item]) -> list[Item]:
        people = {row["user_id"] for row in rows if row.get("user_id") and row.get("summary")}
        silent = refusing(self.table, scope, people)
        return [
            _unquoted(row) if row.get("user_id") in silent and row.get("summary") else row for row in rows
        ]


def _unquoted(row: Item) -> Item:
    """A session that tells nothing of what was said in it but what its caller gave for its summary."""
    return row | {"about": "", "summary": unquoted(row["summary"])}
