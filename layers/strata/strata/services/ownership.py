"""Whose data a session holds: the first user it is given owns it, for good."""

from strata.domain.errors import OwnedByAnother
from strata.ports import Absent, AnyOf, Condition, Equals, Item, Update
from strata.services.records import SESSION_KIND, owned, session_key


def owner_of(session: Item | None, named: str | None) -> str | None:
    """The owner of what is written in a session, given who the write names.

    Raises:
        OwnedByAnother: the session belongs to somebody else.
    """
    owner: str | None = session.get("user_id") if session else None
    if owner and named and owner != named:
        raise OwnedByAnother("the session belongs to another user")
    return owner or named


def claimable(owner: str) -> Condition:
    """Holds while nobody else owns the session."""
    return AnyOf((Absent(), Equals("user_id", None), Equals("user_id", owner)))


def claim(session_id: str, owner: str) -> Update:
    """Make `owner` the owner of a session that has none, known or not yet known."""
    return Update(session_key(session_id), default=belonging(owner), condition=claimable(owner))


def belonging(owner: str) -> Item:
    """What a session's row is given with its owner."""
    return {"user_id": owner} | owned(owner, SESSION_KIND)
