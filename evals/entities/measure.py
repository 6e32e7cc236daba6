"""Precision and recall of a recogniser of entities over labelled turns, by the matching rule of README.md."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.interval import interval
from strata.domain.text.folding import fold

TYPES = ("person", "place", "organization", "event", "thing")
LANGUAGES = ("en", "es")

Entity = tuple[str, str]
"""A type and a text."""
Recognizer = Callable[[str], Iterable[Entity]]
"""A turn's text in, its entities out. The language is not told, as no user tells it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn with the entities that it names."""

    id: str
    language: str
    text: str
    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn with what was found in it, parted into right, wrong and missed."""

    turn: Turn
    right: tuple[Entity, ...]
    wrong: tuple[Entity, ...]
    missed: tuple[Entity, ...]


def load(part: str) -> list[Turn]:
    """Read `dev`, `dev2`, `kept` or `kept2`.

    Raises:
        OSError, ValueError, KeyError: it cannot be read, or a line is no labelled turn.
    """
    lines = (Path(__file__).parent / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_turn(json.loads(line)) for line in lines]


def _turn(line: dict[str, object]) -> Turn:
    entities = tuple((each["type"], each["text"]) for each in line["entities"])  # type: ignore[attr-defined]
    return Turn(str(line["id"]), str(line["lang"]), str(line["text"]), entities)


def judge(recognize: Recognizer, turn: Turn) -> Judged:
    """Compare what is found in a turn with its labels: each label is found once at most."""
    left = {(kind, fold(text)): (kind, text) for kind, text in turn.entities}
    right: list[Entity] = []
    wrong: list[Entity] = []
    for kind, text in recognize(turn.text):
        found = left.pop((kind, fold(text)), None)
        (right if found else wrong).append((kind, text))
    return Judged(turn, tuple(right), tuple(wrong), tuple(left.values()))


@dataclass(frozen=True, slots=True)
class Score:
    """The numbers of entities that were right, wrong and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if nothing is right."""
        return 2 * self.right / (2 * self.right + self.wrong + self.missed) if self.right else 0.0


def score(judged: Iterable[Judged], kind: str | None = None, language: str | None = None) -> Score:
    """Count the entities of these turns: all of them, or those of a type, or a language, or both."""
    some = [each for each in judged if language in {None, each.turn.language}]

    def count(entities: Iterable[Iterable[Entity]]) -> int:
        return sum(kind in {None, said} for each in entities for said, _ in each)

    return Score(
        count(each.right for each in some),
        count(each.wrong for each in some),
        count(each.missed for each in some),
    )


def table(judged: Sequence[Judged]) -> str:
    """Precision, recall and F1 by type and language, with 95 % intervals of the shares."""
    lines = [f"{'':20}{'right':>6}{'wrong':>6}{'missed':>7}{'precision':>20}{'recall':>20}{'F1':>7}"]
    for kind in (*TYPES, None):
        for language in (*LANGUAGES, None):
            some = score(judged, kind, language)
            shares = (_share(some.right, some.right + other) for other in (some.wrong, some.missed))
            name = f"{kind or 'all'} {language or 'both'}"
            lines.append(
                f"{name:20}{some.right:>6}{some.wrong:>6}{some.missed:>7}"
                + "".join(shares)
                + f"{some.f1:>7.3f}"
            )
    return "\n".join(lines)


def _share(right: int, of: int) -> str:
    if not of:
        return f"{'-':>20}"
    low, high = interval(right, of)
    return f"{f'{right / of:.3f} ({low:.2f}-{high:.2f})':>20}"


def misses(judged: Iterable[Judged]) -> str:
    """Every turn where something is wrong or missed, with what it is."""
    lines = []
    for each in judged:
        if each.wrong or each.missed:
            lines.append(f"{each.turn.id}: {each.turn.text!r}")
            lines += [f"    wrong   {kind}: {text}" for kind, text in each.wrong]
            lines += [f"    missed  {kind}: {text}" for kind, text in each.missed]
    return "\n".join(lines)
