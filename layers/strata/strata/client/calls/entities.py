"""Entities that a person's memories name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from strata.client.call import Call, Decoder, member, model
from strata.client.calls.parts import Later, params, path

if TYPE_CHECKING:
    from strata.domain.wire import conclusions as conclusions_wire
    from strata.domain.wire import entities as wire
    from strata.domain.wire import episodes as episodes_wire
else:
    wire = Later("strata.domain.wire.entities")
    conclusions_wire = Later("strata.domain.wire.conclusions")
    episodes_wire = Later("strata.domain.wire.episodes")

_LIST = "/api/entities"


def _one(id: str, part: str = "") -> str:
    return path(_LIST + "/{}", id) + part


def _seen(user_id: str | None, agent_id: str | None, project: str | None) -> dict[str, str]:
    return params(userId=user_id, agent_id=agent_id, project=project)


def entities(
    user_id: str | None = None,
    *,
    q: str | None = None,
    type: str | None = None,
    deleted: bool | None = None,
    limit: int | None = None,
    cursor: str | None = None,
    agent_id: str | None = None,
    project: str | None = None,
) -> Call[wire.Entities]:
    """A page of entities, the last seen first; with `q` those of whose names a word begins so.

    `GET /api/entities`.
    """
    asked = params(q=q, type=type, deleted=deleted, limit=limit, cursor=cursor)
    return Call("GET", _LIST, model(lambda: wire.Entities), asked | _seen(user_id, agent_id, project))


def entity_stats(
    user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[wire.EntityStats]:
    """The number of entities of each type. `GET /api/entities/stats`."""
    asked = _seen(user_id, agent_id, project)
    return Call("GET", f"{_LIST}/stats", model(lambda: wire.EntityStats), asked)


def merge_proposals(
    user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[wire.MergeProposals]:
    """Entities that may be one. `GET /api/entities/merge-proposals`."""
    asked = _seen(user_id, agent_id, project)
    return Call("GET", f"{_LIST}/merge-proposals", model(lambda: wire.MergeProposals), asked)


def get_entity(
    id: str, user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[wire.Entity]:
    """An entity; the id of a merged one leads to its target. `GET /api/entities/{entityId}`."""
    return Call("GET", _one(id), model(lambda: wire.Entity), _seen(user_id, agent_id, project))


def put_entity(
    id: str,
    change: Mapping[str, object],
    user_id: str | None = None,
    *,
    agent_id: str | None = None,
    project: str | None = None,
) -> Call[wire.Entity]:
    """Change `name`, `aliases`, `type` or `confidence`; None gives a field back to what is learnt.

    `PUT /api/entities/{entityId}`.
    """
    asked = _seen(user_id, agent_id, project)
    return Call("PUT", _one(id), model(lambda: wire.Entity), asked, dict(change))


def delete_entity(
    id: str, user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[bool]:
    """Delete an entity; the same sources do not bring it back. `DELETE /api/entities/{entityId}`."""
    return Call("DELETE", _one(id), member("deleted", lambda: bool), _seen(user_id, agent_id, project))


def restore_entity(
    id: str, user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[wire.Entity]:
    """Give back a deleted entity. `POST /api/entities/{entityId}/restore`."""
    asked = _seen(user_id, agent_id, project)
    return Call("POST", _one(id, "/restore"), model(lambda: wire.Entity), asked)


def merge_entities(
    id: str,
    source_id: str,
    user_id: str | None = None,
    *,
    agent_id: str | None = None,
    project: str | None = None,
) -> Call[wire.Entity]:
    """Merge a source into an entity. `POST /api/entities/{entityId}/merge`."""
    asked, body = _seen(user_id, agent_id, project), {"sourceId": source_id}
    return Call("POST", _one(id, "/merge"), model(lambda: wire.Entity), asked, body)


def undo_merge(
    id: str,
    source_id: str,
    user_id: str | None = None,
    *,
    agent_id: str | None = None,
    project: str | None = None,
) -> Call[wire.UndoneMerge]:
    """Take a merged entity out again. `POST /api/entities/{entityId}/merge/undo`."""
    asked, body = _seen(user_id, agent_id, project), {"sourceId": source_id}
    return Call("POST", _one(id, "/merge/undo"), model(lambda: wire.UndoneMerge), asked, body)


def entity_episodes(
    id: str,
    user_id: str | None = None,
    *,
    limit: int | None = None,
    agent_id: str | None = None,
    project: str | None = None,
) -> Call[list[episodes_wire.Episode]]:
    """The episodes that name an entity, newest first. `GET /api/entities/{entityId}/episodes`."""
    asked = params(limit=limit) | _seen(user_id, agent_id, project)
    found = member("episodes", lambda: list[episodes_wire.Episode])
    return Call("GET", _one(id, "/episodes"), found, asked)


def entity_conclusions(
    id: str, user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[list[conclusions_wire.Conclusion]]:
    """The conclusions that name an entity. `GET /api/entities/{entityId}/conclusions`."""
    found = member("conclusions", lambda: list[conclusions_wire.Conclusion])
    return Call("GET", _one(id, "/conclusions"), found, _seen(user_id, agent_id, project))


def entity_relationships(
    id: str, user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[list[wire.EntityRelationship]]:
    """The relationships of an entity. `GET /api/entities/{entityId}/relationships`."""
    found = member("relationships", lambda: list[wire.EntityRelationship])
    return Call("GET", _one(id, "/relationships"), found, _seen(user_id, agent_id, project))


def entity_graph(
    id: str,
    user_id: str | None = None,
    *,
    depth: int | None = None,
    limit: int | None = None,
    agent_id: str | None = None,
    project: str | None = None,
) -> Call[wire.EntityGraph]:
    """The entities around one. `GET /api/entities/{entityId}/graph`."""
    asked = params(depth=depth, limit=limit) | _seen(user_id, agent_id, project)
    return Call("GET", _one(id, "/graph"), model(lambda: wire.EntityGraph), asked)


def entity_page(
    id: str, user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[str]:
    """An entity's page in Markdown. `GET /api/entities/{entityId}/page`."""
    return Call("GET", _one(id, "/page"), Decoder(str, "text/markdown"), _seen(user_id, agent_id, project))
