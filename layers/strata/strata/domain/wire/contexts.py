"""Contexts as they go over the wire: the plain one, and the one that is assembled from every layer."""

from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

from strata.domain.retrieval import Method
from strata.domain.wire.base import Wire

CONTEXT_QUERY_RUNES = 500
"""Characters of a query that are read: of a longer one its beginning and its end."""
CONTEXT_CONTENT_RUNES = 300


def _or_null(text: str) -> str | None:
    return text or None


def _or_empty(value: object) -> object:
    return "" if value is None else value


OrNull = Annotated[str, BeforeValidator(_or_empty), PlainSerializer(_or_null, return_type=str | None)]
"""A text whose field is always sent: as null where it is empty, since answers leave fields of None out.

The client reads null as empty.
"""


class ContextSession(Wire):
    """The summary of a recent session."""

    summary: str


class ContextObservation(Wire):
    """An observation for a prompt; its content is cut to 300 runes."""

    type: str
    title: str
    content: str


class Context(Wire):
    """The memories for an agent's prompt.

    `context` is the plain context as text (engram); it is missing where nothing is remembered.
    """

    recent_sessions: list[ContextSession]
    recent_observations: list[ContextObservation]
    context: str | None = None


class ContextItem(Wire):
    """A memory of any layer.

    `rank` counts from 1, the best. `score` is the memory's value to this turn, 0 to 1. `method` says how it
    was found. `relevance` is the probability that it answers the query, 0 to 1; 0 without a query and for
    what is there for its recency. `tokens` is the length of its line. `project` is null where the memory
    belongs to none.
    """

    layer: str
    id: int | str
    content: str
    rank: int
    score: float
    method: Method
    relevance: float = 0.0
    tokens: int
    project: OrNull


class AssembledContext(Context):
    """A context from every layer. `unavailable` names the layers that did not answer."""

    items: list[ContextItem]
    tokens: int
    unavailable: list[str] | None = None
