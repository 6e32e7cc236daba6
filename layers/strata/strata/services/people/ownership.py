"""Whose data a session holds: the first user it is given owns it, for good."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from strata.domain.errors import OwnedByAnother
from strata.domain.scope import Scope
from strata.domain.times import DAY
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
    Table,
    Update,
)
from strata.services.records.episodes import DEFAULT_OWNER
from strata.services.records.erasures import tombstone_key
from strata.services.records.owners import owned
from strata.services.records.people import consent_key
from strata.services.records.sessions import SESSION_KIND, session_key

UNKEPT_SESSION_SECONDS = 7 * DAY
"""How long the id of a session that keeps nothing is remembered, so that its writes are dropped."""
TOMBSTONE_SECONDS = 3600
"""How long nothing is kept that comes late: of a person who was erased, and in a session that was theirs."""


def owner_of(session: Item | None, named: str | None) -> str | None:
    """The owner of what is written in a session, given who the write names.

    Raises:
        OwnedByAnother: the session belongs to somebody else.
    """
    owner: str | None = session.get("user_id") if session else None
    if owner and named and owner != named:
        raise OwnedByAnother("the session belongs to another user")
    return owner or named


@dataclass(frozen=True, slots=True)
class Admitted:
    """A write in a session, as far as it concerns whose it is.

    Attributes:
        session_id: the session.
        owner: owns what is written; None for nobody.
        kept: whether anything of the write may be kept.
        claims: whether the session becomes `owner`'s by this write.
    """

    session_id: str
    owner: str | None
    kept: bool
    claims: bool

    @property
    def claim(self) -> list[Update]:
        """The action that makes the session its owner's, where this write does."""
        return [claim(self.session_id, self.owner)] if self.claims and self.owner else []


class Ownership:
    """Decides whether anything of a write may be kept, by whose it is.

    Args:
        table: where sessions are, and what people agree to.
        clock: the time.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def admit(self, scope: Scope, session_id: str, session: Item | None, *named: str | None) -> Admitted:
        """Decide whose a write in this session is, and whether anything of it may be kept, by who it names.

        Raises:
            OwnedByAnother: the session belongs to another user, or the write names two.
        """
        owner: str | None = (session or {}).get("user_id")
        before = owner
        for each in named:
            owner = owner_of({"user_id": owner}, each)
        kept = self.keeps(scope, session_id, session, owner)
        return Admitted(session_id, owner, kept, claims=kept and owner is not None and not before)

    def keeps(self, scope: Scope, session_id: str, session: Item | None, named: str | None) -> bool:
        """Whether anything of a write in this session may be kept, given who the write names.

        Not where the session keeps nothing, and not where it belongs, or would from now on, to somebody who
        wants nothing kept, or who is being erased or was within the last hour. A session in which such a
        person is the first to be named would have become theirs: nothing is kept of what comes there without
        a name.
        """
        seen = session or {}
        if not seen.get("persist", True):
            return False
        owner = seen.get("user_id") or named
        unkept = self.unkept(scope, [owner]) if owner else set()
        if owner in unkept and not seen.get("user_id"):
            self._remember(scope, session_id, owner)
        return self._is_kept(seen, named, unkept)

    def kept(self, scope: Scope, writes: Iterable[tuple[str, str | None]]) -> set[tuple[str, str | None]]:
        """Those of these writes of which something may be kept, each a session's id and who it names.

        Who is named here is remembered by no session: it is said of the past.
        """
        asked = set(writes)
        found = self._table.get_many(scope, list({session_key(session_id) for session_id, _ in asked}))
        sessions = {session_id: found.get(session_key(session_id), {}) for session_id, _ in asked}
        owners = {session["user_id"] for session in sessions.values() if session.get("user_id")}
        unkept = self.unkept(scope, owners | {named for _, named in asked if named})
        return {each for each in asked if self._is_kept(sessions[each[0]], each[1], unkept)}

    def _is_kept(self, session: Item, named: str | None, unkept: set[str]) -> bool:
        if not session.get("persist", True):
            return False
        people = {session.get("user_id"), named} - {None}
        if people:
            return unkept.isdisjoint(people)
        return bool(session.get("unkept_until", 0) <= self._clock.now_us() // 1_000_000)

    def keeps_nobodys_episodes(self, scope: Scope) -> bool:
        """Whether an episode of nobody's may be kept: it lies with `default`'s, who may want nothing kept."""
        return not self.unkept(scope, [DEFAULT_OWNER])

    def unkept(self, scope: Scope, people: Iterable[str]) -> set[str]:
        """Those of these people of whom nothing new may be kept."""
        asked = set(people)
        keys = [make(each) for each in asked for make in (consent_key, tombstone_key)]
        rows = self._table.get_many(scope, keys) if keys else {}
        return {
            each
            for each in asked
            if tombstone_key(each) in rows or not rows.get(consent_key(each), {}).get("persist", True)
        }

    def _remember(self, scope: Scope, session_id: str, owner: str) -> None:
        """Mark a session of nobody's, so that what comes there without a name is dropped."""
        # the mark names nobody either: it would be the one thing stored of them
        end, key = self._end(scope, owner), session_key(session_id)
        new = Update(key, set={"persist": False, "expires_at": end}, condition=Absent())
        known = Update(key, set={"unkept_until": end}, condition=AllOf((Present(), Equals("user_id", None))))
        for mark in (new, known):
            with suppress(ConditionFailed):
                self._table.update(scope, mark)
                return

    def _end(self, scope: Scope, owner: str) -> int:
        """The second until which such a session keeps nothing.

        Of somebody who was erased no longer than late writes of theirs are dropped.
        """
        now = self._clock.now_us() // 1_000_000
        tombstone = self._table.get(scope, tombstone_key(owner))
        if tombstone is None:
            return now + UNKEPT_SESSION_SECONDS
        return int(tombstone.get("expires_at", now + TOMBSTONE_SECONDS))


def claimable(owner: str) -> Condition:
    """Holds while nobody else owns the session."""
    return AnyOf((Absent(), Equals("user_id", None), Equals("user_id", owner)))


def claim(session_id: str, owner: str) -> Update:
    """Make `owner` the owner of a session that has none, known or not yet known."""
    return Update(session_key(session_id), default=belonging(owner), condition=claimable(owner))


def belonging(owner: str) -> Item:
    """What a session's row is given with its owner."""
    return {"user_id": owner} | owned(owner, SESSION_KIND)
