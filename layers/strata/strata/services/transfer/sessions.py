"""Imports sessions.

What is said here about learning from a session stands against an older statement in an export, also where the
session itself is not here yet: a refusal may come before it.
"""

from strata.domain.redaction.texts import redacted_text
from strata.domain.scope import Scope
from strata.domain.text.strings import cut
from strata.domain.times import microseconds
from strata.domain.wire.fields import MAX_SUMMARY
from strata.domain.wire.lines import SessionLine
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AllOf, AnyOf, Condition, Equals, Item, Update
from strata.ports.table import Table
from strata.services.people.audit import AuditLog
from strata.services.people.ownership import MARK, belonging, claimable, is_marked
from strata.services.people.session_consent import refused_in
from strata.services.records.sessions import listed, session_key, summarized
from strata.services.table.retry import Overtaken, settled
from strata.services.table.transaction import Refused, transact
from strata.services.transfer.consents import ahead, imported_entry, is_ahead

_UNSTARTED = AnyOf((Absent(), Equals("started_at", None)))
_AT = "ai_consent_at"


class SessionImport:
    """Adds sessions that are not there yet."""

    def __init__(self, table: Table, clock: Clock, audit: AuditLog, *, redacting: bool) -> None:
        self._table = table
        self._clock = clock
        self._audit = audit
        self._redacting = redacting

    def add(self, scope: Scope, session: SessionLine, by: str) -> bool:
        """Add a session that the caller `by` reports; False where it is there already, or somebody else's.

        Raises:
            NotTaken: it agrees at a time in the future.
            Conflict: concurrent writers did not let it settle.
        """
        return settled(self._clock, "the session", lambda _: self._add(scope, session, by))

    def _add(self, scope: Scope, session: SessionLine, by: str) -> bool:
        there = self._table.get(scope, session_key(session.id)) or {}
        said = self._said(session, there)
        row = _lasting(session) | said
        if session.started_at and session.project:
            row |= self._started(session, session.project, microseconds(session.started_at))
        # one that writes have only named adds nothing to a session that is there
        condition: Condition = _UNSTARTED if session.started_at and session.persist else Absent()
        owner: Item = {}
        if session.user_id:  # an import does not write into a session that another user owns
            owner, condition = belonging(session.user_id), AllOf((condition, claimable(session.user_id)))
            if not session.started_at:
                condition = claimable(session.user_id)
                if there.get("user_id") == session.user_id:
                    return False
        entry: list[Action] = []
        if said:
            told = {"consent": session.ai_consent, "sessionId": session.id}
            entry = [imported_entry(self._audit, there.get("user_id") or session.user_id, by, told)]
            condition = AllOf((condition, AnyOf((Absent(), Equals(_AT, there.get(_AT))))))
        mark = tuple(name for name in MARK if name not in row) if session.persist and is_marked(there) else ()
        update = Update(session_key(session.id), set=row, default=owner, remove=mark, condition=condition)
        try:
            transact(self._table, scope, {"row": update, "entry": entry})
        except Refused as refused:
            if said and (refused.row("row") or {}).get(_AT) != there.get(_AT):
                raise Overtaken from None  # somebody said something else meanwhile
            return False
        return True

    def _said(self, session: SessionLine, there: Item) -> Item:
        """What it says about learning from it; nothing where something was said here that is newer."""
        if session.ai_consent is None:
            return {}
        now, before = self._clock.now_us(), there.get(_AT, 0)
        said: Item = {"ai_consent": session.ai_consent}
        if session.ai_consent_at is None:  # a refusal whose time nobody knows counts from now on
            timed = said if session.ai_consent else said | {_AT: now}
            return {} if "ai_consent" in there else timed
        at = microseconds(session.ai_consent_at)
        if is_ahead(session.ai_consent_at, now):
            if session.ai_consent:
                raise ahead(_AT)
            at = before if refused_in(there) else max(now, before + 1)
        return said | {_AT: at} if at > before else {}

    def _started(self, session: SessionLine, project: str, started: int) -> Item:
        summary, about = self._clean(session.summary), self._clean(session.about)
        row: Item = {
            "id": session.id,
            "project": project,
            "started_at": started,
            "message_count": session.message_count,
        }
        if session.persist or session.listed:
            row |= listed(project, started, session.id)
        if session.ended_at:
            row["ended_at"] = microseconds(session.ended_at)
        named = {"agent_id": session.agent_id, "external_type": session.external_type}
        row |= {name: value for name, value in named.items() if value}
        if summary:
            row |= summarized(project, started, session.id, summary, about)
        return row

    def _clean(self, summary: str | None) -> str | None:
        return cut(redacted_text(summary), MAX_SUMMARY) if summary and self._redacting else summary


def _lasting(session: SessionLine) -> Item:
    """The attributes of a session that is started or not."""
    row: Item = {
        name: value
        for name in ("unkept_until", "episode", "episode_owner", "expires_at")
        if (value := getattr(session, name)) is not None
    }
    flags = {"persist": session.persist, "auto_summarize": session.auto_summarize}
    row |= {name: False for name, value in flags.items() if not value}
    return row | ({"marked": True} if session.marked and not session.persist else {})
