"""Conclusions about people, and the runs that drew them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.client.call import Call, member, model
from strata.client.calls.parts import Later, params, path

if TYPE_CHECKING:
    from strata.domain.wire import conclusions as wire
else:
    wire = Later("strata.domain.wire.conclusions")


def conclusions(
    user_id: str | None = None,
    *,
    agent_id: str | None = None,
    project: str | None = None,
    type: str | None = None,
    min_confidence: float | None = None,
    max_age_days: int | None = None,
) -> Call[list[wire.Conclusion]]:
    """The conclusions about a person, the latest supported first.

    `GET /api/memory/conclusions`. `type` is explicit, deductive, inductive, abductive, inferred (the last
    three) or corrected.
    """
    given = params(
        userId=user_id,
        agent_id=agent_id,
        project=project,
        type=type,
        minConfidence=min_confidence,
        maxAgeDays=max_age_days,
    )
    found = member("conclusions", lambda: list[wire.Conclusion])
    return Call("GET", "/api/memory/conclusions", found, given)


def delete_conclusion(id: str, *, user_id: str | None = None) -> Call[bool]:
    """Delete a conclusion; it is not drawn from the same sessions again.

    `DELETE /api/memory/conclusions/{conclusionId}`.
    """
    where = path("/api/memory/conclusions/{}", id)
    return Call("DELETE", where, member("deleted", lambda: bool), params(userId=user_id))


def delete_conclusions(user_id: str | None = None) -> Call[int]:
    """Delete all conclusions about a person; how many there were. `DELETE /api/memory/conclusions`."""
    return Call("DELETE", "/api/memory/conclusions", member("count", lambda: int), params(userId=user_id))


def consolidations(user_id: str | None = None, *, limit: int | None = None) -> Call[list[wire.Consolidation]]:
    """The runs that drew a person's conclusions, newest first. `GET /api/memory/consolidations`."""
    found = member("consolidations", lambda: list[wire.Consolidation])
    return Call("GET", "/api/memory/consolidations", found, params(limit=limit, userId=user_id))


def undo_consolidation(id: str, *, user_id: str | None = None) -> Call[wire.UndoneConsolidation]:
    """Put back what a run changed, but for what changed since.

    `POST /api/memory/consolidations/{consolidationId}/undo`.
    """
    where = path("/api/memory/consolidations/{}/undo", id)
    return Call("POST", where, model(lambda: wire.UndoneConsolidation), params(userId=user_id))
