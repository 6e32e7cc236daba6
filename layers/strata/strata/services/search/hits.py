"""Search hits: a memory with its score and the method that found it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Self, TypeVar

from strata.domain.filters import Scalar
from strata.domain.retrieval import Method, Ranked
from strata.ports.rows import Item

H = TypeVar("H")


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[H]):
    """The hits of a search, best first.

    `degraded` is true when the index did not answer and only the newest rows were ranked, or when a search
    by meaning had to go by words. `elsewhere` has the number of hits in other projects, where a search that
    finds nothing in its own counted them.
    """

    hits: list[H]
    degraded: bool = False
    elsewhere: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ObservationHit:
    """An observation that was found; times are microseconds since 1970."""

    id: int
    project: str
    type: str
    title: str
    content: str
    topic_key: str | None
    created_at: int
    updated_at: int
    score: float
    method: Method
    relevance: float
    tags: tuple[str, ...] = ()
    superseded_by: int | None = None
    metadata: Mapping[str, Scalar] | None = None

    @classmethod
    def of(cls, row: Item, found: Ranked | None = None) -> Self:
        """Make the hit of a stored observation; one that no search found is there for its recency."""
        return cls(
            row["id"],
            row["project"],
            row["type"],
            row["title"],
            row["content"],
            row.get("topic_key"),
            row["created_at"],
            row["updated_at"],
            found.score if found else 0.0,
            found.method if found else Method.RECENCY,
            found.relevance if found else 0.0,
            tuple(row.get("tags") or ()),
            row.get("superseded_by"),
            row.get("metadata"),
        )


@dataclass(frozen=True, slots=True)
class EpisodeHit:
    """An episode that was found, as its stored row, which other services turn into their own types."""

    row: Item
    score: float = 0.0
    method: Method = Method.RECENCY
    relevance: float = 0.0

    @classmethod
    def of(cls, row: Item, found: Ranked) -> Self:
        """Make the hit of a stored episode that a search found."""
        return cls(row, found.score, found.method, found.relevance)
