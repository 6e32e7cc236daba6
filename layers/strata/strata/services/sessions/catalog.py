"""Sessions: start them, list the recent ones and their summaries."""

from collections.abc import Sequence
from functools import partial
from heapq import nlargest

from strata.domain.errors import Conflict
from strata.domain.scope import Scope
from strata.domain.wire.sessions import NewSession, Session
from strata.ports import (
    Absent,
    AllOf,
    AnyOf,
    Clock,
    Condition,
    ConditionFailed,
    Equals,
    Item,
    Present,
    Query,
    Table,
    Update,
)
from strata.services.people.ownership import (
    UNKEPT_SESSION_SECONDS,
    Ownership,
    belonging,
    claim,
    claimable,
    owner_of,
)
from strata.services.records.sessions import (
    listed,
    project_sessions,
    project_summaries,
    session_key,
    to_session,
)
from strata.services.stream.totals import Totals
from strata.services.table.parallel import Parallel
from strata.services.table.retry import attempts


class SessionCatalog:
    """Start and list sessions."""

    def __init__(
        self, table: Table, clock: Clock, totals: Totals, ownership: Ownership, rounds: Parallel
    ) -> None:
        self._table = table
        self._rounds = rounds
        self._clock = clock
        self._totals = totals
        self._ownership = ownership

    def start(self, scope: Scope, new: NewSession) -> Session:
        """Make the session, or return the one that has this id, unchanged.

        Raises:
            OwnedByAnother: the session belongs to another user.
        """
        kept = self._ownership.keeps(scope, new.id, None, new.user_id)
        beginning = new if kept else new.model_copy(update={"persist": False})
        existing: Item | None = None
        for _ in attempts():
            known = existing is not None
            try:
                return to_session(
                    self._table.update(scope, self._beginning(beginning, known=known, claims=kept))
                )
            except ConditionFailed as failed:
                existing = failed.failures.get(0)
            if existing is None:
                continue
            owner_of(existing, new.user_id)
            if not existing.get("started_at"):
                continue
            if kept and new.user_id and not existing.get("user_id"):
                try:
                    existing = self._table.update(scope, claim(new.id, new.user_id))
                except ConditionFailed:
                    continue
            return to_session(existing)
        raise Conflict("the session is being written by others; try again")

    def _beginning(self, new: NewSession, *, known: bool, claims: bool) -> Update:
        """What starts a session; of one that was only named before it is `known` what it holds already.

        One that keeps nothing is forgotten after a while, unless it holds something: that stays its owner's.
        """
        now = self._clock.now_us()
        fields: Item = {"id": new.id, "project": new.project, "started_at": now, "message_count": 0}
        default: Item = {}
        unstarted: Condition = AnyOf((Absent(), Equals("started_at", None)))
        if new.persist:
            fields |= listed(new.project, now, new.id)
        else:
            fields["persist"] = False
            unstarted = AllOf((Present(), Equals("started_at", None))) if known else Absent()
            if not known:
                default["expires_at"] = now // 1_000_000 + UNKEPT_SESSION_SECONDS
        if not new.auto_summarize:
            fields["auto_summarize"] = False
        if new.agent_id:
            fields["agent_id"] = new.agent_id
        if not new.user_id:
            return Update(session_key(new.id), set=fields, default=default, condition=unstarted)
        return Update(
            session_key(new.id),
            set=fields,
            default=default | (belonging(new.user_id) if claims else {}),
            condition=AllOf((unstarted, claimable(new.user_id))),
        )

    def recent(self, scope: Scope, project: str | None, limit: int) -> list[Session]:
        """The newest sessions, newest first; of every project of the tenant when none is named."""
        names = [project] if project is not None else self._totals.projects(scope)
        groups = self._rounds.each([partial(self._newest, scope, name, limit) for name in names])
        rows = (row for group in groups for row in group)
        return [to_session(row) for row in nlargest(limit, rows, key=lambda row: row["gsi1sk"])]

    def _newest(self, scope: Scope, project: str, limit: int) -> list[Item]:
        query = Query(
            project_sessions(project), index="gsi1", newest_first=True, limit=limit, resumable=False
        )
        return [row.item for row in self._table.query(scope, query).rows]

    def summaries(self, scope: Scope, project: str, limit: int) -> list[str]:
        """The newest summaries of a project's ended sessions, newest first."""
        return [row["summary"] for row in self.summarized(scope, project, limit)]

    def summarized(self, scope: Scope, project: str, limit: int) -> list[Item]:
        """The rows of a project's newest sessions that have a summary, newest first."""
        query = Query(
            project_summaries(project), index="gsi2", newest_first=True, limit=limit, resumable=False
        )
        return [row.item for row in self._table.query(scope, query).rows]

    def rows(self, scope: Scope, ids: Sequence[str]) -> list[Item]:
        """The rows of those of these sessions that were started."""
        rows = self._table.get_many(scope, [session_key(each) for each in ids]) if ids else {}
        return [row for row in rows.values() if row.get("started_at")]
