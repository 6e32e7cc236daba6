"""The ranking of a search's candidates, the same for every engine."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from strata.domain.ranking.context import with_neighbours, with_session
from strata.domain.ranking.dialogue import find_dialogue, names_something, spoken_by
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
    """The candidates, best first; among equals the newer first, then by key.

    Candidates need not come from an engine: one without a score is ranked by its words.

    Scores lie between 0 and 1, except for turns of a conversation, which their neighbours and the name of
    their speaker may raise to about 2. They are comparable across queries of a store: 1 is a memory that
    has every word of the query and its vector. Mode `bm25` scores words alone and drops candidates without
    any; mode `vector` scores the cosine alone and drops candidates without one.
    """
    prepared = PreparedQuery.of(query) if isinstance(query, str) else query
    if not candidates:
        return []
    pool = Pool.of(candidates)
    counts = term_counts(prepared, pool)
    if mode is Mode.VECTOR:
        scores, kept = _cosines(pool, signed=True), [each.cosine is not None for each in candidates]
    elif mode is Mode.BM25:
        scores = _words_alone(counts, pool, params)
        kept = [each.bm25 is not None or score > 0 for each, score in zip(candidates, scores, strict=True)]
    else:
        scores, kept = _all(prepared, counts, pool, lexicon, params), [True] * len(candidates)
    scores = np.round(scores, 6)  # a sum's last digits depend on where a row stands; equals must be equal
    worded: list[bool] = (counts.sum(axis=1) > 0).tolist()
    rows = [row for row in range(len(candidates)) if kept[row]]
    rows.sort(key=lambda row: (-scores[row], -candidates[row].order, candidates[row].key))
    return [
        Ranked(candidates[row].key, float(scores[row]), _method(candidates[row], worded[row], mode))
        for row in rows
    ]


def _words_alone(counts: "Floats", pool: Pool, params: RankingParams) -> "Floats":
    shares = _shares(term_weights(counts))
    return np.asarray(saturated(counts, pool, k1=params.k1, b=params.b) @ shares)


def _all(
    query: PreparedQuery, counts: "Floats", pool: Pool, lexicon: WordVectors, params: RankingParams
) -> "Floats":
    dialogue = find_dialogue(pool)
    own = params.text * saturated(counts, pool, k1=params.k1, b=params.b)
    own += params.soft * soft_match(query, pool, counts, lexicon, sharpness=params.sharpness)
    own *= _shares(term_weights(counts))
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


def _cosines(pool: Pool, *, signed: bool = False) -> "Floats":
    """Cosines, 0..1 unless signed. A missing one counts as the lowest given, which is its upper bound."""
    given = [candidate.cosine for candidate in pool.candidates if candidate.cosine is not None]
    floor = min(given, default=0.0)
    cosines = [floor if candidate.cosine is None else candidate.cosine for candidate in pool.candidates]
    return np.asarray(np.clip(np.array(cosines, dtype=float), -1.0 if signed else 0.0, 1.0))


def _method(candidate: Candidate, worded: bool, mode: Mode) -> Method:
    by_words = mode is not Mode.VECTOR and (worded or candidate.bm25 is not None)
    by_vector = mode is not Mode.BM25 and candidate.cosine is not None
    if by_words:
        return Method.HYBRID if by_vector else Method.BM25
    return Method.KNN if by_vector else Method.RECENCY
