"""Entities that memories name: people, places, organizations, events and things (agtOS)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from inspect import Signature, signature
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import StringConstraints

from strata.domain.entities.shapes import EntityType
from strata.domain.errors import Conflict
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.entities import (
    DeletedEntity,
    Entities,
    Entity,
    EntityChange,
    EntityConclusions,
    EntityEpisodes,
    EntityGraph,
    EntityRelationships,
    EntitySource,
    EntityStats,
    MergeProposals,
    OfPerson,
    UndoneMerge,
)
from strata.domain.wire.fields import BLANK_IS_ABSENT, EMPTY_IS_ABSENT, MAX_QUERY, Clamped, Ident, Project
from strata.entrypoints.http.api.api import MARKDOWN, Api, Caller, Handler
from strata.entrypoints.http.api.identity import owner_of
from strata.entrypoints.http.api.parameters import IdentPath, OneUserQuery
from strata.entrypoints.observing import Observing
from strata.services.entities.catalog import EntityCatalog, Wanted
from strata.services.entities.editing import EntityEditor
from strata.services.entities.graph import EntityGraphs
from strata.services.entities.view import Sight

Name = Annotated[str, StringConstraints(max_length=MAX_QUERY)]

_MOST = 100
_DEEPEST = 3
_MOST_NODES = 200
Limit = Annotated[int, Clamped(_MOST), Query()]
_OTHERS = "what is of others is left out."
Agent = Annotated[Ident | None, EMPTY_IS_ABSENT, Query(description=f"The agent that asks: {_OTHERS}")]
InProject = Annotated[Project | None, EMPTY_IS_ABSENT, Query(description=f"The project that asks: {_OTHERS}")]


@dataclass(frozen=True, slots=True)
class Asked:
    """The person whose entities a call means, and the sight of the agent and the project that ask."""

    owner: str
    sight: Sight


def _who(
    catalog: EntityCatalog,
    caller: Scope,
    *,
    user_id: OneUserQuery = None,
    agent_id: Agent = None,
    project: InProject = None,
) -> Asked:
    return Asked(owner_of(caller, user_id), catalog.sight(caller, agent_id, project))


_, _, *_SHARED = signature(_who).parameters.values()


def _asked(catalog: EntityCatalog, route: Callable[..., Any]) -> Callable[..., Any]:
    """Give a route the query parameters of a person, an agent and a project, which it takes as `Asked`."""

    @wraps(route)
    def call(caller: Scope, **given: Any) -> Any:
        shared = {each.name: given.pop(each.name) for each in _SHARED}
        bodies = (each.userId for each in given.values() if isinstance(each, OfPerson))
        named = {shared["user_id"], *bodies} - {None}
        if len(named) > 1:
            raise Conflict("userId names another user in the query than in the body")
        shared["user_id"] = next(iter(named), None)
        return route(caller, _who(catalog, caller, **shared), **given)

    caller, _, *own = signature(route).parameters.values()
    call.__signature__ = Signature([caller, *own, *_SHARED])  # type: ignore[attr-defined]
    return call


def entities_handler(
    identify: Caller, observing: Observing, catalog: EntityCatalog, graphs: EntityGraphs, editor: EntityEditor
) -> Handler:
    """Routes to find, read and change entities."""
    api, asking = Api(identify, observing), partial(_asked, catalog)

    @api.route("GET", "/api/entities", READ, answer=Entities)
    @asking
    def list_entities(
        caller: Scope,
        asked: Asked,
        q: Annotated[Name | None, BLANK_IS_ABSENT, Query()] = None,
        kind: Annotated[EntityType | None, BLANK_IS_ABSENT, Query(alias="type")] = None,
        limit: Limit = 20,
        cursor: Annotated[str | None, Query(max_length=8000)] = None,
        deleted: Annotated[bool, Query()] = False,
    ) -> Entities:
        """Entities, the last seen first; with `q` those of whose names or aliases a word begins so."""
        wanted = Wanted(asked.sight, kind, deleted)
        return catalog.page(caller, asked.owner, wanted, q, limit, cursor)

    @api.route("GET", "/api/entities/stats", READ, answer=EntityStats)
    @asking
    def entity_stats(caller: Scope, asked: Asked) -> EntityStats:
        """The number of entities of each type."""
        return catalog.stats(caller, asked.owner, asked.sight)

    @api.route("GET", "/api/entities/merge-proposals", READ, answer=MergeProposals)
    @asking
    def merge_proposals(caller: Scope, asked: Asked) -> MergeProposals:
        """Entities that may be one, as maintenance found them; nothing is merged until somebody does it."""
        found = catalog.proposals(caller, asked.owner, asked.sight)
        return MergeProposals(proposals=found, count=len(found))

    @api.route("GET", "/api/entities/<entityId>", READ, answer=Entity, errors=(404,))
    @asking
    def get_entity(caller: Scope, asked: Asked, entityId: IdentPath) -> Entity:
        """An entity; the id of a merged one leads to its target."""
        return catalog.get(caller, asked.owner, entityId, asked.sight)

    @api.route("GET", "/api/entities/<entityId>/episodes", READ, answer=EntityEpisodes, errors=(404,))
    @asking
    def entity_episodes(
        caller: Scope, asked: Asked, entityId: IdentPath, limit: Limit = 20
    ) -> EntityEpisodes:
        """The episodes that name an entity and are still there, newest first."""
        found = catalog.episodes(caller, asked.owner, entityId, asked.sight, limit)
        return EntityEpisodes(episodes=found, count=len(found))

    @api.route("GET", "/api/entities/<entityId>/conclusions", READ, answer=EntityConclusions, errors=(404,))
    @asking
    def entity_conclusions(caller: Scope, asked: Asked, entityId: IdentPath) -> EntityConclusions:
        """The conclusions about the person that name an entity."""
        found = catalog.conclusions(caller, asked.owner, entityId, asked.sight)
        return EntityConclusions(conclusions=found, count=len(found))

    @api.route("PUT", "/api/entities/<entityId>", WRITE, answer=Entity, errors=(404,))
    @asking
    def put_entity(
        caller: Scope, asked: Asked, entityId: IdentPath, change: Annotated[EntityChange, Body()]
    ) -> Entity:
        """Change the named fields of an entity; an edit wins over what is learnt, and null takes it back."""
        return editor.put(caller, asked.owner, entityId, change, asked.sight)

    @api.route("DELETE", "/api/entities/<entityId>", WRITE, answer=DeletedEntity, errors=(404,))
    @asking
    def delete_entity(caller: Scope, asked: Asked, entityId: IdentPath) -> DeletedEntity:
        """Delete an entity; the same sources do not bring it back."""
        return DeletedEntity(
            deleted=True, entity_id=editor.delete(caller, asked.owner, entityId, asked.sight)
        )

    @api.route("POST", "/api/entities/<entityId>/restore", WRITE, answer=Entity, errors=(404,))
    @asking
    def restore_entity(caller: Scope, asked: Asked, entityId: IdentPath) -> Entity:
        """Give back a deleted entity with all that named it before."""
        return editor.restore(caller, asked.owner, entityId, asked.sight)

    @api.route("POST", "/api/entities/<entityId>/merge", WRITE, answer=Entity, errors=(404,))
    @asking
    def merge_entities(
        caller: Scope, asked: Asked, entityId: IdentPath, source: Annotated[EntitySource, Body()]
    ) -> Entity:
        """Merge another entity into this one; its id leads here from now on."""
        return editor.merge(caller, asked.owner, entityId, source.source_id, asked.sight)

    @api.route("POST", "/api/entities/<entityId>/merge/undo", WRITE, answer=UndoneMerge, errors=(404,))
    @asking
    def undo_merge(
        caller: Scope, asked: Asked, entityId: IdentPath, source: Annotated[EntitySource, Body()]
    ) -> UndoneMerge:
        """Take a merged entity out again, as it was but for what came since."""
        return editor.undo(caller, asked.owner, entityId, source.source_id, asked.sight)

    @api.route(
        "GET", "/api/entities/<entityId>/relationships", READ, answer=EntityRelationships, errors=(404,)
    )
    @asking
    def entity_relationships(caller: Scope, asked: Asked, entityId: IdentPath) -> EntityRelationships:
        """The relationships of an entity, the best supported first."""
        found = graphs.relationships(caller, asked.owner, entityId, asked.sight)
        return EntityRelationships(relationships=found, count=len(found))

    @api.route("GET", "/api/entities/<entityId>/graph", READ, answer=EntityGraph, errors=(404,))
    @asking
    def entity_graph(
        caller: Scope,
        asked: Asked,
        entityId: IdentPath,
        depth: Annotated[int, Clamped(_DEEPEST), Query()] = 2,
        limit: Annotated[int, Clamped(_MOST_NODES), Query()] = _MOST_NODES,
    ) -> EntityGraph:
        """The entities around one, within `depth` relationships."""
        return graphs.graph(caller, asked.owner, entityId, asked.sight, depth, limit)

    @api.route("GET", "/api/entities/<entityId>/page", READ, media=MARKDOWN, errors=(404,))
    @asking
    def entity_page(caller: Scope, asked: Asked, entityId: IdentPath) -> Response[str]:
        """An entity's page in Markdown."""
        return Response(
            200, f"{MARKDOWN}; charset=utf-8", graphs.page(caller, asked.owner, entityId, asked.sight)
        )

    return api
