"""Lists, searches and shows entities within the borders of who asks."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from strata.domain.cursors import opened, sealed
from strata.domain.entities.shapes import EntityType
from strata.domain.entities.spelling import name_key
from strata.domain.errors import InvalidRequest, NotFound
from strata.domain.scope import Scope
from strata.domain.wire.conclusions import Conclusion
from strata.domain.wire.entities import Entities, Entity, EntityStats, MergeProposal
from strata.domain.wire.episodes import Episode
from strata.ports.table import Query, Table
from strata.services.entities.book import Book
from strata.services.entities.view import Sight, glance, shown, visible
from strata.services.people.agents import ConfiguredAgents
from strata.services.people.consent import refusing
from strata.services.records.entities import (
    NAME_PREFIX,
    entities_of,
    entities_pk,
    mentions_of,
)
from strata.services.records.episodes import episode_key, episode_number, to_episode
from strata.services.records.parts import part
from strata.services.table.pages import every_page

_LISTING = "entities"
_PAGE = 100
_MOST_FOUND = 500
"""Names that a search looks at."""

ReadConclusions = Callable[[Scope, str, Sight], list[Conclusion]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The entities that are asked for: deleted ones where `deleted`, all types without `type`."""

    sight: Sight
    type: EntityType | None = None
    deleted: bool = False


class EntityCatalog:
    """Reads entities; of a person who refuses it finds none.

    Args:
        table: the store.
        conclusions: gives what was concluded about a person, as far as it may be seen.
    """

    def __init__(self, table: Table, conclusions: ReadConclusions) -> None:
        self._table = table
        self._conclusions = conclusions

    def sight(self, scope: Scope, agent_id: str | None, project: str | None) -> Sight:
        """The sight of an agent in a project; None for none in particular."""
        return Sight(agent_id, project, ConfiguredAgents(self._table, scope))

    def page(
        self, scope: Scope, owner: str, wanted: Wanted, q: str | None, limit: int, cursor: str | None = None
    ) -> Entities:
        """A page of entities, the last seen first; with `q` those with a name of which a word begins so.

        Raises:
            InvalidRequest: `cursor` is of another listing.
        """
        if refusing(self._table, scope, [owner]):
            return Entities(entities=[], count=0, next=None)
        place = opened(cursor, _LISTING) if cursor else None
        if cursor and (not place or not isinstance(place[0], str if q is None else int)):
            raise InvalidRequest("cursor: is not of this listing")
        if q is not None:
            start = max(place[0], 0) if place else 0
            some, further = self._found(scope, owner, wanted, name_key(q), start, limit)
            more = [start + limit] if further else None
        else:
            some, more, last = [], None, ""
            for at, entity in self._listed(scope, owner, wanted, place[0] if place else None, limit):
                if len(some) == limit:
                    more = [last]
                    break
                some.append(entity)
                last = at
        return Entities(entities=some, count=len(some), next=sealed(_LISTING, more) if more else None)

    def stats(self, scope: Scope, owner: str, sight: Sight) -> EntityStats:
        """The number of entities of each type that may be seen."""
        types: Counter[EntityType] = Counter()
        if refusing(self._table, scope, [owner]):
            return EntityStats(total=0, types=types)
        for told, count in Book(self._table, scope, owner).head()["counts"].items():
            kind, named, borders = json.loads(told)
            if any(sight.reaches(*each) for each in borders) or (named and sight == Sight()):
                types[kind] += count
        return EntityStats(total=types.total(), types=types)

    def proposals(self, scope: Scope, owner: str, sight: Sight) -> list[MergeProposal]:
        """Merges that the sweep proposes, of entities that may be seen and are two still."""
        if refusing(self._table, scope, [owner]):
            return []
        book = Book(self._table, scope, owner)
        proposed = book.head()["proposals"]
        book.load(each[end] for each in proposed for end in ("entity", "source"))
        found = []
        for each in proposed:
            ends = [book.root(each[end]) for end in ("entity", "source") if each[end] in book.rows]
            if len({*ends}) == 2 and not book.differ(*ends):
                entity, source = (shown(book.tree(end), sight) for end in ends)
                if entity and source:
                    told = {"reason": each["reason"], "likeness": each["likeness"]}
                    found.append(MergeProposal(entity=entity, source=source, **told))
        return found

    def get(self, scope: Scope, owner: str, identity: str, sight: Sight) -> Entity:
        """An entity; the id of a merged one leads to its target.

        Raises:
            NotFound: there is none that may be seen.
        """
        return visible(self.book(scope, owner), identity, sight)

    def book(self, scope: Scope, owner: str) -> Book:
        """A person's entities as they are stored.

        Raises:
            NotFound: the person refuses that anything is learnt about them.
        """
        if refusing(self._table, scope, [owner]):
            raise NotFound("no such entity")
        return Book(self._table, scope, owner)

    def episodes(self, scope: Scope, owner: str, identity: str, sight: Sight, limit: int) -> list[Episode]:
        """The episodes that name an entity and are still there, newest first."""
        book = self.book(scope, owner)
        visible(book, identity, sight)
        sources = self.sources(book, identity, sight)
        numbers = [n for each in sources if (n := episode_number(each)) is not None]
        keys = [episode_key(owner, number) for number in numbers]
        found: list[Episode] = []
        for start in range(0, len(keys), _PAGE):
            rows = self._table.get_many(scope, keys[start : start + _PAGE])
            found += [to_episode(rows[key]) for key in keys[start : start + _PAGE] if key in rows]
            if len(found) >= limit:
                break
        return found[:limit]

    def sources(self, book: Book, identity: str, sight: Sight, most: int = 1000) -> list[str]:
        """The ids of the episodes and facts that name an entity, newest first."""
        told: dict[str, int] = {}
        for row in book.tree(identity):
            query = Query(mentions_of(book.owner, row["id"]), index="gsi1", newest_first=True, limit=most)
            for found in self._table.query(book.scope, query).rows:
                if found.item["life"] > row["buried"] and sight.admits(found.item):
                    told[found.item["source"]] = found.item["at"]
        return sorted(told, key=lambda each: (-told[each], each))[:most]

    def conclusions(self, scope: Scope, owner: str, identity: str, sight: Sight) -> list[Conclusion]:
        """The conclusions whose text or words name an entity."""
        entity = self.get(scope, owner, identity, sight)
        names = [f" {name_key(each)} " for each in entity.aliases]
        found = []
        for each in self._conclusions(scope, owner, sight):
            said = [f" {name_key(text)} " for text in (each.text, *(quote.text for quote in each.quotes))]
            if any(name in text for name in names for text in said):
                found.append(each)
        return found

    def _listed(
        self, scope: Scope, owner: str, wanted: Wanted, after: str | None, limit: int
    ) -> Iterator[tuple[str, Entity]]:
        """Entities with their places, where the newest of their rows stands."""
        query = Query(
            entities_of(owner, wanted.type),
            index="gsi2" if wanted.type else "gsi1",
            newest_first=True,
            last=after,
            limit=min(limit + 1, _PAGE),
        )
        for rows in every_page(self._table, scope, query):
            book = Book(self._table, scope, owner, {row.item["id"]: row.item for row in rows})
            book.complete()
            for row in rows:
                place = row.item["gsi1sk"]
                tree = book.tree(row.item["id"])
                same = [each["gsi1sk"] for each in tree if wanted.type in (None, each["type"])]
                entity = shown(tree, wanted.sight, deleted=wanted.deleted)
                if place == after or place != max(same) or entity is None:
                    continue
                if wanted.type in (None, entity.type):
                    yield place, entity

    def _found(
        self, scope: Scope, owner: str, wanted: Wanted, key: str, start: int, limit: int
    ) -> tuple[list[Entity], bool]:
        """Entities with such a name from one place on, the best first; whether there are more."""
        if not key:
            return [], False
        query = Query(entities_pk(owner), prefix=f"{NAME_PREFIX}{part(key)}", limit=_MOST_FOUND)
        rows = self._table.query(scope, query).rows
        book = Book(self._table, scope, owner)
        book.load(row.item["entity"] for row in rows)
        ranks: dict[str, tuple[int, int, str]] = {}
        for root in {book.root(row.item["entity"]) for row in rows if row.item["entity"] in book.rows}:
            if wanted.type not in (None, book.rows[root]["type"]):
                continue
            told = glance(book.tree(root), wanted.sight, deleted=wanted.deleted)
            keys = [name_key(each) for each in told.aliases] if told else []
            fits = [2 if each == key else 1 for each in keys if f" {key}" in f" {each}"]
            if told and fits:
                ranks[root] = -max(fits), -told.count, told.name
        best = sorted(ranks, key=lambda each: ranks[each])
        page = (
            shown(book.tree(each), wanted.sight, deleted=wanted.deleted)
            for each in best[start : start + limit]
        )
        return [each for each in page if each], len(best) > start + limit
