"""Whose data a session holds: the first user it is given owns it, for good."""

from collections.abc import Iterable
from contextlib import suppress

from strata.domain.errors import OwnedByAnother
from strata.domain.scope import Scope
from strata.ports import Absent, AnyOf, Condition, ConditionFailed, Equals, Item, Table, Update
from strata.services.records import SESSION_KIND, consent_key, owned, session_key, tombstone_key

UNKEPT_SESSION_SECONDS = 7 * 86400
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


def keeps(table: Table, scope: Scope, session: Item | None, named: str | None) -> bool:
    """Whether anything of a write in this session may be kept, given who the write names.

    Not where the session keeps nothing, and not where it belongs, or would from now on, to somebody who wants
    nothing kept, or who is being erased or was within the last hour.
    """
    if session is not None and not session.get("persist", True):
        return False
    owner = (session or {}).get("user_id") or named
    return not owner or owner not in unkept(table, scope, [owner])


def unkept(table: Table, scope: Scope, people: Iterable[str]) -> set[str]:
    """Those of these people of whom nothing new may be kept."""
    asked = set(people)
    rows = table.get_many(scope, [make(each) for each in asked for make in (consent_key, tombstone_key)])
    return {
        each
        for each in asked
        if tombstone_key(each) in rows or not rows.get(consent_key(each), {}).get("persist", True)
    }


def unkept_until(now: int) -> Item:
    """What a session's row is given (µs `now`) that keeps nothing."""
    return {"persist": False, "expires_at": now // 1_000_000 + UNKEPT_SESSION_SECONDS}


def remember_unkept(table: Table, scope: Scope, session_id: str, owner: str, now: int) -> None:
    """Let what is sent (from µs `now`) to a new session without its owner's name be taken, and dropped.

    Of somebody who was erased no longer than late writes of theirs are dropped.
    """
    tombstone = table.get(scope, tombstone_key(owner))
    mark = unkept_until(now)
    if tombstone is not None:
        mark["expires_at"] = tombstone.get("expires_at", now // 1_000_000 + TOMBSTONE_SECONDS)
    with suppress(ConditionFailed):
        table.update(scope, Update(session_key(session_id), set=mark, condition=Absent()))


def claimable(owner: str) -> Condition:
    """Holds while nobody else owns the session."""
    return AnyOf((Absent(), Equals("user_id", None), Equals("user_id", owner)))


def claim(session_id: str, owner: str) -> Update:
    """Make `owner` the owner of a session that has none, known or not yet known."""
    return Update(session_key(session_id), default=belonging(owner), condition=claimable(owner))


def belonging(owner: str) -> Item:
    """What a session's row is given with its owner."""
    return {"user_id": owner} | owned(owner, SESSION_KIND)
