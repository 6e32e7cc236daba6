"""The data behind a deterministic summary."""

from __future__ import annotations

from dataclasses import dataclass

from strata.client.working_memory.reading import Count, Document


@dataclass(frozen=True, slots=True)
class ToolUse(Document):
    """Number of calls and failed calls of one tool."""

    name: str
    calls: Count
    errors: Count = 0


@dataclass(frozen=True, slots=True)
class Digest(Document):
    """The data of a summary; a later summary is made from it, not from the text.

    Attributes:
        messages: number of summarized messages.
        asked: the user's requests, oldest first; the last one is quoted at more length.
        unquoted: number of requests left out between the first and the last.
        tools: the called tools, most frequent first.
        outcome: the assistant's last message, truncated.
        told: the summary by a language model, if there was one.
    """

    messages: Count = 0
    asked: tuple[str, ...] = ()
    unquoted: Count = 0
    tools: tuple[ToolUse, ...] = ()
    outcome: str = ""
    told: str = ""
