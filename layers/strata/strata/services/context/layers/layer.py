"""What the assembly of a context asks of a layer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from strata.domain.assembly.budget import one_line
from strata.domain.assembly.items import Remembered
from strata.domain.scope import Scope
from strata.domain.text.strings import cut
from strata.domain.wire.contexts import CONTEXT_CONTENT_RUNES
from strata.services.records.episodes import DEFAULT_OWNER


@dataclass(frozen=True, slots=True)
class Asked:
    """What a context is wanted for.

    Attributes:
        query: what the turn is about; may be blank.
        project, scope_name: of observations; a project also of sessions.
        agent_id: who asks: it sees its own memories and those of no agent.
        user_id: whom the agent speaks with, if known: what belongs to other users stays out of every layer.
        owner: whose memories those layers give that always belong to one user.
        limit: how many a layer gives that has no number of its own.
        given: keys of what the conversation was given already: a layer that chooses, chooses among the rest.
    """

    query: str = ""
    project: str | None = None
    scope_name: str | None = None
    agent_id: str | None = None
    user_id: str | None = None
    owner: str = DEFAULT_OWNER
    limit: int = 5
    given: frozenset[str] = frozenset()

    def given_of(self, layer: str) -> Iterator[str]:
        """The ids of what the conversation was given of a layer."""
        prefix = f"{layer}:"
        return (key.removeprefix(prefix) for key in self.given if key.startswith(prefix))


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a layer gives, in any order; `degraded` when it could only look at its newest."""

    items: Sequence[Remembered]
    degraded: bool = False


class Layer(Protocol):
    """A layer of memory.

    Promises:
    - Nothing of another tenant, and nothing that belongs to another user than `asked.user_id`.
    - Ids are stable: the same memory has the same id in every answer.

    Raises (every method): `Unavailable` when its store does not answer.
    """

    @property
    def name(self) -> str:
        """One of `domain.assembly.budget.LAYERS`."""

    def recall(self, scope: Scope, asked: Asked) -> Recalled:
        """What this layer has to say now: the most relevant where there is a query, else the newest."""

    def fetch(self, scope: Scope, asked: Asked, ids: Sequence[str]) -> Sequence[Remembered]:
        """Those of these memories that are still there and may be seen, as they are now."""


def told(text: str) -> str:
    """A memory's words as a context shows them: one line of at most 300 runes (AgentOps)."""
    return cut(one_line(text), CONTEXT_CONTENT_RUNES)
