"""The labelled turns: what a line of the files beside this module is. How they were labelled: README.md."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

CATEGORIES = ("name", "role", "place", "preference", "dislike", "contact_language", "date")
LANGUAGES = ("en", "es")
DEVELOPMENT = ("dev_a", "dev_b")
"""The parts that rules may be written from."""
KEPT = ("kept",)
"""The part that is opened for the last measurement only."""

Fact = tuple[str, str]
"""A category and a value."""


@dataclass(frozen=True, slots=True)
class Example:
    """One turn of a user, and the facts that a careful person takes from it alone."""

    id: str
    language: str
    text: str
    facts: tuple[Fact, ...]


def load(parts: Iterable[str] = DEVELOPMENT) -> list[Example]:
    """Read these parts, in order.

    Raises:
        OSError, ValueError, KeyError: a part cannot be read, or a line is not an example.
    """
    folder = Path(__file__).parent
    return [
        example(line)
        for part in parts
        for line in (folder / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def example(line: str) -> Example:
    """One line of a part."""
    written = json.loads(line)
    facts = tuple((fact["category"], fact["value"]) for fact in written["facts"])
    return Example(written["id"], written["lang"], written["text"], facts)
