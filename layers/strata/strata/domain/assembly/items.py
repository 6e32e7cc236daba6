"""A memory of any layer, and its value to this turn."""

from dataclasses import dataclass

from strata.domain.assembly.titles import titled
from strata.domain.retrieval import Method
from strata.domain.text.recalled import untagged
from strata.domain.times import DAY

RELEVANCE, RECENCY, IMPORTANCE = 0.7, 0.2, 0.1
"""Weights of a memory's value. Without a query the relevance is 0, and the newest memories come first."""

HALF_LIFE_US = 14 * DAY * 1_000_000
"""The half-life of recency, in microseconds."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory that may go into a prompt.

    Attributes:
        layer: `facts`, `profile`, `conclusions`, `episodes`, `observations` or `sessions`.
        id: the memory's own id, unique in its layer.
        content: what it says, or the passage of it that answers.
        order: its last change, microseconds since 1970.
        relevance: the probability that it answers the query; 0 without a query and for what is there for its
            recency.
        method: how it was found.
        importance: 0 to 1, independent of the query.
        source: the id of its source, where several layers hold the same content.
        twin: the name in the injection ledger of the same content in another layer: a session's line is its
            episode's summary, too.
        session_id: the session that it comes from, where its layer tells.
        type, title: of an observation part of what it says; of facts, conclusions and the profile's name what
            kind of value they tell, and the value; else for traces.
        subject: what the value is of, where the type does not tell: `name` of the conclusion "Is called Ann".
        project: its own; empty where it belongs to none.
        superseded_by: the number of the newer observation that took its place.
    """

    layer: str
    id: int | str
    content: str
    order: int
    relevance: float = 0.0
    method: Method = Method.RECENCY
    importance: float = 0.5
    source: str | None = None
    twin: str | None = None
    session_id: str | None = None
    type: str = ""
    title: str = ""
    subject: str = ""
    project: str = ""
    superseded_by: int | None = None

    @property
    def key(self) -> str:
        """Its name in the injection ledger: `<layer>:<id>`."""
        return f"{self.layer}:{self.id}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The names that are marked in the ledger once it is given: its own, and that of its twin."""
        return (self.key, self.twin) if self.twin else (self.key,)

    @property
    def text(self) -> str:
        """The text without `<memory:` tags: an observation's type and title with its content."""
        said = titled(self.type, self.title, self.content) if self.layer == "observations" else self.content
        return untagged(said)


def value(item: Remembered, now_us: int) -> float:
    """The current value of a memory, 0 to 1: the weighted sum of relevance, recency and importance."""
    age = max(0, now_us - item.order)
    recency = 0.5 ** (age / HALF_LIFE_US)
    return float(RELEVANCE * item.relevance + RECENCY * recency + IMPORTANCE * item.importance)
