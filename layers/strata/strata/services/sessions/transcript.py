"""Transcripts as summaries and episodes read them: without recalled memory, and of limited length."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from strata.domain.scope import Scope
from strata.domain.text.recalled import without_recalled
from strata.domain.wire.messages import Message
from strata.domain.worth import speaker

SPEAKERS = "user", "assistant"

FIRST, LAST = (200, 1_000_000), (1800, 4_000_000)
"""Messages at either end of a very long session that are read for its episode, and their characters.

Each message costs some 0.1 ms, each million characters 150 ms.
"""


class Transcripts(Protocol):
    """Reads transcripts of sessions from their events."""

    def transcript(self, scope: Scope, session_id: str) -> Sequence[Message]:
        """The session's events as messages; none when it has no events."""

    def app_of(self, scope: Scope, session_id: str) -> str | None:
        """The app that the session's events belong to; None when it has no event log."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The messages of a session.

    Attributes:
        messages: as they came.
        own: without recalled memory.
        from_events: whether the session's events tell them, and not its end.
    """

    messages: Sequence[Message]
    own: Sequence[Message]
    from_events: bool

    @classmethod
    def of(cls, messages: Sequence[Message], *, from_events: bool) -> "Transcript":
        """Drop recalled memory, and every message that holds nothing else."""
        return cls(messages, list(_own(messages)), from_events)

    def excerpt(self) -> Sequence[Message]:
        """Return the first and the last messages, as many as are read for an episode."""
        first = list(_within(self.own, *FIRST))
        last = list(_within(reversed(self.own[len(first) :]), *LAST))
        return [*first, *reversed(last)]


def _own(messages: Iterable[Message]) -> Iterator[Message]:
    for message in messages:
        text = message.text
        own = without_recalled(text)
        if own == text:
            yield message
        elif own := own.strip():
            by_tool = speaker(message) != message.role
            content = [{"type": "tool_result", "content": own}] if by_tool else own
            yield Message(role=message.role, content=content)


def _within(messages: Iterable[Message], most: int, characters: int) -> Iterator[Message]:
    for message in islice(messages, most):
        characters -= len(message.text) if speaker(message) in SPEAKERS else 0
        if characters < 0:
            return
        yield message
