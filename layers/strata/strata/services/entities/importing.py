"""Imports entities: what people stated of them with their merges, then the mentions, each of which counts.

So a mention that is there already, or whose source was deleted here, is not counted, and a source that
passes the stream afterwards finds its mentions.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from strata.domain.imports import DELETED, UNKEPT, UNNAMED
from strata.domain.scope import Scope
from strata.domain.times import microseconds
from strata.domain.wire.knowledge_lines import EntityLine, MentionLine
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AnyOf, Check, Equals, Item, Key
from strata.ports.table import Query, Table
from strata.services.entities.book import Book
from strata.services.entities.edges import related_edges
from strata.services.entities.recording import count_mention, mention_put
from strata.services.people.permission import learning_check, persistence_check
from strata.services.records.entities import entities_pk, mentions_prefix
from strata.services.records.episodes import episode_number, episode_place_key
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import GONE_PREFIX, fact_id, facts_pk
from strata.services.records.sessions import session_key
from strata.services.table.pages import every_row
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused

Line = TypeVar("Line", EntityLine, MentionLine)
Taken = bool | str
"""Whether a line was added; the reason where it can't be."""

_AT_ONCE = 20
_CONSENTED = AnyOf((Absent(), Equals("ai_consent", True), Equals("ai_consent", None)))


class EntityImport:
    """Adds entities and mentions that are not there yet.

    Args:
        table, clock: the store and the time.
        clean: takes secrets out of a text.
    """

    def __init__(self, table: Table, clock: Clock, clean: Callable[[str], str]) -> None:
        self._table = table
        self._clock = clock
        self._clean = clean

    def add(
        self, scope: Scope, owner: str, lines: Sequence[EntityLine | MentionLine], *, resurrect: bool
    ) -> list[Taken]:
        """Add lines of one owner, entities before what mentions them.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        taken: dict[int, Taken] = {}
        entities = {at: line for at, line in enumerate(lines) if isinstance(line, EntityLine)}
        for some in _parts(entities):
            taken |= self._entities(scope, owner, some, resurrect=resurrect)
        mentions = {at: line for at, line in enumerate(lines) if isinstance(line, MentionLine)}
        gone = set() if resurrect else self._gone_facts(scope, owner, mentions.values())
        by_source: dict[str, dict[int, MentionLine]] = {}
        for at, line in mentions.items():
            if line.source in gone:
                taken[at] = DELETED
            else:
                by_source.setdefault(line.source, {})[at] = line
        for source, named in by_source.items():
            for part in _parts(named):
                taken |= self._mentions(scope, owner, source, part, resurrect=resurrect)
        return [taken[at] for at in range(len(lines))]

    def _entities(
        self, scope: Scope, owner: str, lines: Mapping[int, EntityLine], *, resurrect: bool
    ) -> dict[int, Taken]:
        checks = [persistence_check(owner), _unerased(owner)]

        def attempt(refused: Refused | None) -> dict[int, Taken]:
            if refused is not None and "checks" in refused:
                return dict.fromkeys(lines, UNKEPT)
            book, now = Book(self._table, scope, owner), self._clock.now_us()
            book.load(
                {
                    each
                    for line in lines.values()
                    for each in (line.id, line.merged_into, *line.members)
                    if each
                }
            )
            taken = {at: self._entity(book, line, resurrect=resurrect) for at, line in lines.items()}
            book.write(now, checks)
            return taken

        return settled(self._clock, "the entities of a person", attempt)

    def _entity(self, book: Book, line: EntityLine, *, resurrect: bool) -> Taken:
        there = book.rows.get(line.id)
        if there is not None:
            if "deleted_at" not in there or line.deleted_at is not None:
                return False
            if not resurrect:
                return DELETED
            book.change(line.id)["buried"] = 0
            del there["deleted_at"]
            return True
        stated = line.stated.model_dump(exclude_none=True)
        stated |= {"name": self._clean(stated["name"])} if "name" in stated else {}
        stated |= {"aliases": [*map(self._clean, stated["aliases"])]} if "aliases" in stated else {}
        row = book.new(line.id, line.types[0], microseconds(line.created_at))
        kept = {"type", "types", "hidden", "life", "buried", "apart", "merged_by"}
        row |= line.model_dump(include=kept, exclude_none=True)
        row |= {"stated": stated, "merged_into": line.merged_into}
        row |= {"merged_at": microseconds(line.merged_at)} if line.merged_at else {}
        row |= {"deleted_at": microseconds(line.deleted_at)} if line.deleted_at else {}
        row["members"] = [
            each
            for each in line.members
            if each not in book.rows or book.rows[each]["merged_into"] == line.id
        ]
        into = book.rows.get(line.merged_into or "")
        if into is not None and line.id not in into["members"]:
            book.change(into["id"])["members"].append(line.id)
        return True

    def _gone_facts(self, scope: Scope, owner: str, lines: Iterable[MentionLine]) -> set[str]:
        """The facts that were deleted here, of the agents that these lines name."""
        agents = {line.agent_id for line in lines if line.agent_id}
        queries = (Query(facts_pk(each, owner), prefix=GONE_PREFIX) for each in agents)
        marks = (row.item for query in queries for row in every_row(self._table, scope, query))
        return {fact_id(mark["id"]) for mark in marks if "id" in mark}

    def _mentions(
        self, scope: Scope, owner: str, source: str, lines: Mapping[int, MentionLine], *, resurrect: bool
    ) -> dict[int, Taken]:
        """Count the mentions in one source, then bring in the relationships that they state."""
        keys = {Key(entities_pk(owner), mentions_prefix(source) + line.key): at for at, line in lines.items()}
        number = None if resurrect else episode_number(source)
        places = [] if number is None else [episode_place_key(number)]
        checks: list[Action] = [
            learning_check(owner),
            _unerased(owner),
            *(Check(session_key(each), _CONSENTED) for each in {line.session_id for line in lines.values()}),
            *(Check(each, AnyOf((Absent(), Equals("state", "live")))) for each in places),
        ]

        def stored() -> dict[Key, Item]:
            query = Query(entities_pk(owner), prefix=mentions_prefix(source))
            return {row.key: row.item for row in every_row(self._table, scope, query)}

        def counted(refused: Refused | None) -> dict[int, Taken]:
            if refused is not None and "checks" in refused:
                failed = {each.key for each in refused.actions("checks")}
                return dict.fromkeys(lines, DELETED if failed & {*places} else UNKEPT)
            book, rows = Book(self._table, scope, owner), stored()
            book.load(lines[at].entity for at in keys.values())
            taken: dict[int, Taken] = {}
            actions: list[Action] = []
            for key, at in keys.items():
                line = lines[at]
                if key in rows:
                    taken[at] = False
                elif line.entity not in book.rows:
                    taken[at] = UNNAMED
                else:
                    row = self._row(owner, line)
                    count_mention(book.change(line.entity), row, 1)
                    actions.append(mention_put(key, row))
                    taken[at] = True
            if actions:
                book.write(self._clock.now_us(), checks, actions)
            return {at: taken.get(at, False) for at in lines}

        def related(refused: Refused | None) -> bool:
            if refused is not None and "checks" in refused:
                return False
            book, rows = Book(self._table, scope, owner), stored()
            stated = {
                key: {
                    (subject, kind, target): sure
                    for subject, kind, target, sure in row["edges"]
                    or (lines[keys[key]].edges if key in keys else ())
                }
                for key, row in rows.items()
            }
            actions = related_edges(book, source, rows, stated)
            return book.write(self._clock.now_us(), checks, actions)

        taken = settled(self._clock, "the entities of a person", counted)
        while any(line.edges for line in lines.values()) and settled(
            self._clock, "the entities of a person", related
        ):
            pass
        return taken

    def _row(self, owner: str, line: MentionLine) -> Item:
        row = line.model_dump(exclude={"user_id", "key", "edges"})
        row |= {"text": self._clean(line.text), "also": [*map(self._clean, line.also)]}
        return row | {"owner": owner, "at": microseconds(line.at), "edges": []}


def _unerased(owner: str) -> Check:
    return Check(tombstone_key(owner), Absent())


def _parts(lines: Mapping[int, Line]) -> Iterator[dict[int, Line]]:
    every = list(lines.items())
    return (dict(every[at : at + _AT_ONCE]) for at in range(0, len(every), _AT_ONCE))
