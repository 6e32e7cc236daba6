"""The pairs of a person's notes that are worth a closer look."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import LIKELY, is_plain, likelihood

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAREST = 8
"""The number of notes, those most like each one, that are compared with it."""

Pair = tuple[int, int]
"""The places of two notes, the smaller one first."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The pairs to look at, the most promising first.

    `by_rules` are those among them of which the rules are sure that they contradict each other.
    """

    pairs: Sequence[Pair]
    by_rules: frozenset[Pair]


def candidates(
    texts: Sequence[str],
    subjects: Sequence[str],
    vectors: "NDArray[np.float32]",
    groups: Iterable[Sequence[int]],
    limit: int,
    *,
    new: Collection[int],
) -> Candidates:
    """Choose at most `limit` pairs: by the rules, of one subject with another text, then the nearest by cosine.

    Args:
        texts, subjects, vectors: of each note; unit vectors.
        groups: the places of notes that may be compared with each other.
        limit: of pairs.
        new: the places of notes that were not compared yet: one of each pair is among them.
    """
    claims = [read(text) for text in texts]
    by_rules: dict[Pair, float] = {}
    same_subject: dict[Pair, None] = {}
    near: dict[Pair, float] = {}
    for group in groups:
        for one, other in combinations(sorted(group), 2):
            if one not in new and other not in new:
                continue
            if subjects[one] == subjects[other] and texts[one] != texts[other]:
                same_subject[one, other] = None
            if (found := likelihood(claims[one], claims[other])) >= LIKELY:
                by_rules[one, other] = found
        for (one, other), cosine in _nearest(sorted(group), vectors).items():
            if one in new or other in new:
                near[one, other] = cosine
    ranked = sorted(near, key=lambda pair: (-near[pair], pair))
    likely = sorted(by_rules, key=lambda pair: (-by_rules[pair], pair))
    pairs = list(dict.fromkeys((*likely, *same_subject, *ranked)))[:limit]
    return Candidates(
        pairs,
        frozenset(pair for pair in pairs if pair in by_rules and is_plain(claims[pair[0]], claims[pair[1]])),
    )


def _nearest(group: Sequence[int], vectors: "NDArray[np.float32]") -> dict[Pair, float]:
    """The pairs of a group in which one is among the nearest of the other, with their cosine."""
    chosen = vectors[list(group)]
    cosine = chosen @ chosen.T
    np.fill_diagonal(cosine, -1.0)

    def found() -> Iterator[tuple[Pair, float]]:
        for place, row in enumerate(cosine):
            for other in np.argsort(-row, kind="stable")[:NEAREST]:
                if other != place and row[other] > 0:
                    yield (group[min(place, other)], group[max(place, other)]), float(row[other])

    return dict(found())
