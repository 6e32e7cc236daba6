"""A memory of any layer, and what it is worth to this turn."""

from dataclasses import dataclass

from strata.domain.retrieval import Method
from strata.domain.times import DAY

RELEVANCE, RECENCY, IMPORTANCE = 0.7, 0.2, 0.1
"""Shares of a memory's value. Relevance leads where there is a query; without one the newest come first."""

HALF_LIFE_US = 14 * DAY * 1_000_000
"""After so long a memory counts half as recent."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory that may go into a prompt.

    Attributes:
        layer: `facts`, `profile`, `conclusions`, `episodes`, `observations` or `sessions`.
        id: the memory's own id, unique in its layer.
        content: one line of text.
        order: when it was learnt, microseconds since 1970.
        relevance: to the query, 0 to about 2 as `rank` scores; 0 without a query.
        method: why it was found.
        importance: 0 to 1, of its own.
        source: names what it was made from, where several layers may hold the same.
        type, title: for whoever watches.
    """

    layer: str
    id: int | str
    content: str
    order: int
    relevance: float = 0.0
    method: Method = Method.RECENCY
    importance: float = 0.5
    source: str | None = None
    type: str = ""
    title: str = ""

    @property
    def key(self) -> str:
        """What the injection ledger calls it: `<layer>:<id>`."""
        return f"{self.layer}:{self.id}"


def value(item: Remembered, now_us: int) -> float:
    """What a memory is worth now, 0 to 1: its relevance, its recency and its own importance, weighted."""
    age = max(0, now_us - item.order)
    recency = 0.5 ** (age / HALF_LIFE_US)
    relevance = min(max(item.relevance, 0.0), 1.0)
    return float(RELEVANCE * relevance + RECENCY * recency + IMPORTANCE * item.importance)
