"""Entries of Strata in configuration files, and the edits that add them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

NAME = "strata"
"""The name of the entry among a tool's MCP servers."""
_HOOK = re.compile(r"""\bstrata(?:\.exe)?["']? hook [a-z]""")


class Unreadable(Exception):
    """A configuration file that can't be edited, for the reason that is its text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A member at a path of keys, or with `listed` an item of the list there.

    One that is not `needed` is added beside others to an empty document.
    """

    path: tuple[str, ...]
    value: Any
    listed: bool = False
    needed: bool = True


@dataclass(slots=True)
class Edited:
    """A text as it is now; `added` has place and length of each addition, the one to take out first in front.

    `made` has the paths of members that were made to hold the entries.
    """

    text: str
    added: list[tuple[int, int]] = field(default_factory=list)
    made: list[tuple[str, ...]] = field(default_factory=list)

    def insert(self, *pieces: tuple[int, str]) -> None:
        """Insert these texts at their places in the present text."""
        moved = 0
        for place, piece in sorted(pieces, key=lambda each: each[0]):
            self.text = self.text[: place + moved] + piece + self.text[place + moved :]
            self.added.insert(0, (place + moved, len(piece)))
            moved += len(piece)


@dataclass(frozen=True, slots=True)
class Format:
    """A format: reads a text, adds an entry, removes Strata's entries and what was made for them alone.

    Each raises `Unreadable`.
    """

    read: Callable[[str], Any]
    add: Callable[[Edited, Entry], None]
    remove: Callable[[str, Sequence[tuple[str, ...]]], str]


def is_server(value: Any) -> bool:
    """Whether an MCP server is `strata mcp`."""
    if not isinstance(value, dict):
        return False
    command, more = value.get("command"), value.get("args") or []
    words = [
        *(command if isinstance(command, list) else [command]),
        *(more if isinstance(more, list) else []),
    ]
    name = re.split(r"[/\\]", str(words[0]))[-1].removesuffix(".exe")
    return name == NAME and words[1:2] == ["mcp"]


def is_hook(value: Any) -> bool:
    """Whether a hook, or every hook of a group, is `strata hook`."""
    if not isinstance(value, dict):
        return False
    if isinstance(command := value.get("command"), str):
        return bool(_HOOK.search(command))
    hooks = value.get("hooks")
    return isinstance(hooks, list) and bool(hooks) and all(map(is_hook, hooks))


def found(document: Any, path: Sequence[str]) -> Any:
    """The value at a path; None where there is none."""
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def is_there(document: Any, entry: Entry) -> bool:
    """Whether the entry is there, or another one in its place that is not Strata's."""
    value = found(document, entry.path)
    if entry.listed:
        return isinstance(value, list) and entry.value in value
    return value == entry.value or (value is not None and not is_server(value))
