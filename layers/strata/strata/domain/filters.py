"""Filters of memories: one rule for rows, which every engine's own filter agrees with."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

Scalar = str | int | float | bool
"""A value of an observation's metadata."""


@dataclass(frozen=True, slots=True)
class MetadataIs:
    """A key of the metadata has this value, or with `prefix` one that begins with it."""

    key: str
    value: str
    prefix: bool = False

    def admits(self, metadata: Mapping[str, Scalar]) -> bool:
        """Whether such a value is there."""
        if self.key not in metadata:
            return False
        value = metadata_text(metadata[self.key])
        return value.startswith(self.value) if self.prefix else value == self.value


@dataclass(frozen=True, slots=True)
class Filters:
    """The memories that a caller asks for; what is not given admits every memory.

    Times are microseconds since 1970: `after` includes its own microsecond, `before` does not. A memory needs
    one of `tags_any`, all of `tags_all`, and everything that `metadata` lists.
    """

    user_id: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    tags_any: tuple[str, ...] = ()
    tags_all: tuple[str, ...] = ()
    created_after: int | None = None
    created_before: int | None = None
    updated_after: int | None = None
    updated_before: int | None = None
    metadata: tuple[MetadataIs, ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) not in (None, ()) for each in fields(self))

    def admits(self, row: Mapping[str, Any]) -> bool:
        """Whether a stored row passes. One that lacks an attribute passes no filter by it."""
        tags = row.get("tags") or ()
        return (
            all(
                getattr(self, name) in (None, row.get(name)) for name in ("user_id", "agent_id", "session_id")
            )
            and (not self.tags_any or not set(self.tags_any).isdisjoint(tags))
            and set(self.tags_all) <= set(tags)
            and _within(row.get("created_at"), self.created_after, self.created_before)
            and _within(row.get("updated_at"), self.updated_after, self.updated_before)
            and all(each.admits(row.get("metadata") or {}) for each in self.metadata)
        )


EVERYTHING = Filters()
"""Admits every memory."""


def metadata_text(value: Scalar) -> str:
    """A value of the metadata as filters compare it: numbers and booleans as in JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # stores may give back either
    return value if isinstance(value, str) else repr(value)


def _within(moment: int | None, first: int | None, end: int | None) -> bool:
    if first is None and end is None:
        return True
    return moment is not None and (first is None or moment >= first) and (end is None or moment < end)
