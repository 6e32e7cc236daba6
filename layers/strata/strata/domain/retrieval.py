"""Types that search engines and the ranking rules share."""

from dataclasses import dataclass, field
from enum import StrEnum

DEFAULT_CANDIDATES, MAX_CANDIDATES = 200, 1000
"""So many memories words and vectors each propose to the ranking."""


class Mode(StrEnum):
    """The mode of a search: words, vectors, or both with the re-scoring rules on top."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    VECTOR = "vector"


class Method(StrEnum):
    """The reason that an item is in an answer: its words, its vector, both, or its recency."""

    BM25 = "bm25"
    KNN = "knn"
    HYBRID = "hybrid"
    RECENCY = "recency"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that an engine proposes for a query.

    Attributes:
        key: the memory's key in the index.
        title, text, keywords: its content; `keywords` joins tags and topic key with spaces.
        order: its time-ordered number (microseconds since 1970).
        session_id: its session, if any.
        previous: key of the memory saved just before it in the same session, if any.
        bm25: the engine's text score, higher is better; None if its words did not match.
        cosine: cosine similarity to the query's vector, -1 to 1; None if its vector did not match.
        fields: its facets in the index (type, project, ...).
    """

    key: str
    title: str
    text: str
    keywords: str = ""
    order: int = 0
    session_id: str | None = None
    previous: str | None = None
    bm25: float | None = None
    cosine: float | None = None
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate's key with its final score (higher is better), the method that found it, and its relevance.

    `relevance` is the probability that the memory answers the query, 0 to 1; `is_turn` tells turns of
    conversations.
    """

    key: str
    score: float
    method: Method
    relevance: float = 0.0
    is_turn: bool = False
