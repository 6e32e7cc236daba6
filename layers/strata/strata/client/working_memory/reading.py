"""Reading JSON that should have a known shape: every fault is named by its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any, TypeVar

T = TypeVar("T")

Json = dict[str, Any]
"""A JSON object."""


class Reader:
    """Takes the fields of one JSON object.

    Raises:
        ValueError: from every method, when a field is missing or of another kind than was asked for.
    """

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, Mapping):
            raise ValueError(f"{where or 'the value'} must be an object")
        self._value = value
        self._where = where

    def place(self, name: str) -> str:
        """The path of a field, for a sentence about it."""
        return f"{self._where}.{name}" if self._where else name

    def text(self, name: str) -> str:
        """A string that must be there."""
        value = self._value.get(name)
        if not isinstance(value, str):
            raise ValueError(f"{self.place(name)} must be a string")
        return value

    def optional_text(self, name: str) -> str | None:
        """A string, or None where there is none."""
        return None if self._value.get(name) is None else self.text(name)

    def flag(self, name: str) -> bool:
        """A boolean; false where there is none."""
        value = self._value.get(name, False)
        if not isinstance(value, bool):
            raise ValueError(f"{self.place(name)} must be true or false")
        return value

    def count(self, name: str) -> int:
        """An integer from 0 on; 0 where there is none."""
        value = self._value.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ValueError(f"{self.place(name)} must be an integer, 0 or more")
        return value

    def json_object(self, name: str) -> Json:
        """An object; empty where there is none."""
        return self.optional_json_object(name) or {}

    def optional_json_object(self, name: str) -> Json | None:
        """An object, or None where there is none."""
        value = self._value.get(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise ValueError(f"{self.place(name)} must be an object")
        return dict(value)

    def each(self, name: str, build: Callable[[object, str], T]) -> tuple[T, ...]:
        """A list, each item built from its value and its path; empty where there is none."""
        value = self._value.get(name, [])
        if not isinstance(value, list | tuple):
            raise ValueError(f"{self.place(name)} must be a list")
        return tuple(build(item, f"{self.place(name)}[{place}]") for place, item in enumerate(value))

    def everything(self) -> Json:
        """All fields, in a dict of their own."""
        return dict(self._value)

    def only(self, known: Set[str]) -> None:
        """Refuse what is not known: left unread, it would be lost at the next writing."""
        unknown = sorted(str(name) for name in self._value.keys() - known)
        if unknown:
            raise ValueError(f"{self.place(unknown[0])} is not known")


def filled(**fields: Any) -> Json:
    """An object of the fields that have something to say."""
    return {name: value for name, value in fields.items() if value is not None and value is not False}
