"""Soft match: a word with nearly the same meaning matches a query word in part.

Late interaction as in ColBERT (Khattab and Zaharia 2020), with static word vectors.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from strata.domain.ranking.prepared import Floats, Pool, PreparedQuery


class WordVectors(Protocol):
    """The part of a lexicon that the soft match needs."""

    def word_vectors(self, words: Sequence[str]) -> "NDArray[np.float32]":
        """One unit row for each word, all zeros for an unknown one."""


def soft_match(
    query: "PreparedQuery", pool: "Pool", counts: "Floats", lexicon: WordVectors, *, sharpness: float
) -> "Floats":
    """The similarity of each term to its nearest word, 0..1, 1 for the same stem: (candidates, terms)."""
    exact = counts > 0
    places: dict[str, int] = {}
    words: list[int] = []
    starts: list[int] = []
    rows: list[int] = []
    for row, memo in enumerate(pool.memos):
        if memo.content:
            starts.append(len(words))
            rows.append(row)
            words.extend([places.setdefault(word, len(places)) for word in memo.content])
    near = np.zeros(exact.shape)
    if rows and query.terms:
        likeness = lexicon.word_vectors(list(places)) @ lexicon.word_vectors(query.terms).T
        near[rows] = np.maximum.reduceat(likeness[words], starts, axis=0)
    return np.where(exact, 1.0, np.clip(near, 0.0, 1.0) ** sharpness)
