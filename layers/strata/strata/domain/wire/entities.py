"""Entities, their relationships and their neighbourhoods as they go over the wire."""

from typing import Annotated

from pydantic import Field, FiniteFloat, StringConstraints

from strata.domain.entities.shapes import EntityType, Likeness
from strata.domain.entities.spelling import LONGEST_NAME
from strata.domain.wire.base import Wire
from strata.domain.wire.conclusions import Conclusion
from strata.domain.wire.episodes import Episode
from strata.domain.wire.fields import Ident, OptionalIdent

MOST_ALIASES = 50

EntityName = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"\w", max_length=LONGEST_NAME)]


class Entity(Wire):
    """A person, place, organization, event or thing that a person's memories name.

    `aliases` are all spellings that lead to it, its name among them; `roles` say who a person is to the owner
    of the memories, and `pet`, `toy`, `town` or `brand` what else it is. `mention_count` counts episodes and
    facts that name it. `merged` are the ids that lead to it, `stated` the fields that a person set.
    """

    id: str
    name: str
    type: EntityType
    aliases: list[str]
    roles: list[str]
    confidence: float
    mention_count: int
    first_seen: str | None
    last_seen: str | None
    merged: list[str]
    stated: list[str]


class Entities(Wire):
    """A page of entities; `next` is the cursor of the following page."""

    entities: list[Entity]
    count: int
    next: str | None = None


class EntityStats(Wire):
    """The number of entities, and of those of each type."""

    total: int
    types: dict[EntityType, int]


class OfPerson(Wire):
    """What a body may say of whose entities it means, where the query does not."""

    userId: OptionalIdent = None  # noqa: N815 - the wire's own name


class EntityChange(OfPerson):
    """A person's edit; fields that are not named stay, and null gives a field back to what is learnt.

    `aliases` takes the place of all aliases; the name stays one.
    """

    name: EntityName | None = None
    aliases: Annotated[list[EntityName], Field(max_length=MOST_ALIASES)] | None = None
    type: EntityType | None = None
    confidence: Annotated[FiniteFloat, Field(ge=0, le=1)] | None = None


class MergeProposal(Wire):
    """Two entities that may be one, by initials, or by the vectors of their names (with their cosine)."""

    entity: Entity
    source: Entity
    reason: Likeness
    likeness: float


class MergeProposals(Wire):
    """Merges that the sweep proposes, the likeliest first."""

    proposals: list[MergeProposal]
    count: int


class EntitySource(OfPerson):
    """The entity that is merged into another one, or taken out of it again."""

    source_id: Ident = Field(alias="sourceId")


class DeletedEntity(Wire):
    """The entity that was deleted."""

    deleted: bool
    entity_id: str = Field(alias="entityId")


class UndoneMerge(Wire):
    """Both entities after an undone merge."""

    entity: Entity
    source: Entity


class EntityEnd(Wire):
    """One end of a relationship; the id `user` is the person whose memories these are, who is no entity."""

    id: str
    name: str
    type: EntityType


class EntityRelationship(Wire):
    """A relationship between two entities, and the episodes and facts that state it."""

    subject: EntityEnd
    kind: str
    object: EntityEnd
    confidence: float
    sources: list[str]
    last_seen: str


class EntityRelationships(Wire):
    """The relationships of an entity, the best supported first."""

    relationships: list[EntityRelationship]
    count: int


class EntityEpisodes(Wire):
    """The episodes that name an entity, newest first."""

    episodes: list[Episode]
    count: int


class EntityConclusions(Wire):
    """The conclusions that name an entity."""

    conclusions: list[Conclusion]
    count: int


class GraphNode(EntityEnd):
    """An entity of a neighbourhood; `depth` is its distance from the middle."""

    depth: int
    mention_count: int


class GraphEdge(Wire):
    """A relationship between two nodes, by their ids."""

    subject: str
    kind: str
    object: str
    confidence: float


class EntityGraph(Wire):
    """The neighbourhood of an entity; `truncated` where more nodes belong to it than were asked for."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    truncated: bool
