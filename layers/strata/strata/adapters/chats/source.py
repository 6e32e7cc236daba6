"""The base of all sources: where a tool's chats may be, and what it keeps there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from strata.adapters.chats.files import Unread
from strata.ports.chats import ChatNote, Conversation

T = TypeVar("T")

_CONFIGURATION = ".config", "Library/Application Support", "AppData/Roaming"
"""The folders where programs keep their data on Linux, macOS and Windows."""


@dataclass(frozen=True, slots=True)
class Places:
    """The places to look in: in a person's home, or in these files and folders only."""

    home: Path
    only: tuple[Path, ...] = ()

    def under(self, *names: str) -> list[Path]:
        """Those of these folders and files of the home that are there; `only` in their place."""
        return list(self.only) or [path for name in names if (path := self.home / name).exists()]

    def data(self, *names: str, beside: tuple[str, ...] = ()) -> list[Path]:
        """The same where the system's programs keep their data, and those `beside` it in the home."""
        return self.under(*(f"{base}/{name}" for base in _CONFIGURATION for name in names), *beside)


class Source:
    """A tool's chats and notes in its places: none of either, unless the tool's class overrides it."""

    def __init__(self, places: Places) -> None:
        self.unread = Unread()
        self._places = places

    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        return iter(())

    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        return iter(())


def tolerant(read: Callable[..., Iterator[T]]) -> Callable[..., Iterator[T]]:
    """A source's reader that ends, and counts in `unread`, where it meets a form that nobody has seen."""

    @wraps(read)
    def reading(source: Any, *given: Any, **named: Any) -> Iterator[T]:
        try:
            yield from read(source, *given, **named)
        except (AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as error:
            where = next((each for each in given if isinstance(each, Path)), source.name)
            source.unread[f"{where}: not understood: {error}"] += 1

    return reading
