"""One message of a conversation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from strata.client.working_memory.digest import Digest
from strata.client.working_memory.parts import Part, Text, ToolCall, ToolResult
from strata.client.working_memory.reading import Json, WholeDocument

_INSTRUCTING = frozenset({"system", "developer"})


@dataclass(frozen=True, slots=True)
class Message(WholeDocument):
    """One message: a role (`system`, `user`, `assistant`, `tool`, …) and its parts.

    `extra` holds the provider's own fields of the message, as JSON. `digest` marks a summary that replaces
    older messages.
    """

    role: str
    parts: tuple[Part, ...] = ()
    extra: Json | None = None
    digest: Digest | None = None

    @classmethod
    def of(cls, role: str, text: str) -> Message:
        """A message with one text part."""
        return cls(role, (Text(text),))

    @property
    def text(self) -> str:
        """Its text parts, a line for each."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> Iterator[ToolCall]:
        """Its tool calls."""
        return (part for part in self.parts if isinstance(part, ToolCall))

    @property
    def results(self) -> Iterator[ToolResult]:
        """Its tool results."""
        return (part for part in self.parts if isinstance(part, ToolResult))

    @property
    def is_instruction(self) -> bool:
        """Whether it instructs the model and is not part of the dialogue."""
        return self.role in _INSTRUCTING

    @property
    def is_request(self) -> bool:
        """Whether a user speaks, as opposed to a tool's result."""
        return self.role == "user" and self.digest is None and not any(self.results)
