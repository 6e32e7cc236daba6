"""The port of a layer of memory, and the query that it answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from strata.domain.assembly.items import Remembered
from strata.domain.filters import EVERYTHING, Filters
from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER


@dataclass(frozen=True, slots=True)
class ContextQuery:
    """The turn that needs a context.

    Attributes:
        text: the subject of the turn; may be blank.
        project: no layer returns a memory of another project, but for global observations.
        scope_name: a filter of observations.
        agent_id: the agent, which sees its own memories and those of no agent.
        user_id: the user that the agent speaks with, if known: every layer leaves out other users' memories.
        owner: the user for layers whose memories always belong to one user.
        limit: the most items of a layer that has no limit of its own.
        min_relevance: the least relevance of an item that a layer chooses by the text.
        fill: whether the newest items fill up to the limit where the text brings fewer.
        given: keys of the items that the conversation was given already: layers choose among the others.
        only: the caller's filters; layers whose memories cannot pass one are not asked.
    """

    text: str = ""
    project: str | None = None
    scope_name: str | None = None
    agent_id: str | None = None
    user_id: str | None = None
    owner: str = DEFAULT_OWNER
    limit: int = 5
    min_relevance: float = 0.0
    fill: bool = False
    given: frozenset[str] = frozenset()
    only: Filters = EVERYTHING

    def given_of(self, layer: str) -> Iterator[str]:
        """The ids of the items that the conversation was given from a layer."""
        prefix = f"{layer}:"
        return (key.removeprefix(prefix) for key in self.given if key.startswith(prefix))


FILTERED = frozenset(("observations", "episodes", "sessions"))
"""The layers that a filter chooses from; the others have neither tags nor sessions."""


@dataclass(frozen=True, slots=True)
class LayerAnswer:
    """The items of a layer, in any order; `degraded` is true if it saw only its newest rows."""

    items: Sequence[Remembered]
    degraded: bool = False


class Layer(Protocol):
    """A layer of memory.

    Promises:
    - It returns nothing of another tenant, and nothing that belongs to another user than `query.user_id`.
    - Ids are stable: the same memory has the same id in every answer.

    Raises (every method): `Unavailable` when its store does not answer.
    """

    @property
    def name(self) -> str:
        """One of `domain.assembly.prompt.LAYERS`."""

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        """Choose items: those relevant to the query's text, or the newest if it is blank."""

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        """Read the items with these ids that still exist and may be seen, as they are now."""
