"""The ranking of a search's candidates, the same for every engine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import mul
from typing import TYPE_CHECKING

from strata.domain.ranking.context import with_neighbours, with_session
from strata.domain.ranking.dialogue import find_dialogue, names_something, spoken_by
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.prepared import Pool, PreparedQuery
from strata.domain.ranking.soft import soft_match
from strata.domain.ranking.text import saturated, term_counts, term_weights
from strata.domain.relevance.evidence import Seen
from strata.domain.relevance.model import BY_WORDS, Judge
from strata.domain.retrieval import Candidate, Method, Mode, Ranked
from strata.domain.text.lexicon import WordLexicon

if TYPE_CHECKING:
    import numpy as np

    from strata.domain.ranking.dialogue import Dialogue
    from strata.domain.ranking.prepared import Floats
else:
    from strata.domain import arrays as np

_DEFAULTS = RankingParams()


def rank(
    query: str | PreparedQuery,
    candidates: Sequence[Candidate],
    *,
    lexicon: WordLexicon,
    params: RankingParams = _DEFAULTS,
    mode: Mode = Mode.HYBRID,
    calibration: Judge = BY_WORDS,
    turns: "Callable[[Pool], Dialogue]" = find_dialogue,
) -> list[Ranked]:
    """The candidates, best first; among equals the newer first, then by key.

    Candidates need not come from an engine: one without a score is ranked by its words.

    Scores lie between 0 and 1, except for turns of a conversation, which their neighbours and the name of
    their speaker may raise to about 2. They are comparable across queries of a store: 1 is a memory that
    has every word of the query and its vector. Mode `bm25` scores words alone and drops candidates without
    any; mode `vector` scores the cosine alone and drops candidates without one.

    The relevance is the calibration's, by words alone where no candidate has a cosine. It means the same in
    every mode: it goes by the scores of mode `hybrid`. `turns` tells the turns of conversations.
    """
    prepared = PreparedQuery.of(query) if isinstance(query, str) else query
    if not candidates:
        return []
    pool = Pool.of(candidates)
    counts = term_counts(prepared, pool)
    hybrid = _hybrid(prepared, counts, pool, turns(pool), lexicon, params)
    if mode is Mode.VECTOR:
        scores, kept = _cosines(pool, signed=True), [each.cosine is not None for each in candidates]
    elif mode is Mode.BM25:
        scores = _words_alone(counts, pool, params)
        kept = [each.bm25 is not None or score > 0 for each, score in zip(candidates, scores, strict=True)]
    else:
        scores, kept = hybrid.scores, [True] * len(candidates)
    scores = np.round(scores, 6)  # a sum's last digits depend on where a row stands; equals must be equal
    relevance = _relevance(prepared, counts, pool, hybrid, lexicon, calibration)
    worded: list[bool] = (counts.sum(axis=1) > 0).tolist()
    rows = [row for row in range(len(candidates)) if kept[row]]
    rows.sort(key=lambda row: (-scores[row], -candidates[row].order, candidates[row].key))
    return [
        Ranked(
            candidates[row].key,
            float(scores[row]),
            _method(candidates[row], worded[row], mode),
            float(relevance[row]),
            is_turn=bool(hybrid.dialogue.turns[row]),
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class _Hybrid:
    """The scores of mode `hybrid`, and what they are made of; `worded` gives those without vectors."""

    scores: "Floats"
    worded: "Callable[[], Floats]"
    near: "Floats"
    named: "Floats"
    asking: "Floats"
    dialogue: "Dialogue"


def _words_alone(counts: "Floats", pool: Pool, params: RankingParams) -> "Floats":
    shares = _shares(term_weights(counts))
    return np.asarray(saturated(counts, pool, k1=params.k1, b=params.b) @ shares)


def _hybrid(  # noqa: PLR0917 - the parts of one search
    query: PreparedQuery,
    counts: "Floats",
    pool: Pool,
    dialogue: "Dialogue",
    lexicon: WordLexicon,
    params: RankingParams,
) -> _Hybrid:
    near = soft_match(query, pool, counts, lexicon, sharpness=params.sharpness)
    own = params.text * saturated(counts, pool, k1=params.k1, b=params.b) + params.soft * near
    own *= _shares(term_weights(counts))
    asking = np.array([memo.asking for memo in pool.memos]) * dialogue.turns
    named = spoken_by(query, pool, dialogue)
    gains = [1 + params.speaker * named]
    if query.asks_for_time:
        gains.append(1 + params.time * np.array([memo.timed for memo in pool.memos]))
    if query.asks_for_name:
        gains.append(1 + params.name * names_something(pool, dialogue))

    def scored(likeness: "Floats") -> "Floats":
        scores = with_neighbours(own, 1 - params.asking * asking, likeness, dialogue, params)
        return reduce(mul, gains, with_session(scores, pool, dialogue, params))

    without = partial(scored, np.zeros(len(pool.candidates)))
    return _Hybrid(scored(params.vector * _cosines(pool)), without, near, named, asking, dialogue)


def _relevance(  # noqa: PLR0917 - the parts of one search
    query: PreparedQuery,
    counts: "Floats",
    pool: Pool,
    hybrid: _Hybrid,
    lexicon: WordLexicon,
    calibration: Judge,
) -> "Floats":
    seen = Seen(
        query=query.text,
        terms=query.terms,
        rarity=np.asarray(lexicon.rarity(query.terms), dtype=float),
        speakers=np.array([float(stem in hybrid.dialogue.speakers) for stem in query.stems]),
        exact=(counts > 0).astype(float),
        near=hybrid.near,
        previous=hybrid.dialogue.previous,
        next=hybrid.dialogue.next,
        asking=hybrid.asking,
        speaker=hybrid.named,
        scores=hybrid.scores,
        cosines=_cosines(pool, signed=True),
        worded=hybrid.worded,
    )
    blind = all(candidate.cosine is None for candidate in pool.candidates)
    return (BY_WORDS if blind else calibration).relevance(seen, hybrid.dialogue.turns)


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
