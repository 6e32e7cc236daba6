"""Conversations and notes that other tools keep on this machine."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Something that a person or an agent said.

    Attributes:
        role: who said it.
        text: the words, without what the tool put around them.
        at: when; None where the tool does not keep it.
        id: the tool's own id; None where it has none.
    """

    role: Literal["user", "assistant"]
    text: str
    at: datetime | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation, whose messages are read only when asked for.

    Attributes:
        id: the same at every reading, and another one's of no other conversation of its source.
        read: reads the messages, oldest first; may be called again.
        project: the name of the folder that it was about; None where there is none.
        title: its name; None where it has none.
        started: when it began; None where nothing tells.
        updated: when it last changed.
    """

    id: str
    read: Callable[[], Iterator[ChatMessage]]
    project: str | None = None
    title: str | None = None
    started: datetime | None = None
    updated: datetime | None = None


@dataclass(frozen=True, slots=True)
class ChatNote:
    """Something that a tool was told to remember.

    Attributes:
        text: the words.
        at: when it was written.
        title: its name; None where it has none.
        project: the project that it belongs to; None where it belongs to none.
        type: its kind in the tool's words.
        topic: its topic key; None where it has none.
    """

    text: str
    at: datetime
    title: str | None = None
    project: str | None = None
    type: str | None = None
    topic: str | None = None


class ChatSource(Protocol):
    """Conversations and notes of one tool. Nothing is changed, and no method raises for what it can't read.

    Attributes:
        name: the tool.
        unread: what was found and not understood, and how often; it grows with the reading.
    """

    name: str
    unread: Counter[str]

    def places(self) -> Sequence[Path]:
        """The places where the tool keeps something on this machine."""

    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the conversations that changed since then, or all."""

    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        """Yield the notes that were written since then, or all."""
