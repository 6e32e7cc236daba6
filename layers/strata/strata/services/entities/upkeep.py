"""The sweep over entities of the people whose entities changed: orphans, totals, and merges to propose."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from strata.domain.entities.likeness import alike
from strata.domain.entities.shapes import ENTITY_TYPES
from strata.domain.entities.spelling import name_key
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.language import Embedder
from strata.ports.rows import Item, Key
from strata.ports.table import Query, Table
from strata.services.entities.book import Book
from strata.services.entities.recording import Recorder, counted
from strata.services.entities.rows import class_of, names_of
from strata.services.records.entities import (
    DUE_PK,
    ENTITIES_PREFIX,
    ENTITY_PREFIX,
    MENTION_PREFIX,
    entities_pk,
)
from strata.services.records.episodes import episode_number, episode_place_key
from strata.services.records.parts import whole
from strata.services.records.people import fact_key, fact_number
from strata.services.table.pages import every_row
from strata.services.table.retry import settled
from strata.services.table.transaction import transact

MOST_COMPARED = 2_000
"""The most entities of a type whose names are compared: those that are named most often."""
MOST_PROPOSED = 100
_READ_AT_ONCE = 1_000
_ROUNDS = 4
"""Lost sources and wrong counts are mended first, and what is left is read again."""


class EntityUpkeep:
    """Mends an owner's entities, and proposes merges.

    Args:
        table, clock: the store and the time.
        recorder: takes away what lost sources named.
        embedder: makes vectors of names.
    """

    def __init__(self, table: Table, clock: Clock, recorder: Recorder, embedder: Embedder) -> None:
        self._table = table
        self._clock = clock
        self._recorder = recorder
        self._embedder = embedder

    def due(self, scope: Scope, cursor: str | None, limit: int) -> tuple[list[str], str | None]:
        """Owners whose entities changed since they were tended, and the next page's cursor."""
        page = self._table.query(scope, Query(DUE_PK, index="gsi2", cursor=cursor, limit=limit))
        return [whole(row.key.pk.removeprefix(ENTITIES_PREFIX)) for row in page.rows], page.cursor

    def tend(self, scope: Scope, owner: str, *, dry: bool) -> Mapping[str, int]:
        """Mend an owner's entities; with `dry` only count what would be done.

        Raises:
            Conflict: concurrent writers did not let this one settle.
            ModelFailed, Unavailable: there are no vectors now.
        """
        counts: Counter[str] = Counter()

        def attempt(_: object) -> bool:
            now, book = self._clock.now_us(), Book(self._table, scope, owner)
            head = book.head()
            book.rows = {row["id"]: row for row in self._rows(scope, owner, ENTITY_PREFIX).values()}
            mentions = self._rows(scope, owner, MENTION_PREFIX)
            lost = self._lost(scope, mentions)
            wrong = _miscounted(book, mentions)
            counts["looked_at"] = len(book.rows)
            if dry:
                named = Counter(row["entity"] for row in mentions.values())
                gone = Counter(row["entity"] for row in mentions.values() if row["source"] in lost)
                orphans = sum(named[each] == gone[each] for each in gone)
                counts.update(orphans=orphans, recounted=len(wrong), proposed=len(self._proposals(book)))
                return True
            if lost:
                for source in lost:
                    self._recorder.remove(scope, owner, source)
                left = self._rows(scope, owner, ENTITY_PREFIX).values()
                counts["orphans"] += len(book.rows.keys() - {row["id"] for row in left})
                return False
            for identity, seen in wrong.items():
                one = Book(self._table, scope, owner, book.rows)
                row = one.change(identity)
                row["seen"] = seen
                row.pop("prose", None)  # it may rest on what was counted wrongly
                counts["recounted"] += one.write(now)
            if wrong:
                return False
            proposals = self._proposals(book)
            counts["proposed"] = len(proposals)
            totals = Counter(class_of(book.tree(each)) for each in _roots(book))
            del totals[""]
            told = head | {"counts": dict(totals), "proposals": proposals}
            counts["recounted"] += told["counts"] != head["counts"]
            transact(self._table, scope, {"head": book.headed(told, now, due=False)})
            return True

        for _ in range(_ROUNDS):
            if settled(self._clock, "the entities of a person", attempt):
                break
        return counts

    def _rows(self, scope: Scope, owner: str, prefix: str) -> dict[Key, Item]:
        query = Query(entities_pk(owner), prefix=prefix, limit=_READ_AT_ONCE)
        return {row.key: row.item for row in every_row(self._table, scope, query)}

    def _lost(self, scope: Scope, mentions: Mapping[Key, Item]) -> set[str]:
        """Sources that were deleted or superseded; what expired stays known."""
        places: dict[Key, str] = {}
        for row in mentions.values():
            source = row["source"]
            if (number := episode_number(source)) is not None:
                places[episode_place_key(number)] = source
            elif (number := fact_number(source)) is not None:
                places[fact_key(row["agent_id"], row["owner"], number)] = source
        lost: set[str] = set()
        keys = list(places)
        for start in range(0, len(keys), _READ_AT_ONCE):
            some = keys[start : start + _READ_AT_ONCE]
            found = self._table.get_many(scope, some)
            lost |= {places[key] for key in some if _is_lost(places[key], found.get(key))}
        return lost

    def _proposals(self, book: Book) -> list[Item]:
        """Pairs of entities that may be one, as the head keeps them; who is named more often comes first."""
        found: list[Item] = []
        for kind in ENTITY_TYPES:
            roots = [each for each in _roots(book) if book.rows[each]["type"] == kind]
            named = {each: _named(book.tree(each)) for each in roots}
            ranks = {each: (-_count(book.tree(each)), -len(name)) for each, name in named.items() if name}
            some = sorted(ranks, key=lambda each: ranks[each])[:MOST_COMPARED]
            keys = [sorted({key for row in book.tree(each) for key in names_of(row)}) for each in some]
            vectors = self._embedder.embed([named[each] for each in some]) if len(some) > 1 else None
            for pair in alike(keys, vectors) if vectors is not None else ():
                target, source = some[pair.one], some[pair.other]
                if not book.differ(target, source):
                    ends = {"entity": target, "source": source}
                    found.append(ends | {"reason": pair.reason, "likeness": pair.likeness})
        return sorted(found, key=lambda each: (-each["likeness"], each["entity"]))[:MOST_PROPOSED]


def _is_lost(source: str, row: Item | None) -> bool:
    if fact_number(source) is not None:
        return row is None or row.get("superseded_by") is not None
    return row is not None and row.get("state") == "gone"


def _roots(book: Book) -> list[str]:
    return [each for each, row in book.rows.items() if row["merged_into"] not in book.rows]


def _named(tree: Sequence[Item]) -> str:
    """The name to compare: the stated one, else the form that is said most often; "" for what is deleted."""
    if not class_of(tree):
        return ""
    forms: Counter[str] = Counter()
    for row in tree:
        for slot in row["seen"].values():
            forms.update(
                {each: n for each, n in slot["forms"].items() if name_key(each) not in row["hidden"]}
            )
    return tree[0]["stated"].get("name") or max(forms, key=lambda form: (forms[form], form), default="")


def _count(tree: Sequence[Item]) -> int:
    return sum(slot["count"] for row in tree for slot in row["seen"].values())


def _miscounted(book: Book, mentions: Mapping[Key, Item]) -> dict[str, Item]:
    """Entities whose counts or class are not those of their mentions, with the counts of these."""
    of: dict[str, list[Item]] = defaultdict(list)
    for row in mentions.values():
        of[row["entity"]].append(row)
    found = {}
    for identity, row in book.rows.items():
        seen = counted(of[identity])
        root = row["merged_into"] not in book.rows
        now = class_of(book.tree(identity)) if root else ""
        if not _same(seen, row["seen"]) or row.get("counted", "") != now:
            found[identity] = seen
    return found


def _same(one: Item, other: Item) -> bool:
    """Whether two counts are the same, but for how sums of confidence were rounded."""

    def rounded(seen: Item) -> Item:
        return {name: slot | {"sure": round(slot["sure"], 3)} for name, slot in seen.items()}

    return rounded(one) == rounded(other)
