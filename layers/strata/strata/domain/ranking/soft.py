"""Soft match: a word with nearly the same meaning matches a query word in part.

Late interaction as in ColBERT (Khattab and Zaharia 2020), with static word vectors.
"""

from collections.abc import Sequence
from itertools import chain, count, islice, zip_longest
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from strata.domain.ranking.prepared import Floats, Pool, PreparedQuery
else:
    from strata.domain import arrays as np


MAX_POOL_WORDS = 8_192
"""The most distinct words that a query's are compared with; pools of ordinary memories hold fewer."""


class WordVectors(Protocol):
    """The part of a lexicon that the soft match needs."""

    def word_vectors(self, words: Sequence[str]) -> "NDArray[np.float32]":
        """One unit row for each word, all zeros for an unknown one."""


def soft_match(
    query: "PreparedQuery", pool: "Pool", counts: "Floats", lexicon: WordVectors, *, sharpness: float
) -> "Floats":
    """The similarity of each term to its nearest word, 0..1, 1 for the same stem: (candidates, terms)."""
    exact = counts > 0
    places = _vocabulary(pool)
    contents: list[Sequence[str]] = [memo.content for memo in pool.memos]
    if len(places) == MAX_POOL_WORDS:
        contents = [[word for word in content if word in places] for content in contents]
    lengths = np.fromiter(map(len, contents), np.intp, len(contents))
    rows = lengths.nonzero()[0]
    near = np.zeros(exact.shape)
    if len(rows) and query.terms:
        words = np.fromiter(map(places.__getitem__, chain.from_iterable(contents)), np.intp, lengths.sum())
        starts = (np.cumsum(lengths) - lengths)[rows]
        likeness = lexicon.word_vectors(list(places)) @ lexicon.word_vectors(query.terms).T
        near[rows] = np.maximum.reduceat(likeness[words], starts, axis=0)
    return np.where(exact, 1.0, np.clip(near, 0.0, 1.0) ** sharpness)


def _vocabulary(pool: "Pool") -> dict[str, int]:
    """The distinct words of all memories with their places; of too many, the first words of each memory."""
    found = dict.fromkeys(chain.from_iterable(memo.content for memo in pool.memos))
    if len(found) > MAX_POOL_WORDS:
        turns = zip_longest(*(memo.content for memo in pool.memos))
        found = dict.fromkeys(word for turn in turns for word in turn if word is not None)
    return dict(zip(islice(found, MAX_POOL_WORDS), count()))
