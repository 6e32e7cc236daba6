"""All sources, in the order in which they are looked at."""

from collections.abc import Callable, Iterable
from pathlib import Path

from strata.adapters.chats.aider import Aider
from strata.adapters.chats.claude_code import ClaudeCode
from strata.adapters.chats.codex import Codex
from strata.adapters.chats.copilot import Copilot
from strata.adapters.chats.cursor import Cursor
from strata.adapters.chats.exports import ChatGPT, ClaudeExport
from strata.adapters.chats.memories import ClaudeMem, Engram, Mem0
from strata.adapters.chats.source import Places
from strata.adapters.chats.windsurf import Windsurf
from strata.ports.chats import ChatSource

_SOURCES: dict[str, Callable[[Places], ChatSource]] = {
    source.name: source
    for source in (
        ClaudeCode,
        Cursor,
        Windsurf,
        Aider,
        Copilot,
        Codex,
        ChatGPT,
        ClaudeExport,
        Engram,
        Mem0,
        ClaudeMem,
    )
}
NAMES = tuple(_SOURCES)


def sources_of(
    home: Path, chosen: Iterable[str] | None = None, *, only: tuple[Path, ...] = ()
) -> list[ChatSource]:
    """The sources of these names, or all: in a person's home, or in the files and folders of `only`."""
    wanted = set(chosen or NAMES)
    return [source(Places(home, only)) for name, source in _SOURCES.items() if name in wanted]
