"""Episodes: short accounts of what happened, stored by hand or derived when a session ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from strata.client.call import Call, any_json, member, model
from strata.client.calls.parts import Later, fields, params, path

if TYPE_CHECKING:
    from strata.domain.wire import episodes
else:
    episodes = Later("strata.domain.wire.episodes")


def store_episode(
    summary: str,
    *,
    conversation_id: str,
    agent_id: str,
    user_id: str | None = None,
    project: str | None = None,
    key_decisions: Sequence[str | Mapping[str, Any]] | None = None,
    entities: Sequence[str | Mapping[str, Any]] | None = None,
    tools_used: Sequence[str] | None = None,
    importance: float | None = None,
    keywords: Sequence[str] | None = None,
    topic: str | None = None,
    type: str | None = None,
    ttl_days: int | None = None,
) -> Call[str]:
    """Store an episode and get its id; it never expires unless `ttl_days` is given.

    `POST /episodic/store`. Importance is 0 to 1. Storing twice creates two episodes. `project` is by default
    that of the conversation's session.
    """
    body = fields(
        conversation_id=conversation_id,
        agent_id=agent_id,
        user_id=user_id,
        project=project,
        summary=summary,
        key_decisions=key_decisions,
        entities=entities,
        tools_used=tools_used,
        importance=importance,
        keywords=keywords,
        topic=topic,
        type=type,
        ttl_days=ttl_days,
    )
    return Call("POST", "/episodic/store", member("id", lambda: str), body=body, idempotent=False)


def similar_episodes(
    query: str,
    *,
    agent_id: str,
    user_id: str | None = None,
    project: str | None = None,
    top_k: int | None = None,
) -> Call[list[episodes.SimilarEpisode]]:
    """An agent's episodes by their similarity to the query, best first; of one user or project where named.

    `POST /episodic/search`.
    """
    body = fields(query=query, agent_id=agent_id, user_id=user_id, project=project, top_k=top_k)
    found = member("results", lambda: list[episodes.SimilarEpisode])
    return Call("POST", "/episodic/search", found, body=body)


def conversation_episodes(conversation_id: str) -> Call[list[episodes.Episode]]:
    """The episodes of a conversation. `GET /episodic/{conversation_id}`."""
    found = member("episodes", lambda: list[episodes.Episode])
    return Call("GET", path("/episodic/{}", conversation_id), found)


def recent_episodes(user_id: str | None = None, *, limit: int | None = None) -> Call[episodes.RecentEpisodes]:
    """A user's episodes, newest first. `GET /api/memory/episodes`."""
    given = params(limit=limit, userId=user_id)
    return Call("GET", "/api/memory/episodes", any_json(lambda: episodes.RecentEpisodes), given)


def search_episodes(
    query: str,
    *,
    user_id: str | None = None,
    limit: int | None = None,
    mode: str | None = None,
    min_relevance: float | None = None,
) -> Call[list[episodes.MatchingEpisode]]:
    """The episodes of a user that answer a question best; `mode` is hybrid, bm25 or vector.

    `GET /api/memory/search`. Less relevant ones than `min_relevance` are left out, with 0 none.
    """
    given = params(q=query, limit=limit, mode=mode, userId=user_id, min_relevance=min_relevance)
    found = member("results", lambda: list[episodes.MatchingEpisode])
    return Call("GET", "/api/memory/search", found, given)


def delete_episode(id: str, *, user_id: str | None = None) -> Call[bool]:
    """Forget an episode. `DELETE /api/memory/episodes/{id}`."""
    where = path("/api/memory/episodes/{}", id)
    return Call("DELETE", where, member("deleted", lambda: bool), params(userId=user_id))


def ingest(
    session_id: str,
    response: str,
    *,
    tool_calls: int | Sequence[Any] | None = None,
    steps: int | Sequence[Any] | None = None,
    user_id: str | None = None,
) -> Call[episodes.Ingested]:
    """Store an agent's response as an episode if it is worth remembering.

    `POST /api/memory/ingest`. Calls and steps are lists, or their counts.
    """
    body = fields(
        session_id=session_id, response=response, tool_calls=tool_calls, steps=steps, user_id=user_id
    )
    answer = model(lambda: episodes.Ingested)
    return Call("POST", "/api/memory/ingest", answer, body=body, idempotent=False)
