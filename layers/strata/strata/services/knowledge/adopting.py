"""Gives what is known about one owner to another: profile, conclusions and what these rest on."""

from collections.abc import Sequence

from strata.domain.errors import Conflict
from strata.domain.knowledge.profile import learnt_over, with_statement
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Action, Check, Delete, Equals, Item, Put
from strata.ports.table import Table
from strata.services.knowledge.drawing import with_past
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.knowledge.profile_rows import Contents, NoLongerAllowed, ProfileRows, Told
from strata.services.records.knowledge import (
    conclusion_key,
    consolidation_key,
    declined_key,
    knowledge_head_key,
    sighted_key,
)
from strata.services.records.profiles import past_profile_key, profile_key
from strata.services.table.retry import settled
from strata.services.table.transaction import transact, write_what_holds

AT_ONCE = 40
"""Rows that one transaction moves: each is written and deleted."""


class KnowledgeAdoption:
    """Moves what is known about an owner.

    Args:
        table, clock: the store and the time.
        profiles: changes the rows of profiles.
    """

    def __init__(self, table: Table, clock: Clock, profiles: ProfileRows) -> None:
        self._table = table
        self._clock = clock
        self._profiles = profiles
        self._rows = KnowledgeRows(table)

    def adopt(self, scope: Scope, owner: str, heir: str, checks: Sequence[Check]) -> int:
        """Move everything; how many conclusions there were.

        The heir's own statements stay before the owner's. A conclusion that both have becomes one with the
        sources of both.

        Raises:
            Conflict: a check does not hold, or concurrent writers did not let this one settle.
        """
        self._profile(scope, owner, heir, checks)
        moved = 0

        def attempt(_: object) -> int | None:
            known, theirs = self._rows.read(scope, owner, runs=True), self._rows.read(scope, heir)
            if known.version is None:
                return None
            moves = _moves(known, theirs)[:AT_ONCE]
            rows = [action for move in moves for action in move]
            head = known.head if moves else Delete(knowledge_head_key(owner), known.head.condition)
            transact(self._table, scope, {"head": head, "heirs": theirs.head, "rows": rows, "checks": checks})
            return min(len(known.conclusions), len(moves)) if moves else None

        while (count := settled(self._clock, "the knowledge about a person", attempt)) is not None:
            moved += count
        return moved

    def _profile(self, scope: Scope, owner: str, heir: str, checks: Sequence[Check]) -> None:
        key = profile_key(owner)

        def attempt(_: object) -> None:
            row = self._table.get(scope, key)
            if row is None:
                return
            taken = Contents.of(row)
            if self._profiles.change(scope, heir, lambda contents, _: _stated(contents, taken), checks):
                past = [
                    past_profile_key(owner, each["version"]) for each in self._profiles.past(scope, owner)
                ]
                gone = Delete(key, Equals("version", row["version"]))
                transact(self._table, scope, {"profile": gone, "past": [Delete(each) for each in past[1:]]})
                write_what_holds(self._table, scope, [Delete(each) for each in past[:1]])

        try:
            settled(self._clock, "the profile", attempt)
        except NoLongerAllowed:
            raise Conflict("nothing may be learnt about a person") from None


def _stated(contents: Contents, taken: Contents) -> list[Told]:
    """Add statements to a profile; those of the person, and newer ones of an agent, stay."""
    told = []
    for name, each in ((name, each) for name, every in taken.statements.items() for each in every):
        before = contents.statements.get(name, [])
        known = next((one for one in before if one.slot == each.slot), None)
        if known is not None and each.by != "learnt" and (each.by == "person" or known.at >= each.at):
            continue
        new = learnt_over(known, each) if each.by == "learnt" else each
        contents.statements[name] = with_statement(before, new)
        if new != known:
            told.append((name, new))
    contents.refused = taken.refused | contents.refused
    return told


def _moves(known: Knowledge, theirs: Knowledge) -> list[list[Action]]:
    """The actions that move each row, conclusions first."""
    owner, heir, listed = known.owner, theirs.owner, theirs.listed
    moves: list[list[Action]] = []
    for name, row in known.conclusions.items():
        after = united(theirs.conclusions[name], row) if name in theirs.conclusions else row
        moves.append([Delete(conclusion_key(owner, name)), theirs.conclusion(name, after)])
    for name, row in known.declined.items():
        other = theirs.declined.get(name, row)
        sessions = sorted({*row["sessions"], *other["sessions"]})
        mark = row | {"sessions": sessions, "at": max(row.get("at", 0), other.get("at", 0))} | listed
        moves.append([Delete(declined_key(owner, name)), Put(declined_key(heir, name), mark)])
    for name, row in known.sighted.items():
        moves.append([Delete(sighted_key(owner, name)), Put(sighted_key(heir, name), row | listed)])
    for row in known.runs:
        key = consolidation_key(heir, row["id"])
        moves.append([Delete(consolidation_key(owner, row["id"])), Put(key, row | listed)])
    return moves


def united(row: Item, other: Item) -> Item:
    """A conclusion of both with the sources of both; no earlier run can be undone over it."""
    last = max(row["last"], other["last"])
    return with_past(row, other, set()) | {"last": last, "run": -max(abs(row["run"]), abs(other["run"]))}
