"""A row of an import as it was read: its kind, its place, its line."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from strata.domain.times import microseconds
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.lines import BEGIN, END, NEXT
from strata.domain.wire.transfer import Skipped, Unreadable, readable
from strata.services.people.ownership import Reported
from strata.services.transfer.kinds import BY_NAME, LineKind

_OWNED = ("observation", "episode")
"""Kinds whose rows name their owner themselves."""
_MADE = ("created_at", "started_at", "at", "marked_at", "updated_at")


@dataclass(frozen=True, slots=True)
class Seen:
    """A row of an import.

    Attributes:
        kind: its kind.
        index: its place among the sessions, the observations or the lines of the body, from 0 on.
        line: the row, of its kind's model.
    """

    kind: LineKind
    index: int
    line: Any

    @property
    def person(self) -> str | None:
        """The owner: the user that it names, else the owner of its session."""
        named: str | None = getattr(self.line, "user_id", None)
        return named or getattr(self.line, "session_user_id", None)

    @property
    def write(self) -> Reported | None:
        """The session that it would be kept in, with the user and the time that it names, if that matters."""
        name = self.kind.name
        if name == "session":
            return (self.line.id, self.line.user_id, None) if self.line.persist else None
        session = getattr(self.line, "session_id", None) or getattr(self.line, "conversation_id", None)
        if session is None:
            return None
        nobody = DEFAULT_OWNER if name == "episode" else None
        return session, self.person or nobody, self.made_at

    @property
    def made_at(self) -> int | None:
        """The time at which it was made (µs); None where it does not say."""
        times = (getattr(self.line, name, None) for name in _MADE)
        found = next((each for each in times if isinstance(each, datetime)), None)
        life = getattr(self.line, "life", None) or getattr(self.line, "run", None)
        return microseconds(found) if found else life if isinstance(life, int) else None

    def owned(self, owner: str | None) -> "Seen":
        """The row with its owner, unless it says that it is nobody's."""
        if self.kind.name not in _OWNED or "user_id" in self.line.model_fields_set:
            return self
        return replace(self, line=self.line.model_copy(update={"user_id": owner}))

    def skipped(self, reason: str) -> Skipped:
        """The row as one that the import does not take."""
        return Skipped(kind=self.kind.name, index=self.index, reason=reason)


def read_line(index: int, line: Any) -> Seen | Skipped | None:
    """A line of an export; None for those around the rows."""
    name = line.get("kind") if isinstance(line, dict) else None
    if name in (BEGIN, NEXT, END):
        return None
    kind = BY_NAME.get(name) if isinstance(name, str) else None
    if kind is None:
        reason = (
            line.reason if isinstance(line, Unreadable) else f"kind: should be one of {', '.join(BY_NAME)}"
        )
        return Skipped(kind="line", index=index, reason=reason)
    found = readable(kind.model, line)
    if isinstance(found, Unreadable):
        return Skipped(kind=kind.name, index=index, reason=found.reason)
    return Seen(kind, index, found)
