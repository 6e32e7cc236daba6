"""Edits of entities by a person, which win over what is learnt: changes, deletions, merges and their undo."""

from collections.abc import Callable
from typing import TypeVar

from strata.domain.entities.spelling import name_key
from strata.domain.errors import Conflict, InvalidRequest, NotFound
from strata.domain.scope import Scope
from strata.domain.wire.entities import Entity, EntityChange, UndoneMerge
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Check, Item
from strata.ports.table import Table
from strata.services.entities.book import Book
from strata.services.entities.settling import settle_hinted
from strata.services.entities.view import Sight, shown, visible
from strata.services.people.consent import refusing
from strata.services.people.permission import persistence_check
from strata.services.records.erasures import tombstone_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused

Result = TypeVar("Result")

MOST_MERGED = 40
"""Entities that one unites; a deletion writes all of them at once."""


class EntityEditor:
    """Changes entities that may be seen by who asks.

    Every method raises `NotFound` for an entity that may not be seen, and `Conflict` where nothing may be
    kept of the owner, or concurrent writers did not let it settle.

    Args:
        table, clock: the store and the time.
        clean: takes secrets out of a text.
    """

    def __init__(self, table: Table, clock: Clock, clean: Callable[[str], str]) -> None:
        self._table = table
        self._clock = clock
        self._clean = clean

    def put(self, scope: Scope, owner: str, identity: str, change: EntityChange, sight: Sight) -> Entity:
        """Change the named fields; null gives a field back to what is learnt."""

        def changed(book: Book, now: int) -> None:
            root = book.change(visible(book, identity, sight).id)
            given = change.model_dump(include=change.model_fields_set - {"userId"})
            given |= {"name": self._clean(given["name"])} if given.get("name") else {}
            given |= {"aliases": [*map(self._clean, given["aliases"])]} if given.get("aliases") else {}
            root["stated"] = {k: v for k, v in (root["stated"] | given).items() if v is not None}
            if "type" in given:
                root["type"] = given["type"] or root["types"][0]
            learnt = root["types"][0]
            root["types"] = list(dict.fromkeys((learnt, root["stated"].get("type", learnt))))
            names = [given.get("name") or "", *(given.get("aliases") or ())]
            if "aliases" in given:
                kept = {*map(name_key, names), name_key(root["stated"].get("name", ""))}
                for row in book.tree(root["id"]):
                    forms = {name_key(form) for slot in row["seen"].values() for form in slot["forms"]}
                    forms |= {name_key(row["stated"].get("name", ""))} - {""}
                    hidden = [] if given["aliases"] is None else sorted(forms - kept)
                    book.change(row["id"])["hidden"] = hidden
            book.unite(root["id"], filter(None, names), now)
            settle_hinted(book, book.root(root["id"]))

        return self._change(scope, owner, identity, sight, changed)

    def delete(self, scope: Scope, owner: str, identity: str, sight: Sight) -> str:
        """Delete an entity and what is merged into it; the same sources do not bring it back.

        Raises:
            Conflict: it is merged into another one, which its id alone does not mean to delete.
        """

        def changed(book: Book, now: int) -> str:
            entity = visible(book, identity, sight)
            if entity.id != identity:
                raise Conflict(
                    f"it is merged into {entity.name} ({entity.id}): delete that, or undo the merge"
                )
            for row in book.tree(entity.id):
                change = book.change(row["id"])
                change |= {"buried": row["life"], "life": row["life"] + 1, "deleted_at": now}
            return entity.id

        return self._write(scope, owner, changed, refused_too=True)

    def bury(self, scope: Scope, owner: str, identity: str, marks: Item) -> None:
        """Delete the row of an entity as another store deleted it, with the marks of that deletion."""

        def attempt(_: Refused | None) -> None:
            book, now = Book(self._table, scope, owner), self._clock.now_us()
            book.load([identity])
            if identity in book.rows:
                row = book.change(identity)
                row |= marks
                book.write(now)

        settled(self._clock, "the entity", attempt)

    def restore(self, scope: Scope, owner: str, identity: str, sight: Sight) -> Entity:
        """Give back a deleted entity with all that named it before."""

        def changed(book: Book, now: int) -> None:
            book.load([identity])
            tree = book.tree(identity) if identity in book.rows else []
            before = tree and (shown(tree, sight) or shown(tree, sight, deleted=True))
            if not before or not any(row["buried"] for row in tree):
                raise NotFound("no such deleted entity")
            for row in tree:
                book.change(row["id"])["buried"] = 0
                for name in ("deleted_at", "lost"):
                    row.pop(name, None)
            settle_hinted(book, tree[0]["id"])

        return self._change(scope, owner, identity, sight, changed)

    def merge(self, scope: Scope, owner: str, identity: str, source: str, sight: Sight) -> Entity:
        """Merge a source into an entity: the source's id leads to it from now on.

        Raises:
            Conflict: the source is the entity itself.
            InvalidRequest: both together unite too many.
        """

        def changed(book: Book, now: int) -> None:
            if source == identity:
                raise Conflict("an entity can't be merged with itself")
            target, other = (visible(book, each, sight).id for each in (identity, source))
            if target == other:
                return
            both = [*book.tree(target), *book.tree(other)]
            if len(both) > MOST_MERGED:
                raise InvalidRequest(f"an entity unites at most {MOST_MERGED} others")
            for row in both:
                split = {*row["apart"]} & {each["id"] for each in both}
                if split:
                    book.change(row["id"])["apart"] = [each for each in row["apart"] if each not in split]
            book.merge(target, other, "person", now)
            settle_hinted(book, target)

        return self._change(scope, owner, identity, sight, changed)

    def undo(self, scope: Scope, owner: str, identity: str, source: str, sight: Sight) -> UndoneMerge:
        """Take a merged entity out again, as it was but for what came since; rules merge the two no more.

        Raises:
            NotFound: the source is not merged into the entity.
        """

        def changed(book: Book, now: int) -> UndoneMerge:
            entity = visible(book, identity, sight)
            row = book.rows.get(source)
            if row is None or source not in entity.merged or row["merged_into"] is None:
                raise NotFound("no such merge")
            target, taken = book.change(row["merged_into"]), book.change(source)
            book.part(target["id"], source)
            target["apart"] = [*target["apart"], source]
            taken["apart"] = [*taken["apart"], target["id"]]
            own = name_key(taken["stated"].get("name", ""))
            taken["hidden"] = [each for each in taken["hidden"] if each != own]
            for each in (entity.id, source):
                settle_hinted(book, each)
            both = shown(book.tree(identity), sight), shown(book.tree(source), sight)
            if both[0] is None or both[1] is None:
                raise NotFound("no such merge")
            return UndoneMerge(entity=both[0], source=both[1])

        return self._write(scope, owner, changed)

    def _change(
        self, scope: Scope, owner: str, identity: str, sight: Sight, change: Callable[[Book, int], None]
    ) -> Entity:
        def changed(book: Book, now: int) -> Entity:
            change(book, now)
            return visible(book, identity, sight)

        return self._write(scope, owner, changed)

    def _write(
        self, scope: Scope, owner: str, changed: Callable[[Book, int], Result], *, refused_too: bool = False
    ) -> Result:
        """Write a change; of a person who refuses only one that tells nothing of theirs (`refused_too`)."""
        checks = [persistence_check(owner), Check(tombstone_key(owner), Absent())]
        if not refused_too and refusing(self._table, scope, [owner]):
            raise NotFound("no such entity")

        def attempt(refused: Refused | None) -> Result:
            if refused is not None and "checks" in refused:
                raise Conflict("nothing may be kept of this person")
            book, now = Book(self._table, scope, owner), self._clock.now_us()
            result = changed(book, now)
            book.write(now, checks)
            return result

        return settled(self._clock, "the entity", attempt)
