"""Context for prompts: AgentOps's plain context, and the one assembled from every layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack
from uuid import uuid4

from strata.client.call import TEXT, Call, model
from strata.client.calls.filters import MemoryFilters, filter_params
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
    across_projects: bool | None = None,
    min_relevance: float | None = None,
    fill: str | None = "none",
    **filters: Unpack[MemoryFilters],
) -> Call[contexts.Context]:
    """Observations and session summaries that an agent should know, for this query or in general.

    `GET /context`. A query brings what is relevant to it, which may be nothing; `fill="recent"` adds the
    newest up to the limit.
    """
    given = params(
        project=project,
        query=_used(query),
        scope=scope,
        limit=limit,
        min_relevance=min_relevance,
        across_projects=across_projects,
        fill=_fill(query, fill),
    )
    return Call("GET", "/context", model(lambda: contexts.Context), given | filter_params(filters))


def assemble_context(
    project: str | None = None,
    *,
    query: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
    across_projects: bool | None = None,
    agent_id: str | None = None,
    user_id: str | None = None,
    conversation_id: str | None = None,
    token_budget: int | None = None,
    layers: Sequence[str] = LAYERS,
    turn_id: str | None = None,
    min_relevance: float | None = None,
    **filters: Unpack[MemoryFilters],
) -> Call[contexts.AssembledContext]:
    """The relevant items of these layers for this query, without duplicates, within the token budget.

    `GET /context`. Items that the conversation already received are left out. The same `turn_id` returns the
    same items again; the client generates one, so that the call can be retried.
    """
    given = params(
        project=project,
        query=_used(query),
        scope=scope,
        limit=limit,
        across_projects=across_projects,
        agent_id=agent_id,
        user_id=user_id,
        conversation_id=conversation_id,
        token_budget=token_budget,
        layers=layers,
        turn_id=_turn(conversation_id, turn_id),
        min_relevance=min_relevance,
    )
    return Call("GET", "/context", model(lambda: contexts.AssembledContext), given | filter_params(filters))


def context_text(
    project: str | None = None,
    *,
    query: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
    across_projects: bool | None = None,
    agent_id: str | None = None,
    user_id: str | None = None,
    conversation_id: str | None = None,
    token_budget: int | None = None,
    layers: Sequence[str] | None = None,
    turn_id: str | None = None,
    min_relevance: float | None = None,
    fill: str | None = "none",
    **filters: Unpack[MemoryFilters],
) -> Call[str]:
    """The context as text for a prompt; empty when nothing is known.

    `GET /context?format=text`. It is the text of `context`, or of `assemble_context` when any argument from
    `agent_id` to `layers` is given. A query brings what is relevant to it; `fill="recent"` adds the newest.
    """
    given = params(
        project=project,
        query=_used(query),
        scope=scope,
        limit=limit,
        across_projects=across_projects,
        agent_id=agent_id,
        user_id=user_id,
        conversation_id=conversation_id,
        token_budget=token_budget,
        layers=layers,
        turn_id=_turn(conversation_id, turn_id),
        min_relevance=min_relevance,
        fill=_fill(query, fill),
        format="text",
    )
    return Call("GET", "/context", TEXT, given | filter_params(filters))


def _used(query: str | None) -> str | None:
    """The part of the query that is searched for: a URL has no room for a long one."""
    return None if query is None else query[: contexts.CONTEXT_QUERY_RUNES]


def _fill(query: str | None, fill: str | None) -> str | None:
    """Without a query the newest are what is asked for."""
    return fill if query is not None and query.strip() else None


def _turn(conversation_id: str | None, turn_id: str | None) -> str | None:
    """The server marks returned items in the conversation's ledger; a turn id identifies a retry."""
    return uuid4().hex if conversation_id is not None and turn_id is None else turn_id
