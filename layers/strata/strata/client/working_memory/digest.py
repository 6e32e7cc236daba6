"""What a deterministic summary remembers of the messages it stands for."""

from __future__ import annotations

from dataclasses import dataclass

from strata.client.working_memory.reading import Count, Document


@dataclass(frozen=True, slots=True)
class ToolUse(Document):
    """How often one tool was called, and how many of its results were errors."""

    name: str
    calls: Count
    errors: Count = 0


@dataclass(frozen=True, slots=True)
class Digest(Document):
    """The bones of a summary; a later summary is made from these, not from its text.

    Attributes:
        messages: how many messages it stands for.
        asked: what the user asked, first things first; the last at more length than the others.
        unquoted: how many requests between the first and the last of these are left out.
        tools: the tools that were called, most often called first.
        outcome: what the assistant said last, cut short.
        told: what a language model wrote about these messages, when one did.
    """

    messages: Count = 0
    asked: tuple[str, ...] = ()
    unquoted: Count = 0
    tools: tuple[ToolUse, ...] = ()
    outcome: str = ""
    told: str = ""
