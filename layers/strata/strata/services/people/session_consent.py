"""The consent of a session's person for that session alone (Fyso).

A refusal stops what is queued, too: whatever is learnt from the session has it as a condition. A consent
never overrides what the person refused for all of their sessions.
"""

from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.consent import SessionConsent
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AnyOf, Condition, Equals, Item, Update
from strata.ports.table import Table
from strata.services.people.audit import AuditLog
from strata.services.records.sessions import session_key
from strata.services.table.retry import settled


def refused_in(session: Item | None) -> bool:
    """Whether nothing may be learnt from this session."""
    return (session or {}).get("ai_consent") is False


class SessionConsents:
    """Records consent for single sessions, also for one that was only announced by it."""

    def __init__(self, table: Table, clock: Clock, audit: AuditLog) -> None:
        self._table = table
        self._clock = clock
        self._audit = audit

    def put(self, scope: Scope, session_id: str, consent: bool, by: str) -> SessionConsent:
        """Record whether models may be asked about, and anything be learnt from, a session.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        return settled(self._clock, "the consent", lambda _: self._write(scope, session_id, consent, by))

    def _write(self, scope: Scope, session_id: str, consent: bool, by: str) -> SessionConsent:
        key = session_key(session_id)
        owner: str | None = (self._table.get(scope, key) or {}).get("user_id")
        now = self._clock.now_us()
        nobodys = AnyOf((Absent(), Equals("user_id", None)))
        unchanged: Condition = Equals("user_id", owner) if owner else nobodys  # the entry names the owner
        said = Update(key, set={"ai_consent": consent, "ai_consent_at": now}, condition=unchanged)
        entry = self._audit.entry(
            "consent_given" if consent else "consent_refused",
            owner,
            by,
            {"consent": consent, "sessionId": session_id},
        )
        self._table.transact(scope, [said, entry])
        return SessionConsent(
            session_id=session_id, ai_consent=consent, external_ref=owner, updated_at=rfc3339(now)
        )
