"""Entities that memories name: people, places, organizations, events and things (agtOS)."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import StringConstraints

from strata.domain.entities.shapes import EntityType
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
    UndoneMerge,
)
from strata.domain.wire.fields import BLANK_IS_ABSENT, MAX_QUERY, Clamped, Ident, Project
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
Agent = Annotated[Ident | None, BLANK_IS_ABSENT, Query(description=f"The agent that asks: {_OTHERS}")]
InProject = Annotated[Project | None, BLANK_IS_ABSENT, Query(description=f"The project that asks: {_OTHERS}")]


def entities_handler(
    identify: Caller, observing: Observing, catalog: EntityCatalog, graphs: EntityGraphs, editor: EntityEditor
) -> Handler:
    """Routes to find, read and change entities."""
    api = Api(identify, observing)

    @api.route("GET", "/api/entities", READ, answer=Entities)
    def list_entities(
        caller: Scope,
        q: Annotated[Name | None, BLANK_IS_ABSENT, Query()] = None,
        kind: Annotated[EntityType | None, BLANK_IS_ABSENT, Query(alias="type")] = None,
        limit: Limit = 20,
        cursor: Annotated[str | None, Query(max_length=8000)] = None,
        deleted: Annotated[bool, Query()] = False,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> Entities:
        """Entities, the last seen first; with `q` those of whose names or aliases a word begins so."""
        wanted = Wanted(Sight(agent_id, project), kind, deleted)
        return catalog.page(caller, owner_of(caller, user_id), wanted, q, limit, cursor)

    @api.route("GET", "/api/entities/stats", READ, answer=EntityStats)
    def entity_stats(
        caller: Scope,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> EntityStats:
        """The number of entities of each type."""
        return catalog.stats(caller, owner_of(caller, user_id), Sight(agent_id, project))

    @api.route("GET", "/api/entities/merge-proposals", READ, answer=MergeProposals)
    def merge_proposals(
        caller: Scope,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> MergeProposals:
        """Entities that may be one, as maintenance found them; nothing is merged until somebody does it."""
        found = catalog.proposals(caller, owner_of(caller, user_id), Sight(agent_id, project))
        return MergeProposals(proposals=found, count=len(found))

    @api.route("GET", "/api/entities/<entityId>", READ, answer=Entity, errors=(404,))
    def get_entity(
        caller: Scope,
        entityId: IdentPath,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> Entity:
        """An entity; the id of a merged one leads to its target."""
        return catalog.get(caller, owner_of(caller, user_id), entityId, Sight(agent_id, project))

    @api.route("GET", "/api/entities/<entityId>/episodes", READ, answer=EntityEpisodes, errors=(404,))
    def entity_episodes(
        caller: Scope,
        entityId: IdentPath,
        limit: Limit = 20,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> EntityEpisodes:
        """The episodes that name an entity and are still there, newest first."""
        sight = Sight(agent_id, project)
        found = catalog.episodes(caller, owner_of(caller, user_id), entityId, sight, limit)
        return EntityEpisodes(episodes=found, count=len(found))

    @api.route("GET", "/api/entities/<entityId>/conclusions", READ, answer=EntityConclusions, errors=(404,))
    def entity_conclusions(
        caller: Scope,
        entityId: IdentPath,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> EntityConclusions:
        """The conclusions about the person that name an entity."""
        found = catalog.conclusions(caller, owner_of(caller, user_id), entityId, Sight(agent_id, project))
        return EntityConclusions(conclusions=found, count=len(found))

    @api.route("PUT", "/api/entities/<entityId>", WRITE, answer=Entity, errors=(404,))
    def put_entity(
        caller: Scope,
        entityId: IdentPath,
        change: Annotated[EntityChange, Body()],
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> Entity:
        """Change the named fields of an entity; an edit wins over what is learnt, and null takes it back."""
        owner, sight = owner_of(caller, user_id), Sight(agent_id, project)
        return editor.put(caller, owner, entityId, change, sight)

    @api.route("DELETE", "/api/entities/<entityId>", WRITE, answer=DeletedEntity, errors=(404,))
    def delete_entity(
        caller: Scope,
        entityId: IdentPath,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> DeletedEntity:
        """Delete an entity; the same sources do not bring it back."""
        owner, sight = owner_of(caller, user_id), Sight(agent_id, project)
        return DeletedEntity(deleted=True, entity_id=editor.delete(caller, owner, entityId, sight))

    @api.route("POST", "/api/entities/<entityId>/restore", WRITE, answer=Entity, errors=(404,))
    def restore_entity(
        caller: Scope,
        entityId: IdentPath,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> Entity:
        """Give back a deleted entity with all that named it before."""
        owner, sight = owner_of(caller, user_id), Sight(agent_id, project)
        return editor.restore(caller, owner, entityId, sight)

    @api.route("POST", "/api/entities/<entityId>/merge", WRITE, answer=Entity, errors=(404,))
    def merge_entities(
        caller: Scope,
        entityId: IdentPath,
        source: Annotated[EntitySource, Body()],
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> Entity:
        """Merge another entity into this one; its id leads here from now on."""
        owner, sight = owner_of(caller, user_id), Sight(agent_id, project)
        return editor.merge(caller, owner, entityId, source.source_id, sight)

    @api.route("POST", "/api/entities/<entityId>/merge/undo", WRITE, answer=UndoneMerge, errors=(404,))
    def undo_merge(
        caller: Scope,
        entityId: IdentPath,
        source: Annotated[EntitySource, Body()],
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> UndoneMerge:
        """Take a merged entity out again, as it was but for what came since."""
        owner, sight = owner_of(caller, user_id), Sight(agent_id, project)
        return editor.undo(caller, owner, entityId, source.source_id, sight)

    @api.route(
        "GET", "/api/entities/<entityId>/relationships", READ, answer=EntityRelationships, errors=(404,)
    )
    def entity_relationships(
        caller: Scope,
        entityId: IdentPath,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> EntityRelationships:
        """The relationships of an entity, the best supported first."""
        owner, sight = owner_of(caller, user_id), Sight(agent_id, project)
        found = graphs.relationships(caller, owner, entityId, sight)
        return EntityRelationships(relationships=found, count=len(found))

    @api.route("GET", "/api/entities/<entityId>/graph", READ, answer=EntityGraph, errors=(404,))
    def entity_graph(
        caller: Scope,
        entityId: IdentPath,
        depth: Annotated[int, Clamped(_DEEPEST), Query()] = 2,
        limit: Annotated[int, Clamped(_MOST_NODES), Query()] = _MOST_NODES,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> EntityGraph:
        """The entities around one, within `depth` relationships."""
        owner, sight = owner_of(caller, user_id), Sight(agent_id, project)
        return graphs.graph(caller, owner, entityId, sight, depth, limit)

    @api.route("GET", "/api/entities/<entityId>/page", READ, media=MARKDOWN, errors=(404,))
    def entity_page(
        caller: Scope,
        entityId: IdentPath,
        user_id: OneUserQuery = None,
        agent_id: Agent = None,
        project: InProject = None,
    ) -> Response[str]:
        """An entity's page in Markdown."""
        owner, sight = owner_of(caller, user_id), Sight(agent_id, project)
        return Response(200, f"{MARKDOWN}; charset=utf-8", graphs.page(caller, owner, entityId, sight))

    return api
