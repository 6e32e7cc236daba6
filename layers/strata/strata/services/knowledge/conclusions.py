"""Lists and deletes the conclusions about a person."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from strata.domain.errors import NotFound
from strata.domain.knowledge.statements import ConclusionType
from strata.domain.scope import Scope
from strata.domain.wire.conclusions import Conclusion
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Item, Present, Put, Update
from strata.ports.table import Table
from strata.services.knowledge.person import KnowledgeRows
from strata.services.people.consent import refused
from strata.services.records.knowledge import (
    CONSOLIDATION_PREFIX,
    border_of_conclusion,
    conclusion_key,
    consolidation_key,
    declined_key,
    to_conclusion,
)
from strata.services.records.people import consent_key
from strata.services.table.retry import settled
from strata.services.table.transaction import transact, write_what_holds

_AT_ONCE = 40
"""Conclusions that one transaction deletes, each with its mark."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The conclusions that are asked for.

    Attributes:
        agent_id: the agent that asks, if it is known.
        project: the project that it asks in; all of them without one.
        types: their types; all of them without any. `corrected` are those that replaced an older value.
        least_confidence: their least confidence.
        oldest: when they were last supported (µs), at the earliest.
    """

    agent_id: str | None = None
    project: str | None = None
    types: frozenset[ConclusionType | Literal["corrected"]] = frozenset()
    least_confidence: float = 0.0
    oldest: int = 0

    def admits(self, row: Item) -> bool:
        """Whether a conclusion is among them."""
        border = border_of_conclusion(row)
        return (
            "hidden" not in row
            and border.admits(self.agent_id, self.project)
            and (not self.types or not self.types.isdisjoint(_types(row)))
            and row["confidence"] >= self.least_confidence
            and row["last"] >= self.oldest
        )


def _types(row: Item) -> set[str]:
    return {row["type"], "corrected"} if row["corrected"] else {row["type"]}


class ConclusionCatalog:
    """Lists and deletes conclusions."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._rows = KnowledgeRows(table)

    def rows(self, scope: Scope, owner: str, wanted: Wanted) -> list[Item]:
        """The conclusions that may be given unless the person refuses, the latest supported first.

        Of several that say the same, in different projects or of different subjects, the surest is given, and
        of a subject that has one value at a time the newest.
        """
        found = [row for row in self._rows.conclusions(scope, owner) if wanted.admits(row)]
        found.sort(key=lambda row: (-row["last"], -row["confidence"], row["id"]))
        said: set[tuple[str, str]] = set()
        kept = []
        for row in found:
            text = row["text"].casefold()
            about = {("", text), (row["subject"], text if row["by"] != "rules" else "")}
            if about.isdisjoint(said):
                kept.append(row)
            said |= about
        return kept

    def listed(self, scope: Scope, owner: str, wanted: Wanted) -> list[Conclusion]:
        """The same as they go over the wire; none of a person who refuses."""
        if refused(self._table.get(scope, consent_key(owner))):
            return []
        return [to_conclusion(row) for row in self.rows(scope, owner, wanted)]

    def delete(self, scope: Scope, owner: str, conclusion_id: str) -> None:
        """Delete a conclusion and its equals in other projects; the same sessions do not bring it back.

        Raises:
            NotFound: there is none with this id.
            Conflict: concurrent writers did not let this one settle.
        """

        def chosen(rows: dict[str, Item]) -> Iterable[Item]:
            one = rows.get(conclusion_id)
            if one is None:
                raise NotFound("no such conclusion")
            same = one["subject"], one["value_key"]
            return [
                row
                for row in rows.values()
                if (row["subject"], row["value_key"]) == same
                or row.get("hidden", {}).get("into") == conclusion_id
            ]

        self._delete(scope, owner, chosen)

    def delete_all(self, scope: Scope, owner: str) -> int:
        """Delete all conclusions about a person; how many of them were shown.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        deleted = 0
        while some := self._delete(scope, owner, lambda rows: rows.values()):
            deleted += sum("hidden" not in row for row in some)
        for run in self._rows.rows(scope, owner, CONSOLIDATION_PREFIX):  # no undo gives any of them back
            key = consolidation_key(owner, run["id"])
            write_what_holds(self._table, scope, [Update(key, set={"changes": []}, condition=Present())])
        return deleted

    def _delete(
        self, scope: Scope, owner: str, chosen: Callable[[dict[str, Item]], Iterable[Item]]
    ) -> list[Item]:
        def attempt(_: object) -> list[Item]:
            known = self._rows.read(scope, owner)
            rows = list(chosen(known.conclusions))[:_AT_ONCE]
            if not rows:
                return []
            marks: list[Action] = []
            at = self._clock.now_us()
            for row in rows:
                before = known.declined.get(row["id"], {}).get("sessions", [])
                told = {name: row[name] for name in ("id", "subject", "value_key")}
                told |= {"sessions": sorted({*before, *row["sessions"]}), "at": at} | known.listed
                marks.append(Put(declined_key(owner, row["id"]), told))
            gone = [Delete(conclusion_key(owner, row["id"])) for row in rows]
            transact(self._table, scope, {"head": known.head, "gone": gone, "marks": marks})
            return rows

        return settled(self._clock, "the knowledge about a person", attempt)
