"""Records what sources name: mentions, entities and relationships, each counted once for a source."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from strata.domain.entities.roles import role_class
from strata.domain.entities.shapes import Mention, Relationship
from strata.domain.entities.spelling import LONGEST_NAME, name_key
from strata.domain.errors import Conflict
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, Delete, Equals, Item, Key, Put
from strata.ports.table import Query, Table
from strata.services.entities.book import Book
from strata.services.entities.edges import Rows, related_edges, stated_edges
from strata.services.entities.resolving import resolved
from strata.services.entities.rows import slot_of
from strata.services.entities.settling import settle_told
from strata.services.records.entities import (
    entities_pk,
    mention_key,
    mention_places,
    mentions_prefix,
)
from strata.services.table.pages import every_row
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused

_AT_ONCE = 20
"""Mentions in one transaction: each writes itself, its entity and that one's target."""
_EDGES_AT_ONCE = 40
"""Relationships of mentions that move in one transaction."""
_MOST_PARTS = 2_000
"""Parts of one source that are written in one go: more than the longest text names, however it is split."""
_MOST_FORMS = 2
_MOST_LOST = 50
"""Sources that are kept of a deleted entity whose name they lost."""


@dataclass(frozen=True, slots=True)
class Source:
    """An episode or a fact that names entities.

    Attributes:
        id: its id over the wire.
        owner: the person whose memory it is.
        session_id, agent_id, project: where it is from; `confined` where the agent is configured.
        at: when it was said (µs).
        checks: let a write fail once nothing may be learnt from it.
    """

    id: str
    owner: str
    session_id: str
    agent_id: str | None
    project: str | None
    confined: bool
    at: int
    checks: Sequence[Action] = ()


class Recorder:
    """Writes and takes away what sources name."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def record(
        self, scope: Scope, source: Source, mentions: Sequence[Mention], related: Sequence[Relationship]
    ) -> bool:
        """Record all that a source names; what it named before and names no more is taken away.

        A mention that fits two entities is of neither. False once nothing may be learnt from it: then nothing
        more is written.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        wanted = {
            mention_key(source.owner, source.id, each.type, name_key(each.text)): each
            for each in mentions
            if name_key(each.text) and len(each.text) <= LONGEST_NAME
        }

        border: Item = {
            "agent_id": source.agent_id,
            "project": source.project or None,
            "confined": source.confined,
        }

        def due(book: Book, rows: Rows, now: int) -> list[Action]:
            new = {key: mention for key, mention in wanted.items() if key not in rows}
            lost = {key: row for key, row in rows.items() if key not in wanted}
            stated = stated_edges(rows, wanted, related)
            return (
                _bordered(book, rows, border)
                or _named(book, source, new, related, now)
                or related_edges(book, source.id, rows, stated)
                or _lost(book, lost, now)
            )

        return self._settle(scope, source.owner, source.id, due, source.checks)

    def move(self, scope: Scope, owner: str, source_id: str, project: str) -> None:
        """Let all that a source named be named in another project.

        Raises:
            Conflict: concurrent writers of an entity did not let this one settle.
        """
        self._settle(
            scope, owner, source_id, lambda book, rows, _: _bordered(book, rows, {"project": project})
        )

    def remove(self, scope: Scope, owner: str, source_id: str) -> None:
        """Take away all that a source named.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """

        def due(book: Book, rows: Rows, now: int) -> list[Action]:
            return related_edges(book, source_id, rows, {}) or _lost(book, rows, now)

        self._settle(scope, owner, source_id, due)

    def _settle(
        self,
        scope: Scope,
        owner: str,
        source_id: str,
        due: Callable[[Book, Rows, int], list[Action]],
        checks: Sequence[Action] = (),
    ) -> bool:
        """Write what is due of a source's mentions, a part at a time, and last what it merges.

        After each part the source is read again: another text of it may have been recorded meanwhile. False
        once a check does not hold.
        """

        def attempt(refused: Refused | None) -> bool | None:
            if refused is not None and "checks" in refused:
                return None
            book, now = Book(self._table, scope, owner), self._clock.now_us()
            query = Query(entities_pk(owner), prefix=mentions_prefix(source_id))
            rows = {row.key: row.item for row in every_row(self._table, scope, query)}
            actions = due(book, rows, now)
            if not actions:
                for row in rows.values():
                    book.unite(row["entity"], row["also"], now)
                    settle_told(book, name_key(row["text"]), now)
            return book.write(now, checks, actions)

        for _ in range(_MOST_PARTS):
            if not (more := settled(self._clock, "the entities of a person", attempt)):
                return more is not None
        raise Conflict("the entities of a person are being written by others; try again")


def _bordered(book: Book, rows: Rows, border: Item) -> list[Action]:
    """Count mentions and their relationships where their source is now: its agent, its project."""
    changed = [
        (key, row) for key, row in rows.items() if any(row[name] != value for name, value in border.items())
    ]
    actions: list[Action] = []
    edges = 0
    for key, row in changed[:_AT_ONCE]:
        edges += len(row["edges"])
        if actions and edges > _EDGES_AT_ONCE:
            break
        moved = row | border | {"related": row.get("related", 0) + 1}
        book.load([row["entity"]])
        if row["entity"] in book.rows:
            entity = book.change(row["entity"])
            count_mention(entity, row, -1)
            count_mention(entity, moved, 1)
        for subject, kind, target, _ in row["edges"]:
            support = book.edge(subject, kind, target)["support"]
            if row["source"] in support:
                support[row["source"]] |= border
        actions.append(Put(key, moved | mention_places(moved), Equals("entity", row["entity"])))
    return actions


def _named(
    book: Book, source: Source, new: Mapping[Key, Mention], related: Sequence[Relationship], now: int
) -> list[Action]:
    """Count mentions for the entities that they are of."""
    actions: list[Action] = []
    for key, mention in new.items():
        if len(actions) == _AT_ONCE:
            break
        employers = (each for each in related if each.kind == "works-at" and each.subject == mention.text)
        works = sorted({name_key(each.object) for each in employers})
        border = source.agent_id, source.project or None, source.confined
        entity = resolved(book, mention, works, border, now)
        if entity is None:
            continue
        life = entity["life"]
        if source.id in entity.get("lost", ()):
            life = entity["buried"]
        else:
            book.change(book.root(entity["id"])).pop("deleted_at", None)
        row: Item = {
            "source": source.id,
            "owner": source.owner,
            "entity": entity["id"],
            "text": mention.text,
            "also": [each for each in dict.fromkeys(mention.also) if name_key(each)][:_MOST_FORMS],
            "roles": [role_class(mention.role)] if mention.role else [],
            "hints": [mention.hint] if mention.hint else [],
            "works": works,
            "confidence": mention.confidence,
            "at": source.at,
            "session_id": source.session_id,
            "agent_id": source.agent_id,
            "project": source.project or None,
            "confined": source.confined,
            "life": life,
            "edges": [],
        }
        count_mention(entity, row, 1)
        actions.append(mention_put(key, row))
    return actions


def mention_put(key: Key, row: Item) -> Put:
    """Write a mention that is not there, with what lists it."""
    return Put(key, row | mention_places(row), Absent())


def counted(mentions: Sequence[Item]) -> Item:
    """The counts that these mentions give an entity."""
    entity: Item = {"seen": {}}
    for row in mentions:
        count_mention(entity, row, 1)
    seen: Item = entity["seen"]
    return seen


def count_mention(entity: Item, row: Item, by: int) -> None:
    """Add a mention to an entity's counts (1), or take it away (-1)."""
    name = slot_of(row)
    entity.get("prose", {}).pop(name, None)  # it is of other mentions
    slot = entity["seen"].setdefault(
        name,
        {name: row[name] for name in ("life", "agent_id", "project", "confined")}
        | {
            "count": 0,
            "sure": 0.0,
            "first": row["at"],
            "last": row["at"],
            "forms": {},
            "roles": {},
            "works": {},
        },
    )
    slot["count"] += by
    slot["sure"] = round(slot["sure"] + by * row["confidence"], 6)
    slot["first"], slot["last"] = min(slot["first"], row["at"]), max(slot["last"], row["at"])
    for what, values in (
        ("forms", [row["text"], *row["also"]]),
        ("roles", row["roles"]),
        ("works", row["works"]),
        ("hints", row.get("hints", ())),  # sources from before hints have none
    ):
        numbers = dict(slot.get(what, {}))
        for value in values:
            numbers[value] = numbers.get(value, 0) + by
        slot[what] = {value: number for value, number in numbers.items() if number > 0}
    if slot["count"] <= 0:
        del entity["seen"][name]


def _lost(book: Book, lost: Rows, now: int) -> list[Action]:
    """Take away mentions that a source holds no more; their relationships are gone already."""
    some = list(lost.items())[:_AT_ONCE]
    book.load({row["entity"] for _, row in some})
    for _, row in some:
        if row["entity"] in book.rows:
            entity = book.change(row["entity"])
            count_mention(entity, row, -1)
            # a source that finds the name again brings no deleted entity back
            if row["life"] <= entity["buried"] and row["source"] not in entity.get("lost", ()):
                entity["lost"] = [*entity.get("lost", ()), row["source"]][-_MOST_LOST:]
    for _, row in some:
        settle_told(book, name_key(row["text"]), now)
    return [Delete(key, Equals("entity", row["entity"])) for key, row in some]
