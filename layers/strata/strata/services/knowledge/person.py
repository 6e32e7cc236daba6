"""All that is stored of the knowledge about one person, and the writes that change it.

A head row changes with every write, so each writer has seen all of it: runs of one person take turns.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from strata.domain.knowledge.borders import Border
from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, Condition, Delete, Equals, Item, Put
from strata.ports.table import Query, Table
from strata.services.knowledge.drawing import Source
from strata.services.knowledge.sighted import undeclined, unpacked
from strata.services.people.agents import configured
from strata.services.records.knowledge import (
    CONCLUSION_PREFIX,
    CONSOLIDATION_PREFIX,
    DECLINED_PREFIX,
    DUE_PK,
    KNOWLEDGE_KIND,
    SIGHTED_PREFIX,
    border_fields,
    border_of_conclusion,
    conclusion_key,
    knowledge_head_key,
    knowledge_pk,
)
from strata.services.records.owners import owned
from strata.services.records.parts import numbered
from strata.services.table.pages import every_row

_PAGE = 200


@dataclass(slots=True)
class Knowledge:
    """The rows of one person, as they were read together.

    Attributes:
        owner: the person.
        version: the head's; None where there is none.
        sighted: sightings of sessions, by session.
        conclusions: conclusions, by id.
        declined: marks of deleted conclusions, by id.
        runs: runs of the dreamer, oldest first.
        due: when the sweep has something to do after the next write (µs), see `knowledge_head_key`; None
            for nothing.
        was_due: the same as it was read.
    """

    owner: str
    version: int | None
    sighted: dict[str, Item] = field(default_factory=dict)
    conclusions: dict[str, Item] = field(default_factory=dict)
    declined: dict[str, Item] = field(default_factory=dict)
    runs: Sequence[Item] = ()
    due: int | None = 0
    was_due: int = 0

    @property
    def listed(self) -> Item:
        """The attributes that list each of the rows under the person."""
        return owned(self.owner, KNOWLEDGE_KIND)

    @property
    def head(self) -> Put:
        """Note that the person's rows change; it fails where they changed since they were read."""
        seen: Condition = Absent() if self.version is None else Equals("version", self.version)
        row: Item = {"version": (self.version or 0) + 1} | self.listed
        if self.due is not None:
            row |= {"gsi2pk": DUE_PK, "gsi2sk": numbered(self.due)}
        return Put(knowledge_head_key(self.owner), row, seen)

    def declines(self, session_id: str) -> bool:
        """Whether the person deleted a conclusion, or a fact, from this session."""
        return any(
            session_id in mark["sessions"] and not mark.get("replaced") for mark in self.declined.values()
        )

    def sources(self, configured: Iterable[str]) -> list[Source]:
        """The sessions with their sightings, but for those from which a person deleted the conclusion."""
        confined = set(configured)
        marks: defaultdict[str, list[Item]] = defaultdict(list)
        for mark in self.declined.values():
            for each in mark["sessions"]:
                marks[each].append(mark)
        found = []
        for row in self.sighted.values():
            session, border = row["session_id"], border_of(row, confined)
            found.append(Source(session, border, undeclined(marks[session], unpacked(row))))
        return found

    def conclusion(self, conclusion_id: str, row: Item | None) -> Action:
        """Write a conclusion, or delete it (None)."""
        key = conclusion_key(self.owner, conclusion_id)
        return Delete(key) if row is None else Put(key, row | self.listed)


def border_of(row: Item, configured: Container[str]) -> Border:
    """The border of a session's sightings; an app is an agent only where it is configured as one."""
    agent, project = row["agent_id"], row["project"]
    border = Border.of([], [project], apps=[agent]) if row["by_app"] else Border.of([agent], [project])
    return border.where_configured(configured)


class KnowledgeRows:
    """Reads a person's knowledge."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def read(self, scope: Scope, owner: str, *, runs: bool = False, sightings: bool = True) -> Knowledge:
        """All of it, without the runs of the dreamer unless they are asked for.

        The head is read first: what is written while the rest is read fails the next write.
        """
        found = self.head(scope, owner)
        if found.version is None:
            return found
        for row in self.rows(scope, owner, SIGHTED_PREFIX) if sightings else ():
            found.sighted[row["session_id"]] = row
        found.conclusions = {row["id"]: row for row in self.conclusions(scope, owner)}
        found.declined = {row["id"]: row for row in self.rows(scope, owner, DECLINED_PREFIX)}
        if runs:
            found.runs = self.rows(scope, owner, CONSOLIDATION_PREFIX)
        return found

    def conclusions(self, scope: Scope, owner: str) -> list[Item]:
        """The conclusions; those that rest on an agent that was configured since are confined to it."""
        rows = self.rows(scope, owner, CONCLUSION_PREFIX)
        borders = [border_of_conclusion(row) for row in rows]
        known = configured(self._table, scope, {name for each in borders for name in each.agents | each.apps})
        return [
            row if (now := border.where_configured(known)) == border else row | border_fields(now)
            for row, border in zip(rows, borders, strict=True)
        ]

    def head(self, scope: Scope, owner: str) -> Knowledge:
        """The head alone."""
        head = self._table.get(scope, knowledge_head_key(owner))
        return (
            Knowledge(owner, head["version"], was_due=int(head.get("gsi2sk", 0)))
            if head
            else Knowledge(owner, None)
        )

    def rows(self, scope: Scope, owner: str, prefix: str) -> Sequence[Item]:
        """The rows of one kind, by their keys."""
        query = Query(knowledge_pk(owner), prefix=prefix, limit=_PAGE)
        return [row.item for row in every_row(self._table, scope, query)]
