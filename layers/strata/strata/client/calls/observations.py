"""Observations: single memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from strata.client.call import NOTHING, Call, model
from strata.client.calls.filters import Filters, filter_params
from strata.client.calls.parts import Later, fields, params, path

if TYPE_CHECKING:
    from strata.domain.wire import observations
else:
    observations = Later("strata.domain.wire.observations")


def save(
    content: str,
    *,
    project: str,
    session_id: str,
    title: str,
    type: str,
    tags: Sequence[str] | None = None,
    scope: str | None = None,
    topic_key: str | None = None,
    user_id: str | None = None,
    agent_id: str | None = None,
    metadata: Mapping[str, str | int | float | bool] | None = None,
) -> Call[observations.SavedObservation]:
    """Save an observation; a later one with the same `topic_key` replaces it.

    `POST /observations`. Saving twice counts a duplicate.
    """
    body = fields(
        session_id=session_id,
        type=type,
        title=title,
        content=content,
        project=project,
        tags=list(tags) if tags else None,
        scope=scope,
        topic_key=topic_key,
        user_id=user_id,
        agent_id=agent_id,
        metadata=dict(metadata) if metadata else None,
    )
    answer = model(lambda: observations.SavedObservation)
    return Call("POST", "/observations", answer, body=body, idempotent=False)


def recent(
    project: str | None = None,
    *,
    type: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
    **filters: Unpack[Filters],
) -> Call[list[observations.Observation]]:
    """Observations, newest first. `GET /observations/recent`."""
    given = params(project=project, type=type, scope=scope, limit=limit) | filter_params(filters)
    return Call("GET", "/observations/recent", model(lambda: list[observations.Observation]), given)


def get(id: int, *, user_id: str | None = None) -> Call[observations.Observation]:
    """One observation with all its fields; one of another user than `user_id` is not found.

    `GET /observations/{id}`.
    """
    given = params(user_id=user_id)
    return Call("GET", path("/observations/{}", id), model(lambda: observations.Observation), given)


def change(
    id: int,
    *,
    type: str | None = None,
    title: str | None = None,
    content: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, str | int | float | bool] | None = None,
) -> Call[observations.Observation]:
    """Change the given fields of an observation; empty `tags` or `metadata` remove all of them.

    `PATCH /observations/{id}`.
    """
    body = fields(
        type=type,
        title=title,
        content=content,
        tags=None if tags is None else list(tags),
        metadata=None if metadata is None else dict(metadata),
    )
    return Call("PATCH", path("/observations/{}", id), model(lambda: observations.Observation), body=body)


def delete(id: int, *, hard: bool = False) -> Call[None]:
    """Delete an observation; `hard` erases it for good. `DELETE /observations/{id}`."""
    return Call("DELETE", path("/observations/{}", id), NOTHING, params(hard=True if hard else None))
