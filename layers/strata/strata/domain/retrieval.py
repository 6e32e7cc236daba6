"""What passes between a search engine and the ranking rules."""

from dataclasses import dataclass, field
from enum import StrEnum


class Mode(StrEnum):
    """How a search looks: words, vectors, or both with the re-scoring rules on top."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    VECTOR = "vector"


class Method(StrEnum):
    """Why an item is in an answer: found by its words, its vector, both, or because it is recent."""

    BM25 = "bm25"
    KNN = "knn"
    HYBRID = "hybrid"
    RECENCY = "recency"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One memory that an engine proposes for a query.

    Attributes:
        key: names the memory in the index.
        title, text, keywords: what it says; `keywords` joins tags and topic key with spaces.
        order: its time-ordered number (microseconds since 1970).
        session_id: the session it was saved in, if any.
        previous: key of the memory saved just before it in the same session, if any.
        bm25: the engine's text score, higher is better; None when the words did not find it.
        cosine: cosine similarity to the query's vector, -1 to 1; None when the vectors did not find it.
        fields: the facets it was indexed with (type, project, ...).
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
    """A candidate's key with its final score (higher is better) and what found it."""

    key: str
    score: float
    method: Method
