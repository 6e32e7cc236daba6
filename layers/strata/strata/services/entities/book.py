"""The entities of one owner that a read or a write looks at, and what the write changes of them.

Merging moves nothing: the source's row points to the target, and a read of the target reads both. So an undo
gives back exactly what was there, and what came since went to the row that is called so.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from strata.domain.entities.spelling import name_key
from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, Delete, Equals, Item, Key, Put
from strata.ports.table import Query, Table
from strata.services.entities.names import names_leading_to, settle_names, some_of
from strata.services.entities.rows import clashes, class_of, is_edited, names_of, told
from strata.services.records.entities import (
    DUE_PK,
    ENTITY_KIND,
    edge_key,
    edges_to,
    entities_head_key,
    entities_pk,
    entity_key,
    entity_places,
    names_prefix,
)
from strata.services.records.owners import owned
from strata.services.table.transaction import transact

_MOST_ACTIONS = 100
_NAMES_AT_ONCE = 90


@dataclass(slots=True)
class Book:
    """Rows of entities by id, with all that they are merged with; `changed` ones are written by `actions`."""

    table: Table
    scope: Scope
    owner: str
    rows: dict[str, Item] = field(default_factory=dict)
    edges: dict[Key, Item] = field(default_factory=dict)
    _before: dict[str, tuple[int | None, dict[Key, Item]]] = field(default_factory=dict)
    _edges_before: dict[Key, int | None] = field(default_factory=dict)
    _named: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def load(self, ids: Iterable[str]) -> None:
        """Read these entities, what they are merged into, and what is merged into them."""
        wanted = {*ids} - self.rows.keys()
        while wanted:
            keys = {entity_key(self.owner, each): each for each in wanted}
            found = {keys[key]: row for key, row in self.table.get_many(self.scope, list(keys)).items()}
            self.rows |= found
            linked = {each for row in found.values() for each in (row["merged_into"], *row["members"])}
            wanted = linked - {None} - self.rows.keys() - wanted

    def complete(self) -> None:
        """Read what the rows that are there are merged with."""
        linked = {each for row in self.rows.values() for each in (row["merged_into"], *row["members"])}
        self.load(linked - {None})

    def named(self, key: str, kind: str) -> list[str]:
        """The ids of the entities of this type that have this name, read with the book."""
        if (key, kind) not in self._named:
            whole = Equals("whole", True)
            query = Query(entities_pk(self.owner), prefix=names_prefix(key, kind), where=whole)
            self._named[key, kind] = [r.item["entity"] for r in self.table.query(self.scope, query).rows]
            self.load(self._named[key, kind])
        found = dict.fromkeys((*self._before, *self._named[key, kind]))
        rows = {each: self.rows[each] for each in found if each in self.rows}
        return [each for each, row in rows.items() if kind in row["types"] and key in names_of(row)]

    def root(self, identity: str) -> str:
        """The id of what an entity is merged into, after all merges."""
        passed = {identity}
        while (into := self.rows[identity]["merged_into"]) in self.rows and into not in passed:
            identity = into
            passed.add(into)
        return identity

    def tree(self, identity: str) -> list[Item]:
        """The rows that are one entity: the target's first, then all that are merged into it."""
        found = [self.root(identity)]
        for each in found:
            found += [m for m in self.rows[each]["members"] if m in self.rows and m not in found]
        return [self.rows[each] for each in found]

    def new(self, identity: str, kind: str, now: int) -> Item:
        """A row for an entity that is not there."""
        row: Item = {
            "id": identity,
            "type": kind,
            "types": [kind],
            "version": 0,
            "seen": {},
            "stated": {},
            "hidden": [],
        }
        row |= {"life": 1, "buried": 0, "members": [], "merged_into": None, "apart": [], "created_at": now}
        self.rows[identity] = row
        self._before[identity] = None, {}
        return row

    def change(self, identity: str) -> Item:
        """The row of an entity, to be changed and written."""
        row = self.rows[identity]
        if identity not in self._before:
            self._before[identity] = row["version"], names_leading_to(self.owner, row)
        return row

    def name_again(self, identity: str) -> None:
        """Write all names of an entity, and look up names anew: one that it has did not lead to it."""
        self._named.clear()
        self._before[identity] = self.rows[identity]["version"], {}

    def edge(self, subject: str, kind: str, target: str) -> Item:
        """The row of a relationship, to be changed and written."""
        key = edge_key(self.owner, subject, kind, target)
        if key not in self.edges:
            found = self.table.get(self.scope, key)
            self._edges_before[key] = found["version"] if found else None
            row: Item = {"subject": subject, "kind": kind, "object": target, "version": 0, "support": {}}
            row |= {"gsi1pk": edges_to(self.owner, target), "gsi1sk": f"{kind}#{subject}"}
            self.edges[key] = found or row | owned(self.owner, ENTITY_KIND)
        return self.edges[key]

    def merge(self, target: str, source: str, by: str, now: int) -> None:
        """Merge one root into another."""
        self.change(target)["members"].append(source)
        merged = self.change(source)
        merged |= {"merged_into": target, "merged_by": by, "merged_at": now}

    def part(self, target: str, source: str) -> None:
        """Take a root out of what it was merged into."""
        into = self.change(target)
        into["members"] = [each for each in into["members"] if each != source]
        self.change(source)["merged_into"] = None

    def unite(self, identity: str, names: Iterable[str], now: int) -> None:
        """Merge with an entity the one other of its learnt type with such a name, unless they differ."""
        self.load([identity])
        if identity not in self.rows:
            return
        kind = self.rows[identity]["stated"].get("type", self.rows[identity]["types"][0])
        for key in dict.fromkeys(map(name_key, names)):
            root = self.root(identity)
            others = {self.root(each) for each in self.named(key, kind)} - {root}
            types = {self.rows[each]["types"][0] for each in (root, *others)}
            if len(others) == len(types) == 1 and not self.differ(root, *others):
                self.merge(root, others.pop(), "rules", now)

    def write(self, now: int, checks: Sequence[Action] = (), actions: Sequence[Action] = ()) -> bool:
        """Write all that was changed, with these actions; False where nothing was.

        Where it is too much for one transaction, new names are written before the rows, because one that
        leads to nothing is passed over; after them, names are settled by the rows as they are then.

        Raises:
            Refused: a row changed since it was read, or one of `checks` fails.
        """
        new, main, gone = self._actions(now)
        main = [*actions, *main]
        names = [Put(key, item) for key, item in new.items()]
        every: list[Action] = [*names, *main, *map(Delete, gone)]
        split = len(every) + len(checks) > _MOST_ACTIONS
        parts: list[Sequence[Action]] = [*some_of(names, _NAMES_AT_ONCE), main] if split else [every]
        for part in filter(None, parts):
            transact(self.table, self.scope, {"checks": checks, "entities": part})
        if split:
            settle_names(self.table, self.scope, self.owner, gone | new)
        return bool(main)

    def _actions(self, now: int) -> tuple[dict[Key, Item], list[Action], dict[Key, Item]]:
        """New names, then rows on the condition that nobody else changed them, then names that are gone."""
        for identity in list(self._before):
            row = self.rows[identity]
            if row["merged_into"] and not self._kept(identity):
                self.part(row["merged_into"], identity)
        main: list[Action] = []
        new: dict[Key, Item] = {}
        gone: dict[Key, Item] = {}
        totals = self._count()
        for identity, (version, before) in self._before.items():
            row = self.rows[identity]
            kept = self._kept(identity)
            names = names_leading_to(self.owner, row) if kept else {}
            last = max((each["last"] for each in row["seen"].values()), default=row["created_at"])
            item = row | {"updated_at": now} | entity_places(self.owner, row["type"], last, identity)
            main += _written(entity_key(self.owner, identity), item, version, kept)
            new |= {each: item for each, item in names.items() if before.get(each) != item}
            gone |= {each: item for each, item in before.items() if each not in names}
        for key, version in self._edges_before.items():
            main += _written(key, self.edges[key], version, bool(self.edges[key]["support"]))
        if totals or new or gone:
            head = self.head()
            counts: Counter[str] = Counter(head["counts"])
            counts.update(totals)
            main += self.headed(head | {"counts": dict(+counts)}, now, due=True)
        return new, main, gone

    def _kept(self, identity: str) -> bool:
        """Whether anything is left of a changed entity; a new one waits for its mentions."""
        row = self.rows[identity]
        return self._before[identity][0] is None or bool(row["seen"] or row["members"]) or is_edited(row)

    def _count(self) -> Counter[str]:
        """The changes of the owner's totals; each root bears the class that it is counted in."""
        totals: Counter[str] = Counter()
        for identity in list(self._before):
            root = self.root(identity)
            for each in {identity, root}:
                now = class_of(self.tree(root)) if each == root else ""
                if now != (counted := self.rows[each].get("counted", "")):
                    self.change(each)["counted"] = now
                    totals.update({now: 1})
                    totals.subtract({counted: 1})
        return Counter({each: number for each, number in totals.items() if each and number})

    def head(self) -> Item:
        """The owner's head as it is."""
        empty: Item = {"version": 0, "counts": {}, "proposals": []}
        return self.table.get(self.scope, entities_head_key(self.owner)) or empty

    def headed(self, head: Item, now: int, *, due: bool) -> list[Action]:
        """Write a head that was read, where nobody did so since; `due` has the sweep look at the owner."""
        key, version = entities_head_key(self.owner), head["version"]
        same = Equals("version", version) if version else Absent()
        if not head["counts"]:
            return [Delete(key, same)] if version else []
        places = {"gsi2pk": DUE_PK, "gsi2sk": entities_pk(self.owner)} if due else {}
        row = {"version": max(now, version + 1), "counts": head["counts"], "proposals": head["proposals"]}
        return [Put(key, row | places | owned(self.owner, ENTITY_KIND), same)]

    def differ(self, one: str, other: str) -> bool:
        """Whether two roots must not be merged by rules: split by a person, deleted, or of other roles."""
        mine, yours = self.tree(one), self.tree(other)
        split = {each for row in mine for each in row["apart"]} & {row["id"] for row in yours}
        gone = any("deleted_at" in tree[0] for tree in (mine, yours))
        full = all(any(" " in name for row in tree for name in names_of(row)) for tree in (mine, yours))
        other_one = clashes(mine, told(yours, "roles"), told(yours, "works"), full_name=full)
        return bool(split) or gone or other_one


def _written(key: Key, row: Item, version: int | None, kept: bool) -> list[Action]:
    """Write a row, or delete it, where it has still the version that was read."""
    if version is None:
        return [Put(key, row | {"version": 1}, Absent())] if kept else []
    same = Equals("version", version)
    return [Put(key, row | {"version": version + 1}, same) if kept else Delete(key, same)]
