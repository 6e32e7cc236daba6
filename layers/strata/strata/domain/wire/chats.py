"""Imports of other tools' chats as they go over the wire, in the shapes of agtOS."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from strata.domain.wire.base import Wire

SourceName = Literal[
    "claude-code",
    "cursor",
    "windsurf",
    "aider",
    "copilot",
    "codex",
    "chatgpt",
    "claude-export",
    "engram",
    "mem0",
    "claude-mem",
]
_THEIRS = {"claude": "claude-code"}
"""Names by which agtOS's documents call a source."""


def _ours(name: object) -> object:
    return _THEIRS.get(name, name) if isinstance(name, str) else name


AskedSource = Annotated[SourceName, BeforeValidator(_ours)]


class Source(Wire):
    """A tool whose conversations can be imported; `path` is empty where it keeps nothing here."""

    name: str
    available: bool
    memory_count: int = Field(alias="memoryCount")
    path: str


class Sources(Wire):
    """The tools that can be imported from; none where the service is not on its users' machine."""

    sources: list[Source]


class ChatImport(Wire):
    """A request to import from these sources; from all when none is named. `claude` is `claude-code`."""

    sources: Annotated[list[AskedSource], Field(max_length=50)] | None = None


class ImportedChats(Wire):
    """The numbers of conversations and notes: added, unchanged, and those that could not be read or kept."""

    imported: int
    skipped: int
    errors: int
    message: str
    """One sentence for people."""
