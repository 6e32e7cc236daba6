"""The ranking of a search's candidates, the same for every engine."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from strata.domain.ranking.context import with_neighbours, with_session
from strata.domain.ranking.dialogue import find_dialogue, named_speakers, names_something, spoken_by, units
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.prepared import Pool, PreparedQuery
from strata.domain.ranking.soft import WordVectors, soft_match
from strata.domain.ranking.text import saturated, term_counts, term_weights
from strata.domain.retrieval import Candidate, Method, Mode, Ranked

if TYPE_CHECKING:
    from strata.domain.ranking.prepared import Floats

_DEFAULTS = RankingParams()


def rank(
    query: str | PreparedQuery,
    candidates: Sequence[Candidate],
    *,
    lexicon: WordVectors,
    params: RankingParams = _DEFAULTS,
    mode: Mode = Mode.HYBRID,
) -> list[Ranked]:
    """The candidates, best first; of equals the newer first, then by key.

    Scores lie between 0 and 1, but for turns of a conversation, which their neighbours and the naming of
    their speaker may lift to about 2. They compare within a store across queries: 1 is a memory that holds
    every word of the query and has its vector. Mode `bm25` scores the words alone and drops what has none
    of them, `vector` the cosine alone and drops what has none.
    """
    prepared = PreparedQuery.of(query) if isinstance(query, str) else query
    if mode is Mode.VECTOR:
        candidates = [candidate for candidate in candidates if candidate.cosine is not None]
        return _in_order(candidates, np.array([candidate.cosine for candidate in candidates], dtype=float))
    if mode is Mode.BM25:
        candidates = [candidate for candidate in candidates if candidate.bm25 is not None]
    if not candidates:
        return []
    pool = Pool.of(candidates)
    scores = (
        _words_alone(prepared, pool, params) if mode is Mode.BM25 else _all(prepared, pool, lexicon, params)
    )
    return _in_order(candidates, scores)


def _words_alone(query: PreparedQuery, pool: Pool, params: RankingParams) -> "Floats":
    counts = term_counts(query, pool)
    shares = _shares(term_weights(counts, np.arange(len(pool.candidates))))
    return np.asarray(saturated(counts, pool, k1=params.k1, b=params.b) @ shares)


def _all(query: PreparedQuery, pool: Pool, lexicon: WordVectors, params: RankingParams) -> "Floats":
    counts = term_counts(query, pool)
    dialogue = find_dialogue(pool)
    weights = term_weights(counts, units(pool, dialogue))
    named = named_speakers(query, dialogue)
    if not named.all():  # who speaks is a matter of its own; a name must not rub off on neighbours
        weights = np.where(named, 0.0, weights)
    own = params.text * saturated(counts, pool, k1=params.k1, b=params.b)
    own += params.soft * soft_match(query, pool, counts, lexicon, sharpness=params.sharpness)
    own *= _shares(weights)
    asking = np.array([memo.asking for memo in pool.memos]) * dialogue.turns
    scores = with_neighbours(
        own, 1 - params.asking * asking, params.vector * _cosines(pool), dialogue, params
    )
    scores = with_session(scores, pool, dialogue, params)
    scores *= 1 + params.speaker * spoken_by(query, pool, dialogue)
    if query.asks_for_time:
        scores *= 1 + params.time * np.array([memo.timed for memo in pool.memos])
    if query.asks_for_name:
        scores *= 1 + params.name * names_something(pool, dialogue)
    return scores


def _shares(weights: "Floats") -> "Floats":
    """Weights scaled to sum to one."""
    return np.asarray(weights / max(float(weights.sum()), 1e-9))


def _cosines(pool: Pool) -> "Floats":
    """Cosines, 0..1. One that the engine did not give is at most the lowest it gave, and is taken as that."""
    given = [candidate.cosine for candidate in pool.candidates if candidate.cosine is not None]
    floor = min(given, default=0.0)
    cosines = [floor if candidate.cosine is None else candidate.cosine for candidate in pool.candidates]
    return np.asarray(np.clip(np.array(cosines, dtype=float), 0.0, 1.0))


def _in_order(candidates: Sequence[Candidate], scores: "Floats") -> list[Ranked]:
    ranked = sorted(
        zip(candidates, scores.tolist(), strict=True),
        key=lambda pair: (-pair[1], -pair[0].order, pair[0].key),
    )
    return [Ranked(candidate.key, score, _method(candidate)) for candidate, score in ranked]


def _method(candidate: Candidate) -> Method:
    if candidate.bm25 is not None and candidate.cosine is not None:
        return Method.HYBRID
    return Method.BM25 if candidate.bm25 is not None else Method.KNN
