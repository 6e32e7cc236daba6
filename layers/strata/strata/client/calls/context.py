"""What belongs into a prompt: AgentOps's context, and the one that is assembled of every layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import uuid4

from strata.client.call import TEXT, Call, model
from strata.client.calls.parts import Later, params

if TYPE_CHECKING:
    from strata.domain.wire import contexts
else:
    contexts = Later("strata.domain.wire.contexts")

LAYERS = ("facts", "profile", "conclusions", "episodes", "observations", "sessions")


def context(
    project: str | None = None,
    *,
    query: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
) -> Call[contexts.Context]:
    """What an agent should know now, for this query or in general: observations and summaries of sessions.

    `GET /context`.
    """
    given = params(project=project, query=_used(query), scope=scope, limit=limit)
    return Call("GET", "/context", model(lambda: contexts.Context), given)


def assemble_context(
    project: str | None = None,
    *,
    query: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
    agent_id: str | None = None,
    user_id: str | None = None,
    conversation_id: str | None = None,
    token_budget: int | None = None,
    layers: Sequence[str] = LAYERS,
    turn_id: str | None = None,
) -> Call[contexts.AssembledContext]:
    """The best of these layers for this query, each thing once, within the budget; `items` say why.

    `GET /context`. What the conversation was given before is left out. The same `turn_id` gives the same
    again; the client makes one, so that a lost answer can be asked for again.
    """
    given = params(
        project=project,
        query=_used(query),
        scope=scope,
        limit=limit,
        agent_id=agent_id,
        user_id=user_id,
        conversation_id=conversation_id,
        token_budget=token_budget,
        layers=layers,
        turn_id=_turn(conversation_id, turn_id),
    )
    return Call("GET", "/context", model(lambda: contexts.AssembledContext), given)


def context_text(
    project: str | None = None,
    *,
    query: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
    agent_id: str | None = None,
    user_id: str | None = None,
    conversation_id: str | None = None,
    token_budget: int | None = None,
    layers: Sequence[str] | None = None,
    turn_id: str | None = None,
) -> Call[str]:
    """The same as the text that goes into a prompt; empty when nothing is known.

    `GET /context?format=text`. Without any of the arguments from `agent_id` on it is the text of `context`,
    with one of them that of `assemble_context`.
    """
    given = params(
        project=project,
        query=_used(query),
        scope=scope,
        limit=limit,
        agent_id=agent_id,
        user_id=user_id,
        conversation_id=conversation_id,
        token_budget=token_budget,
        layers=layers,
        turn_id=_turn(conversation_id, turn_id),
        format="text",
    )
    return Call("GET", "/context", TEXT, given)


def _used(query: str | None) -> str | None:
    """The part of a query that counts, as an address has no room for all that an agent may be asked."""
    return None if query is None else query[: contexts.CONTEXT_QUERY_RUNES]


def _turn(conversation_id: str | None, turn_id: str | None) -> str | None:
    """A context marks what it gives in the conversation's ledger: by its turn a repeat is known."""
    return uuid4().hex if conversation_id is not None and turn_id is None else turn_id
