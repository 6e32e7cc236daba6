"""Precision and recall of a relation over labelled pairs of notes."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from evals.interval import share

PARTS = tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.jsonl")))
"""`dev` and others of that name, and those that are kept apart."""
DEVELOPMENT = tuple(part for part in PARTS if part.startswith("dev"))
LABELS = ("contradicts", "same")
LANGUAGES = ("en", "es")

Relation = Callable[[str, str, date, date], str]
"""Two notes and the days on which they were said in, a label out."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two notes with the days on which they were said, and their label."""

    id: str
    language: str
    first: str
    second: str
    said_first: date
    said_second: date
    label: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled pair with the label that it was given."""

    pair: Pair
    given: str


def load(part: str, folder: Path = Path(__file__).parent) -> list[Pair]:
    """Read the pairs of a part.

    Raises:
        OSError, KeyError, ValueError: it cannot be read, a line lacks a field, or is no JSON.
    """
    lines = map(json.loads, (folder / f"{part}.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        Pair(
            line["id"],
            line["lang"],
            line["first"],
            line["second"],
            date.fromisoformat(line["said_first"]),
            date.fromisoformat(line["said_second"]),
            line["label"],
        )
        for line in lines
    ]


def judge(relation: Relation, pairs: Iterable[Pair]) -> list[Judged]:
    """Give each pair a label."""
    return [
        Judged(each, relation(each.first, each.second, each.said_first, each.said_second)) for each in pairs
    ]


def table(judged: Sequence[Judged]) -> str:
    """Precision and recall of both labels with intervals of 95 %, by language and in all."""
    lines = [f"{'':17}{'pairs':>7}{'given':>7}{'wrong':>7}{'precision':>21}{'recall':>21}"]
    for label in LABELS:
        for language in (*LANGUAGES, "all"):
            these = [each for each in judged if language in (each.pair.language, "all")]
            given = [each for each in these if each.given == label]
            right = sum(each.pair.label == label for each in given)
            due = sum(each.pair.label == label for each in these)
            lines.append(
                f"{label:12}{language:5}{len(these):7}{len(given):7}{len(given) - right:7}"
                f"{share(right, len(given)):>21}{share(right, due):>21}"
            )
    return "\n".join(lines)


def errors(judged: Iterable[Judged]) -> str:
    """The pairs that were given a wrong label, and the contradictions that were missed."""
    return "\n".join(
        f"{each.pair.id} {each.given}, not {each.pair.label}: {each.pair.first} | {each.pair.second}"
        for each in judged
        if each.given != each.pair.label and {each.given, each.pair.label} != {"differs", "same"}
    )
