"""Relationships of entities, and the neighbourhoods that they make."""

from collections.abc import Iterable, Sequence

from strata.domain.entities.page import page
from strata.domain.entities.spelling import name_key
from strata.domain.errors import NotFound
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.entities import (
    Entity,
    EntityEnd,
    EntityGraph,
    EntityRelationship,
    GraphEdge,
    GraphNode,
)
from strata.ports.rows import Item
from strata.ports.table import Query, Table
from strata.services.entities.book import Book
from strata.services.entities.catalog import EntityCatalog, Wanted
from strata.services.entities.edges import USER
from strata.services.entities.rows import slot_of
from strata.services.entities.view import Sight, repeated, seen, shown, visible
from strata.services.records.entities import EDGE_PREFIX, edges_to, entities_pk

_MOST_EDGES = 200
"""Relationships of one entity in each direction that are read."""
_ON_PAGE = 20
_MOST_CALLED = 10

Ends = tuple[str, str, str]
"""A relationship by the ids of its subject, its kind, and of its object, after all merges."""


class EntityGraphs:
    """Shows relationships, neighbourhoods and pages within the borders of who asks."""

    def __init__(self, table: Table, catalog: EntityCatalog) -> None:
        self._table = table
        self._catalog = catalog

    def sight(self, scope: Scope, agent_id: str | None, project: str | None) -> Sight:
        """As `EntityCatalog.sight`."""
        return self._catalog.sight(scope, agent_id, project)

    def relationships(
        self, scope: Scope, owner: str, identity: str, sight: Sight
    ) -> list[EntityRelationship]:
        """The relationships of an entity, the best supported first.

        Raises:
            NotFound: there is no such entity that may be seen.
        """
        sighted = _Sighted(self._catalog.book(scope, owner), sight)
        return self._related(sighted, visible(sighted.book, identity, sight))

    def page(self, scope: Scope, owner: str, identity: str, sight: Sight) -> str:
        """An entity's page in Markdown, with its newest episodes.

        Raises:
            NotFound: there is no such entity that may be seen.
        """
        sighted = _Sighted(self._catalog.book(scope, owner), sight)
        entity = visible(sighted.book, identity, sight)
        related = self._related(sighted, entity)[:_ON_PAGE]
        conclusions = self._catalog.conclusions(scope, owner, identity, sight)[:_ON_PAGE]
        episodes = self._catalog.episodes(scope, owner, identity, sight, _ON_PAGE)
        prose = [
            each
            for row in sighted.book.tree(entity.id)
            for part in seen(row, sight)
            for each in row.get("prose", {}).get(slot_of(part), ())
        ]
        asked = {"userId": owner, "agent_id": sight.agent_id, "project": sight.project}
        return page(
            entity,
            related,
            conclusions,
            episodes,
            prose=[(each["text"], each["sources"]) for each in prose],
            query={name: value for name, value in asked.items() if value},
        )

    def called(self, scope: Scope, owner: str, name: str, sight: Sight) -> list[Entity]:
        """The entity with this id, else those of this name, else some of whose names a word begins so.

        Raises:
            NotFound: there is none that may be seen.
        """
        try:
            return [self._catalog.get(scope, owner, name, sight)]
        except NotFound:
            found = self._catalog.page(scope, owner, Wanted(sight), name, _MOST_CALLED).entities
            key = name_key(name)
            named = [each for each in found if key in map(name_key, each.aliases)] or found
            if not named:
                raise
            return named

    def graph(
        self, scope: Scope, owner: str, identity: str, sight: Sight, depth: int, limit: int
    ) -> EntityGraph:
        """The entities within `depth` relationships of one, at most `limit`, the best supported first.

        Raises:
            NotFound: there is no such entity that may be seen.
        """
        sighted = _Sighted(self._catalog.book(scope, owner), sight)
        middle = visible(sighted.book, identity, sight).id
        depths, edges, truncated, level = {middle: 0}, dict[Ends, GraphEdge](), False, [middle]
        for distance in range(1, depth + 1):
            further: list[str] = []
            for ends, support in sighted.edges(level):
                new = [each for each in (ends[0], ends[2]) if each not in depths]
                if new and len(depths) >= limit:
                    truncated = True
                    continue
                depths |= dict.fromkeys(new, distance)
                further += [each for each in new if each != USER]
                edges[ends] = GraphEdge(
                    subject=ends[0], kind=ends[1], object=ends[2], confidence=_confidence(support)
                )
            level = further
        nodes = []
        for each, distance in depths.items():
            end, entity = sighted.end(each), sighted.entity(each)
            count = entity.mention_count if entity else 0
            nodes.append(GraphNode(**end.model_dump(), depth=distance, mention_count=count))
        return EntityGraph(nodes=nodes, edges=list(edges.values()), truncated=truncated)

    def _related(self, sighted: "_Sighted", entity: Entity) -> list[EntityRelationship]:
        return [
            EntityRelationship(
                subject=sighted.end(ends[0]),
                kind=ends[1],
                object=sighted.end(ends[2]),
                confidence=_confidence(support),
                sources=sorted(support, key=lambda each: -support[each]["at"]),
                last_seen=rfc3339(max(each["at"] for each in support.values())),
            )
            for ends, support in sighted.edges([entity.id])
        ]


class _Sighted:
    """A book as far as it may be seen."""

    def __init__(self, book: Book, sight: Sight) -> None:
        self.book = book
        self._sight = sight
        self._shown: dict[str, Entity | None] = {}

    def entity(self, identity: str) -> Entity | None:
        """An entity that was read, if it may be seen."""
        if identity not in self._shown:
            there = identity in self.book.rows
            self._shown[identity] = shown(self.book.tree(identity), self._sight) if there else None
        return self._shown[identity]

    def end(self, identity: str) -> EntityEnd:
        """The end of a relationship."""
        entity = self.entity(identity)
        if entity is None:
            return EntityEnd(id=USER, name=USER, type="person")
        return EntityEnd(id=entity.id, name=entity.name, type=entity.type)

    def edges(self, ids: Sequence[str]) -> list[tuple[Ends, dict[str, Item]]]:
        """The relationships of these entities with the sources that may be seen, the best supported first."""
        rows = [row for each in ids for member in self.book.tree(each) for row in self._rows(member["id"])]
        self.book.load({end for row in rows for end in (row["subject"], row["object"])} - {USER})
        found: dict[Ends, dict[str, Item]] = {}
        for row in rows:
            ends = self._root(row["subject"]), row["kind"], self._root(row["object"])
            there = all(each == USER or self.entity(each) for each in (ends[0], ends[2]))
            support = self._support(row) if there and ends[0] != ends[2] else {}
            if support:
                found.setdefault(ends, {}).update(support)
        return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))

    def _rows(self, identity: str) -> Iterable[Item]:
        scope, owner = self.book.scope, self.book.owner
        out = Query(
            entities_pk(owner), prefix=f"{EDGE_PREFIX}{identity}#", limit=_MOST_EDGES, resumable=False
        )
        into = Query(edges_to(owner, identity), index="gsi1", limit=_MOST_EDGES, resumable=False)
        for query in (out, into):
            yield from (row.item for row in self.book.table.query(scope, query).rows)

    def _root(self, identity: str) -> str:
        return self.book.root(identity) if identity in self.book.rows else identity

    def _support(self, row: Item) -> dict[str, Item]:
        buried = [
            self.book.rows[each]["buried"] if each in self.book.rows else 0
            for each in (row["subject"], row["object"])
        ]
        return {
            source: told
            for source, told in row["support"].items()
            if self._sight.admits(told)
            and all(life > gone for life, gone in zip(told["lives"], buried, strict=True))
        }


def _confidence(support: dict[str, Item]) -> float:
    mean = sum(each["confidence"] for each in support.values()) / len(support)
    return round(repeated(mean, len(support)), 3)
