"""Pairs of entities that may be one: names that are alike by their vectors, or by initials. They only propose."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from strata.domain.entities.shapes import Likeness

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIKE = 0.85
"""The least cosine of two names that may be one."""
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Alike:
    """Two entities, by their places, that may be one."""

    one: int
    other: int
    reason: Likeness
    likeness: float


def alike(keys: Sequence[Sequence[str]], vectors: "NDArray[np.float32]") -> list[Alike]:
    """Pairs of entities of one type that may be one; an entity with two candidates is in none.

    Args:
        keys: the keys of each entity's names, its name's first.
        vectors: of the names, a unit row each.
    """
    found, several = _by_vectors(vectors)
    found |= {(pair.one, pair.other): pair for pair in _by_initials(keys)}
    candidates = Counter(end for ends in found for end in ends)
    candidates.update(several)
    return [pair for (one, other), pair in found.items() if candidates[one] == candidates[other] == 1]


def initials_fit(one: str, other: str) -> bool:
    """Whether two keys may name one: "j m aldecoa" and "jose maria aldecoa", "un" and "united nations"."""
    short, long = one.split(), other.split()
    if len(short) == 1 < len(long):
        return short[0] == "".join(word[0] for word in long)
    return (
        one != other
        and 1 < len(short) == len(long)
        and all(mine == yours or _initial(mine, yours) for mine, yours in zip(short, long, strict=True))
        and any(mine == yours and len(mine) > 1 for mine, yours in zip(short, long, strict=True))
    )


def _initial(one: str, other: str) -> bool:
    return one[0] == other[0] and 1 in (len(one), len(other))


def _by_initials(keys: Sequence[Sequence[str]]) -> Iterator[Alike]:
    """Compare names whose words begin with the same letters with those that have initials, or are acronyms."""
    by_letters: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for place, names in enumerate(keys):
        for name in names:
            words = name.split()
            by_letters["".join(word[0] for word in words) if len(words) > 1 else name].append((place, name))
    for some in by_letters.values():
        short = [each for each in some if min(map(len, each[1].split())) == 1 or " " not in each[1]]
        for (one, mine), (other, yours) in product(short, some):
            if one != other and initials_fit(mine, yours):
                yield Alike(min(one, other), max(one, other), "initials", 1.0)


def _by_vectors(vectors: "NDArray[np.float32]") -> tuple[dict[tuple[int, int], Alike], list[int]]:
    """Pairs of which the first is like no third, and the places of what is like several."""
    found: dict[tuple[int, int], Alike] = {}
    several: list[int] = []
    for start in range(0, len(vectors), _AT_ONCE):
        for row, cosines in enumerate(vectors[start : start + _AT_ONCE] @ vectors.T, start):
            others = [int(each) for each in (cosines >= ALIKE).nonzero()[0][:3] if each != row]
            if len(others) > 1:
                several += [row, row]
            elif others and row < others[0]:
                likeness = round(float(cosines[others[0]]), 3)
                found[row, others[0]] = Alike(row, others[0], "embedding", likeness)
    return found, several
