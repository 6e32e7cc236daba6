"""All sources, in the order in which they are looked at."""

from collections.abc import Callable, Iterable
from pathlib import Path

from strata.adapters.chats.claude_code import ClaudeCode
from strata.adapters.chats.files import Places
from strata.ports.chats import ChatSource

_SOURCES: tuple[Callable[[Places], ChatSource], ...] = (ClaudeCode,)
NAMES = tuple(source.name for source in _SOURCES)  # type: ignore[attr-defined]


def sources_of(
    home: Path, chosen: Iterable[str] | None = None, *, only: tuple[Path, ...] = ()
) -> list[ChatSource]:
    """The sources of these names, or all: in a person's home, or in the files and folders of `only`."""
    wanted = set(chosen or NAMES)
    return [
        source(Places(home, only)) for name, source in zip(NAMES, _SOURCES, strict=True) if name in wanted
    ]
