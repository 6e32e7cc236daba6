"""Ownership of sessions: the first user that a session is given owns it for good."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from strata.domain.errors import OwnedByAnother
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, AnyOf, AtMost, Condition, Equals, Item, Present, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.records.erasures import tombstone_key
from strata.services.records.owners import owned
from strata.services.records.people import consent_key
from strata.services.records.sessions import SESSION_KIND, listed, session_key

UNKEPT_SESSION_SECONDS = 7 * DAY
"""A session that keeps nothing is remembered so long, so that its writes are dropped."""
MARK = ("persist", "expires_at", "marked")
"""What a session that was marked loses when it keeps something again; `unkept_until` stays."""
TOMBSTONE_SECONDS = 3600
"""Late writes are dropped for so long: those of a person who was erased, and those in a session of theirs."""


def is_of_another(owner: str | None, named: str | None) -> bool:
    """Whether somebody owns what a call names, and it is not the user that the call names."""
    return bool(owner and named and owner != named)


def owner_of(session: Item | None, named: str | None) -> str | None:
    """The owner of a write in a session, given the user that the write names.

    Raises:
        OwnedByAnother: the session belongs to somebody else.
    """
    owner: str | None = session.get("user_id") if session else None
    if is_of_another(owner, named):
        raise OwnedByAnother("the session, or conversation, belongs to another user")
    return owner or named


Reported = tuple[str, str | None, int | None]
"""A write of the past: its session, the user that it names, and when it was (µs) where that is known."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """The decision about a write in a session.

    Attributes:
        session_id: the session.
        owner: the owner of the write; None for nobody.
        kept: whether anything of the write may be kept.
        claims: whether the session becomes `owner`'s by this write.
        session: the session's row as it was read.
    """

    session_id: str
    owner: str | None
    kept: bool
    claims: bool
    session: Item | None = None

    @property
    def claim(self) -> list[Update]:
        """The action that makes the session its owner's, where this write does."""
        if not self.claims or not self.owner:
            return []
        return [claiming(self.session_id, self.owner, self.session or {})]


class Ownership:
    """Decides whose a write is, and whether anything of it may be kept.

    Args:
        table: holds sessions and people's consent.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def admit(self, scope: Scope, session_id: str, session: Item | None, *named: str | None) -> Admitted:
        """Decide whose a write in this session is, by the users it names, and whether it may be kept.

        Nothing is kept where the session keeps nothing, or where it belongs, or by this write would belong,
        to somebody who opted out, who is being erased or who was erased within the last hour. Such a session
        would have become that person's, so later writes in it that name nobody are dropped, too; those that
        name somebody are kept if that person wants it, who may be the same one after a change of mind.

        Raises:
            OwnedByAnother: the session belongs to another user, or the write names two.
        """
        owner: str | None = (session or {}).get("user_id")
        before = owner
        for each in named:
            owner = owner_of({"user_id": owner}, each)
        kept = self._keeps(scope, session_id, session or {}, owner)
        claims = kept and owner is not None and not before
        return Admitted(session_id, owner, kept, claims, session)

    def _keeps(self, scope: Scope, session_id: str, session: Item, owner: str | None) -> bool:
        if keeps_nothing(session):
            return False
        unkept = self.unkept(scope, [owner]) if owner else set()
        if owner in unkept and not session.get("user_id"):
            self._mark(scope, session_id, owner)
        return self._is_kept(session, owner, unkept)

    def kept(self, scope: Scope, writes: Iterable[Reported]) -> dict[Reported, str | None]:
        """The owners of those of these writes that may be kept.

        The owner is the user that it names, else the session's.

        No session is marked for later writes: these writes report the past.
        """
        asked = set(writes)
        found = self._table.get_many(scope, list({session_key(each[0]) for each in asked}))
        sessions = {each[0]: found.get(session_key(each[0]), {}) for each in asked}
        owners = {session["user_id"] for session in sessions.values() if session.get("user_id")}
        unkept = self.unkept(scope, owners | {named for _, named, _ in asked if named})
        return {
            (session_id, named, at): named or sessions[session_id].get("user_id")
            for session_id, named, at in asked
            if self._is_kept(_before_mark(sessions[session_id], at), named, unkept)
        }

    def _is_kept(self, session: Item, named: str | None, unkept: set[str]) -> bool:
        if keeps_nothing(session):
            return False
        people = {session.get("user_id"), named} - {None}
        if people:
            return unkept.isdisjoint(people)
        return bool(session.get("unkept_until", 0) <= self._clock.now_us() // 1_000_000)

    def keeps_nobodys_episodes(self, scope: Scope) -> bool:
        """Whether ownerless episodes may be stored: not when the `default` user opted out."""
        return not self.unkept(scope, [DEFAULT_OWNER])

    def unkept(self, scope: Scope, people: Iterable[str]) -> set[str]:
        """The people among these about whom nothing new may be kept."""
        asked = set(people)
        keys = [make(each) for each in asked for make in (consent_key, tombstone_key)]
        rows = self._table.get_many(scope, keys) if keys else {}
        return {
            each
            for each in asked
            if tombstone_key(each) in rows or not rows.get(consent_key(each), {}).get("persist", True)
        }

    def _mark(self, scope: Scope, session_id: str, owner: str) -> None:
        """Mark an ownerless session, so that later writes in it that name nobody are dropped."""
        # the mark does not name the person: it would be the only thing stored about them
        end, key = self._end(scope, owner), session_key(session_id)
        until, nobodys = {"unkept_until": end}, Equals("user_id", None)
        unkept = until | {"persist": False, "expires_at": end, "marked": True}
        keeping = AnyOf((Equals("persist", None), Equals("persist", True)))
        again = AllOf((AtMost("unkept_until", end), Equals("marked", True), nobodys))
        new = Update(key, set=unkept, condition=Absent())
        known = Update(key, set=until, condition=AllOf((Present(), nobodys, keeping)))
        marked = Update(key, set=unkept, condition=again)
        for mark in (new, known, marked):
            with suppress(ConditionFailed):
                self._table.update(scope, mark)
                return

    def _end(self, scope: Scope, owner: str) -> int:
        """The second until which such a session keeps nothing; after an erasure, as long as the tombstone."""
        now = self._clock.now_us() // 1_000_000
        tombstone = self._table.get(scope, tombstone_key(owner))
        if tombstone is None:
            return now + UNKEPT_SESSION_SECONDS
        return int(tombstone.get("expires_at", now + TOMBSTONE_SECONDS))


def _before_mark(session: Item, at: int | None) -> Item:
    """The session as it was at a time: before it was marked it kept what came."""
    ends = session.get("unkept_until", session.get("expires_at"))
    began = session.get("started_at") if ends is None else (ends + 1 - UNKEPT_SESSION_SECONDS) * 1_000_000
    if at is None or began is None or at >= began:
        return session
    return {name: value for name, value in session.items() if name not in ("persist", "unkept_until")}


def is_marked(session: Item) -> bool:
    """Whether the service marked a new session, because of somebody of whom nothing is kept.

    It keeps nothing that comes without a name. A session that was asked to keep nothing is not marked.
    """
    return session.get("persist") is False and session.get("marked", False) is True


def keeps_nothing(session: Item) -> bool:
    """Whether nothing of a session is kept, whoever is named."""
    return not session.get("persist", True) and not is_marked(session)


def unmarked(session: Item) -> Item:
    """A session that keeps something again: without its mark, and in its place where it was started."""
    if not is_marked(session):
        return session
    rest = {name: value for name, value in session.items() if name not in MARK}
    if not session.get("started_at"):
        return rest
    return rest | listed(session["project"], session["started_at"], session["id"])


def claiming(session_id: str, owner: str, session: Item) -> Update:
    """The action that makes a session its owner's, who is the first that it keeps something of."""
    key, condition = session_key(session_id), claimable(owner)
    if not is_marked(session):
        # a mark that was made meanwhile would stay on a session that holds something
        unmarked_yet = AnyOf((Absent(), Equals("marked", None)))
        return Update(key, default=belonging(owner), condition=AllOf((condition, unmarked_yet)))
    place = {name: value for name, value in unmarked(session).items() if name not in session}
    as_read = AllOf((condition, Equals("persist", False), Equals("unkept_until", session["unkept_until"])))
    return Update(key, default=belonging(owner) | place, remove=MARK, condition=as_read)


def claimable(owner: str) -> Condition:
    """Holds while nobody else owns the session."""
    return AnyOf((Absent(), Equals("user_id", None), Equals("user_id", owner)))


def belonging(owner: str) -> Item:
    """The attributes that a session's row gets with its owner."""
    return {"user_id": owner} | owned(owner, SESSION_KIND)
