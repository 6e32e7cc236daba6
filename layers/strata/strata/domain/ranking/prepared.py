"""A query and its candidates, prepared for the rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.domain.ranking.memo import Memo, memo
from strata.domain.ranking.time_words import asks_for_time
from strata.domain.retrieval import Candidate
from strata.domain.text.analysis import query_terms, stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.intp]
else:
    from strata.domain import arrays as np


_ASKS_FOR_NAME = re.compile(r"\b(?:who|whom|whose|where|which|names?|named|called|titles?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """A query, its distinct terms, their stems in the same order, and the kind of its answer."""

    text: str
    terms: tuple[str, ...]
    stems: tuple[str, ...]
    asks_for_time: bool
    asks_for_name: bool

    @classmethod
    def of(cls, query: str) -> "PreparedQuery":
        """Analyse a query; the first of several terms with one stem stands for all."""
        by_stem: dict[str, str] = {}
        for term in query_terms(query):
            by_stem.setdefault(stem(term), term)
        asks_for_name = bool(_ASKS_FOR_NAME.search(query))
        return cls(query, tuple(by_stem.values()), tuple(by_stem), asks_for_time(query), asks_for_name)


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one query with their analysed texts and their order.

    `previous` and `next` hold the position of the turn before and after in the same session, -1 for none. Of
    several turns that name the same one before them the oldest comes after it.
    """

    candidates: Sequence[Candidate]
    memos: Sequence[Memo]
    previous: "Indices"
    next: "Indices"

    @classmethod
    def of(cls, candidates: Sequence[Candidate]) -> "Pool":
        """Analyse the candidates and link neighbours."""
        place = {candidate.key: position for position, candidate in enumerate(candidates)}
        previous = np.full(len(candidates), -1, dtype=np.intp)
        following = np.full(len(candidates), -1, dtype=np.intp)
        for position, candidate in enumerate(candidates):
            before = place.get(candidate.previous, -1) if candidate.previous is not None else -1
            if before in (-1, position) or candidates[before].session_id != candidate.session_id:
                continue
            previous[position] = before
            rival = candidates[following[before]] if following[before] >= 0 else None
            if rival is None or (candidate.order, candidate.key) < (rival.order, rival.key):
                following[before] = position
        return cls(candidates, [memo(candidate) for candidate in candidates], previous, following)
