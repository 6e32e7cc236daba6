"""Tags of words: which of them are a value that a person states of themselves, and since when it holds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from strata.domain.entities.tags import BEGINS, GOES_ON, OUTSIDE

Tense = Literal["now", "new", "old"]
"""A value that holds, one that holds from now on, one that holds no more."""

_TENSES: tuple[Tense, ...] = ("now", "new", "old")

Chances = Mapping[str, float]
"""The probability of each tag of a word; a tag that is missing has none."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a message states.

    Attributes:
        first, last: the positions of its first word and of the one after its last.
        tense: since when it holds.
        sure: how sure it is that this is such a value at all, 0 to 1.
    """

    first: int
    last: int
    tense: Tense
    sure: float


def values_of(chances: Sequence[Chances], least: float) -> Iterator[Value]:
    """The values that are likely enough, in order.

    Args:
        chances: of the tags of each word.
        least: the least probability of each word of a value, and half of that of its likeliest word at least.
    """
    likely = [1 - each.get(OUTSIDE, 0.0) for each in chances]
    at = 0
    while at < len(chances):
        first = at
        at += 1
        if likely[first] <= least:
            continue
        while at < len(chances) and likely[at] > max(least, likely[first] / 2):
            begins = sum(chances[at].get(BEGINS + tense, 0.0) for tense in _TENSES)
            if begins * 2 >= likely[at]:
                break
            at += 1
        inside = range(first, at)
        tense = max(_TENSES, key=lambda tense: sum(_of(chances[each], tense) for each in inside))
        yield Value(first, at, tense, max(likely[each] for each in inside))


def likeliest(chances: Sequence[Chances]) -> float:
    """The highest probability of any word to be part of a value that holds."""
    return max((_of(each, "now") + _of(each, "new") for each in chances), default=0.0)


def _of(chances: Chances, tense: Tense) -> float:
    return chances.get(BEGINS + tense, 0.0) + chances.get(GOES_ON + tense, 0.0)
