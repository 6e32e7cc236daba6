"""What a deterministic summary remembers of the messages it stands for."""

from __future__ import annotations

from dataclasses import dataclass

from strata.client.working_memory.reading import Json, Reader, filled


@dataclass(frozen=True, slots=True)
class ToolUse:
    """How often one tool was called, and how many of its results were errors."""

    name: str
    calls: int
    errors: int = 0

    def to_dict(self) -> Json:
        """As JSON."""
        return {"name": self.name, "calls": self.calls, "errors": self.errors}

    @classmethod
    def from_dict(cls, value: object, where: str = "tool") -> ToolUse:
        """From what `to_dict` gave.

        Raises:
            ValueError: it is something else.
        """
        reader = Reader(value, where)
        return cls(reader.text("name"), reader.count("calls"), reader.count("errors"))


@dataclass(frozen=True, slots=True)
class Digest:
    """The bones of a summary; a later summary is made from these, not from its text.

    Attributes:
        messages: how many messages it stands for.
        asked: what the user asked, first things first; the last at more length than the others.
        unquoted: how many requests between the first and the last of these are left out.
        tools: the tools that were called, most often called first.
        outcome: what the assistant said last, cut short.
        told: what a language model wrote about these messages, when one did.
    """

    messages: int = 0
    asked: tuple[str, ...] = ()
    unquoted: int = 0
    tools: tuple[ToolUse, ...] = ()
    outcome: str = ""
    told: str = ""

    def to_dict(self) -> Json:
        """As JSON."""
        return filled(
            messages=self.messages,
            asked=list(self.asked),
            unquoted=self.unquoted,
            tools=[tool.to_dict() for tool in self.tools],
            outcome=self.outcome,
            told=self.told,
        )

    @classmethod
    def from_dict(cls, value: object, where: str = "digest") -> Digest:
        """From what `to_dict` gave.

        Raises:
            ValueError: it is something else.
        """
        reader = Reader(value, where)
        return cls(
            reader.count("messages"),
            reader.each("asked", _text),
            reader.count("unquoted"),
            reader.each("tools", ToolUse.from_dict),
            reader.text("outcome"),
            reader.text("told"),
        )


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{where} must be a string")
    return value
