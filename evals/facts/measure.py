"""Precision and recall of an extractor over labelled turns, by the matching rule of README.md.

Facts are counted, not turns, and all of them alike (micro average).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evals.facts.examples import CATEGORIES, LANGUAGES, Example, Fact

Extractor = Callable[[str], Iterable[Fact]]
"""Measured is the finder: a turn's text in, its facts out. The language is not told, as no user tells it."""

ALIKE = 0.6
"""The token F1 from which two values are the same."""

_ARTICLES = frozenset(("a", "an", "the", "el", "la", "lo", "los", "las", "un", "una", "unos", "unas"))


def fold(value: str) -> list[str]:
    """The words that are compared: lower case, without accents, punctuation or articles.

    A value of nothing but articles keeps them.
    """
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", value.casefold())
        if not unicodedata.combining(letter) and letter not in "'\N{RIGHT SINGLE QUOTATION MARK}"
    )
    words = re.findall(r"[^\W_]+", bare)
    return [word for word in words if word not in _ARTICLES] or words


def token_f1(one: str, other: str) -> float:
    """The likeness of two values, from 0 to 1: the F1 of their folded words, counted, in any order."""
    left, right = Counter(fold(one)), Counter(fold(other))
    words = left.total() + right.total()
    return 2 * (left & right).total() / words if words else 0.0


def right(said: Fact, labelled: Fact) -> bool:
    """Whether an extracted fact is the labelled one."""
    return said[0] == labelled[0] and token_f1(said[1], labelled[1]) >= ALIKE


def pairs(said: Sequence[Fact], labelled: Sequence[Fact]) -> dict[int, int]:
    """The labelled fact that each right one stands for, by position: as many pairs as can be, each once.

    So a fact that is told in two ways is right once, and wrong once.
    """
    taken: dict[int, int] = {}

    def place(mine: int, tried: set[int]) -> bool:
        for theirs, fact in enumerate(labelled):
            if theirs in tried or not right(said[mine], fact):
                continue
            tried.add(theirs)
            if theirs not in taken or place(taken[theirs], tried):
                taken[theirs] = mine
                return True
        return False

    for mine in range(len(said)):
        place(mine, set())
    return {mine: theirs for theirs, mine in taken.items()}


@dataclass(frozen=True, slots=True)
class Judged:
    """An example with what was extracted from it, parted into right, wrong and missed."""

    example: Example
    right: tuple[Fact, ...]
    wrong: tuple[Fact, ...]
    missed: tuple[Fact, ...]


def judge(extract: Extractor, example: Example) -> Judged:
    """Run the extractor on one turn.

    Raises:
        ValueError: it named a category that the labels do not have.
    """
    said = [(category, value) for category, value in extract(example.text)]
    unknown = sorted({category for category, _ in said} - set(CATEGORIES))
    if unknown:
        raise ValueError(f"{', '.join(unknown)}: not one of the categories {', '.join(CATEGORIES)}")
    matched = pairs(said, example.facts)
    found = set(matched.values())
    return Judged(
        example,
        tuple(said[position] for position in sorted(matched)),
        tuple(fact for position, fact in enumerate(said) if position not in matched),
        tuple(fact for position, fact in enumerate(example.facts) if position not in found),
    )


@dataclass(frozen=True, slots=True)
class Score:
    """The numbers of facts that were right, wrong and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float | None:
        """The right ones among those extracted; None when there were none."""
        return self.right / said if (said := self.right + self.wrong) else None

    @property
    def recall(self) -> float | None:
        """The right ones among those labelled; None when there were none."""
        return self.right / labelled if (labelled := self.right + self.missed) else None


def score(judged: Iterable[Judged], language: str | None = None, category: str | None = None) -> Score:
    """Count the facts of these examples: all of them, or those of a language, or a category, or both."""
    some = [each for each in judged if language in {None, each.example.language}]

    def count(facts: Iterable[Fact]) -> int:
        return sum(category in {None, said} for said, _ in facts)

    return Score(
        sum(count(each.right) for each in some),
        sum(count(each.wrong) for each in some),
        sum(count(each.missed) for each in some),
    )


def table(judged: Sequence[Judged], *, totals_only: bool = False) -> str:
    """Precision and recall as people read them: a row a category, columns for each language and for both."""
    columns: tuple[str | None, ...] = (*LANGUAGES, None)
    rows: tuple[str | None, ...] = (None,) if totals_only else (*CATEGORIES, None)
    heads = "".join(f"{language or 'both':>8} P{'R':>8}{'facts':>7}" for language in columns)
    lines = [f"{'':16}{heads}"]
    for category in rows:
        scores = [score(judged, language, category) for language in columns]
        cells = (
            f"{_figure(each.precision):>10}{_figure(each.recall):>8}{each.right + each.missed:>7}"
            for each in scores
        )
        lines.append(f"{category or 'all':16}" + "".join(cells))
    return "\n".join(lines)


def misses(judged: Iterable[Judged]) -> str:
    """Every turn where something is wrong or missed, with what it is."""
    lines = []
    for each in judged:
        if each.wrong or each.missed:
            lines.append(f"{each.example.id} {each.example.language}: {each.example.text!r}")
            lines += [f"    wrong   {category}: {value}" for category, value in each.wrong]
            lines += [f"    missed  {category}: {value}" for category, value in each.missed]
    return "\n".join(lines)


def _figure(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"
