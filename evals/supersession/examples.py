"""The labelled pairs of notes beside this module. How they were labelled: README.md."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("en", "es", "de", "zh")
DEVELOPMENT = ("dev", "dev2", "dev3", "dev4", "dev5", "dev6", "dev7", "dev8", "dev9", "dev10")
"""The parts that rules may be written from."""
KEPT = tuple(sorted(path.stem for path in Path(__file__).parent.glob("kept*.jsonl")))
"""The parts that are opened for the last measurement only."""
REASONS = (
    "additive",
    "attempt",
    "detail",
    "environment",
    "hypothetical",
    "incident",
    "likes",
    "negation",
    "other_subject",
    "other_time",
    "partly",
    "past",
    "person",
    "plan",
    "question",
    "reported",
    "same",
    "service",
)
"""The reasons for which an older note stands."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two notes of one person, agent and project, the older one first.

    `about` is the attribute of which the newer note gives another value, or one of `REASONS`.
    """

    id: str
    language: str
    older: str
    newer: str
    supersedes: bool
    about: str


def load(parts: Iterable[str] = DEVELOPMENT, folder: Path = Path(__file__).parent) -> list[Pair]:
    """Read these parts, in order.

    Raises:
        OSError, KeyError: a part cannot be read, or a line lacks a field.
        ValueError: a line is no JSON, or has an unknown language, label or reason.
    """
    return [
        pair(line)
        for part in parts
        for line in (folder / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def pair(line: str) -> Pair:
    """One line of a part.

    Raises:
        KeyError, ValueError: as `load`.
    """
    written = json.loads(line)
    which, language, label = written["id"], written["lang"], written["label"]
    if language not in LANGUAGES or label not in ("supersedes", "stands"):
        raise ValueError(f"{which}: unknown language {language} or label {label}")
    supersedes = label == "supersedes"
    about = written["attribute" if supersedes else "reason"]
    if not supersedes and about not in REASONS:
        raise ValueError(f"{which}: unknown reason {about}")
    return Pair(which, language, written["older"], written["newer"], supersedes, about)
