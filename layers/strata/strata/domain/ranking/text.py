"""Exact matches of the query's words in a memory, and the weight of each word (BM25)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from strata.domain.ranking.prepared import Floats, Pool, PreparedQuery
else:
    from strata.domain import arrays as np

_SEEN_BEFORE = 20
"""Assumed memories without the word, so that weights are sensible in a small store."""


def term_counts(query: "PreparedQuery", pool: "Pool") -> "Floats":
    """The frequency of each term's stem in each memory: (candidates, terms)."""
    none = [0] * len(query.stems)
    found = [list(map(memo.stems.get, query.stems, none)) for memo in pool.memos]
    return np.array(found, dtype=float).reshape(len(pool.memos), len(query.stems))


def term_weights(counts: "Floats") -> "Floats":
    """Each term's idf among the candidates (Robertson and Spärck Jones), above 0: (terms,).

    The candidates stand for the project: all of a small one, and of a large one the part about the query, in
    which a shared word does not tell memories apart.
    """
    holding = (counts > 0).sum(axis=0)
    return np.asarray(np.log1p((counts.shape[0] - holding + _SEEN_BEFORE + 0.5) / (holding + 0.5)))


def saturated(counts: "Floats", pool: "Pool", *, k1: float, b: float) -> "Floats":
    """BM25's term part without the idf, scaled to 0..1: (candidates, terms)."""
    lengths = np.array([memo.length for memo in pool.memos], dtype=float)
    norm = 1 - b + b * lengths / max(lengths.mean(), 1.0)
    return np.asarray(counts / (counts + k1 * norm[:, None]))
