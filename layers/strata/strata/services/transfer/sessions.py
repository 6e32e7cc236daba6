"""Imports sessions."""

from strata.domain.redaction.texts import redacted_text
from strata.domain.scope import Scope
from strata.domain.text.strings import cut
from strata.domain.times import microseconds
from strata.domain.wire.fields import MAX_SUMMARY
from strata.domain.wire.lines import SessionLine
from strata.ports.rows import Absent, AllOf, AnyOf, Condition, Equals, Item, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.people.ownership import belonging, claimable
from strata.services.records.sessions import listed, session_key, summarized

_UNSTARTED = AnyOf((Absent(), Equals("started_at", None)))


class SessionImport:
    """Adds sessions that are not there yet."""

    def __init__(self, table: Table, *, redacting: bool) -> None:
        self._table = table
        self._redacting = redacting

    def add(self, scope: Scope, session: SessionLine) -> bool:
        """Add a session; False where it is there already, or somebody else's."""
        row = _lasting(session)
        if session.started_at and session.project:
            row |= self._started(session, session.project, microseconds(session.started_at))
        # one that writes have only named adds nothing to a session that is there
        condition: Condition = _UNSTARTED if session.started_at and session.persist else Absent()
        owner: Item = {}
        if session.user_id:  # an import does not write into a session that another user owns
            owner, condition = belonging(session.user_id), AllOf((condition, claimable(session.user_id)))
            if not session.started_at:
                condition = claimable(session.user_id)
                if self._owner(scope, session.id) == session.user_id:
                    return False
        try:
            self._table.update(
                scope, Update(session_key(session.id), set=row, default=owner, condition=condition)
            )
        except ConditionFailed:
            return False
        return True

    def _owner(self, scope: Scope, session_id: str) -> str | None:
        return (self._table.get(scope, session_key(session_id)) or {}).get("user_id")

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
        for name in ("unkept_until", "episode", "episode_owner", "expires_at", "ai_consent")
        if (value := getattr(session, name)) is not None
    }
    if session.ai_consent_at:
        row["ai_consent_at"] = microseconds(session.ai_consent_at)
    flags = {"persist": session.persist, "auto_summarize": session.auto_summarize}
    return row | {name: False for name, value in flags.items() if not value}
