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
    """Who speaks (`system`, `user`, `assistant`, `tool`, …) and the parts of what is said.

    `extra` holds the provider's own fields of the message, as JSON. `digest` marks a summary: this message
    stands in the place of older ones.
    """

    role: str
    parts: tuple[Part, ...] = ()
    extra: Json | None = None
    digest: Digest | None = None

    @classmethod
    def of(cls, role: str, text: str) -> Message:
        """A message of nothing but text."""
        return cls(role, (Text(text),))

    @property
    def text(self) -> str:
        """What its text parts say, a line for each."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> Iterator[ToolCall]:
        """The tools that it asks for."""
        return (part for part in self.parts if isinstance(part, ToolCall))

    @property
    def results(self) -> Iterator[ToolResult]:
        """What it brings back from tools."""
        return (part for part in self.parts if isinstance(part, ToolResult))

    @property
    def is_instruction(self) -> bool:
        """Whether it tells the model what it is, rather than take part in the talk."""
        return self.role in _INSTRUCTING

    @property
    def is_request(self) -> bool:
        """Whether a user says something here, rather than bring a tool's result."""
        return self.role == "user" and self.digest is None and not any(self.results)
