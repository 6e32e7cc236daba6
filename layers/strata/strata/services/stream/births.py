"""New observations are counted by their change notes, many in one write of their project's totals.

The pointer of a new observation says that it is counted, and in `noted` by which note: its project's totals
are owed one for as long as that note is there, unless they list it. `folded` in their row lists the notes
that are counted and may still be there. It changes together with the totals, and only while the row's `fold`,
which each such write draws anew, is as it was read before the notes were. So a note counts once, however
often, late or concurrently its change is followed. Whoever removes notes takes them off the list afterwards;
a note that has to leave the list before says itself that it is counted.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, AllOf, Condition, Delete, Equals, Item, Key, Present, Update
from strata.ports.table import ConditionFailed, Query, Table
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import observation_id_of, pointer_key, project_pk
from strata.services.records.parts import CHANGE_PREFIX, part, parts_of_note, whole
from strata.services.records.totals import stats_key
from strata.services.table.pages import every_page
from strata.services.table.transaction import write_what_holds

_PROJECTS_AT_ONCE = 80
"""Projects whose totals one transaction writes, which leaves room for what is written along."""

_AT_ONCE = 100
_ATTEMPTS = 20


@dataclass(slots=True)
class Account:
    """The change notes of a project that its totals have counted, or still have to count.

    Attributes:
        project: its name.
        row: its totals: as they were read, before the notes were, or as they were written since.
        known: the notes that are looked at.
        owed: those of them that are to be counted, or were just now.
    """

    project: str
    row: Item | None
    known: list[Key]
    owed: list[Key] = field(default_factory=list)

    @property
    def unchanged(self) -> Condition:
        """Holds until another fold writes the row."""
        if self.row is None:
            return Absent()
        return AllOf((Present(), Equals("fold", self.row.get("fold"))))

    @property
    def folded(self) -> list[Key]:
        """The notes that are counted and may still be there."""
        place, listed = part(self.project), (self.row or {}).get("folded", ())
        return [Key(project_pk(self.project), f"{CHANGE_PREFIX}{each}#{place}") for each in listed]

    def counting(self, removed: Collection[Key]) -> Update:
        """The write that counts what is owed, and lists what is known without what is removed along."""
        listed = set(self.folded).union(self.owed)
        row = {
            "project": self.project,
            "fold": secrets.randbits(53),
            "folded": [_short(note) for note in self.known if note in listed and note not in removed],
        }
        action = Update(
            stats_key(self.project), set=row, add={"observations": len(self.owed)}, condition=self.unchanged
        )
        self.row = row
        return action

    def clearing(self, removed: Collection[Key]) -> Update | None:
        """The write that takes removed notes off the list; None where it has none of them."""
        before = self.folded
        after = [_short(note) for note in before if note not in removed]
        if len(after) == len(before):
            return None
        if not after:
            return Update(stats_key(self.project), remove=("folded",), condition=self.unchanged)
        return Update(stats_key(self.project), set={"folded": after}, condition=self.unchanged)


class Births:
    """Counts new observations.

    Args:
        table: the source of truth.
    """

    def __init__(self, table: Table) -> None:
        self._table = table

    def accounts(self, scope: Scope, pointers: Mapping[Key, Item]) -> list[Account]:
        """The accounts of the notes that have counted, or will count, what these pointers lead to."""
        noted: dict[str, list[Key]] = {}
        for row in pointers.values():
            if "noted" in row:
                project = whole(parts_of_note(row["noted"])[2])
                noted.setdefault(project, []).append(Key(project_pk(project), row["noted"]))
        if not noted:
            return []
        # the totals before the notes: a note that is counted and removed in between is missing then
        rows = self._table.get_many(scope, [stats_key(project) for project in noted])
        accounts = [Account(each, rows.get(stats_key(each)), notes) for each, notes in noted.items()]
        unlisted = {each.project: set(each.known).difference(each.folded) for each in accounts}
        asked = [note for notes in unlisted.values() for note in notes]
        there = self._table.get_many(scope, asked) if asked else {}
        owing = {note for note, row in there.items() if not row.get("counted")}
        for each in accounts:
            each.owed = [note for note in each.known if note in owing]
        return accounts

    def count(
        self, scope: Scope, pointers: Mapping[Key, Item], along: Sequence[Action] = ()
    ) -> list[Account]:
        """Count what is owed for these pointers, and write `along` with it, if anything is.

        Raises:
            Unavailable: concurrent folds did not let this one come through.
        """
        for _ in range(_ATTEMPTS):
            accounts = self.accounts(scope, pointers)
            if self._counted(scope, [each for each in accounts if each.owed], along):
                return accounts
        raise Unavailable("the totals are being written by others; try again")

    def forget(self, scope: Scope, accounts: Sequence[Account], removed: Collection[Key]) -> None:
        """Take notes that were removed off the lists. Where another fold came between, it has done so."""
        clearing = [action for each in accounts if (action := each.clearing(removed))]
        for start in range(0, len(clearing), _AT_ONCE):
            write_what_holds(self._table, scope, clearing[start : start + _AT_ONCE])

    def owed(self, scope: Scope, project: str) -> list[int]:
        """The times (µs) of the notes that wait to be counted: a project's totals lack one for each."""
        notes = Query(project_pk(project), prefix=CHANGE_PREFIX, limit=1000, keys_only=True)
        owed: list[Key] = []
        for rows in every_page(self._table, scope, notes):
            noted = {row.key.sk: OBSERVATIONS.noted_row(row.key) for row in rows}
            named = {note: pointer_key(observation_id_of(row)) for note, row in noted.items() if row}
            pointers = self._table.get_many(scope, list(dict.fromkeys(named.values())))
            of_these = {key: row for key, row in pointers.items() if row.get("noted") in named}
            owed += [note for each in self.accounts(scope, of_these) for note in each.owed]
        return [parts_of_note(note.sk)[0] for note in owed]

    def _counted(self, scope: Scope, accounts: Sequence[Account], along: Sequence[Action]) -> bool:
        """Whether what these accounts are owed could be written, because no other fold came between."""
        for account in accounts:
            self._leave(scope, account)
        removed = {action.key for action in along if isinstance(action, Delete)}
        for start in range(0, len(accounts), _PROJECTS_AT_ONCE):
            few = accounts[start : start + _PROJECTS_AT_ONCE]
            beside = along if few[-1] is accounts[-1] else ()
            try:
                self._table.transact(scope, [*(each.counting(removed) for each in few), *beside])
            except ConditionFailed:
                return False
        return True

    def _leave(self, scope: Scope, account: Account) -> None:
        """Have notes that are about to leave the list say that they are counted, as far as they are there."""
        leaving = [note for note in account.folded if note not in account.known]
        marks = [Update(note, set={"counted": True}, condition=Present()) for note in leaving]
        for start in range(0, len(marks), _AT_ONCE):
            write_what_holds(self._table, scope, marks[start : start + _AT_ONCE])


def _short(note: Key) -> str:
    """The time and the id in a note's key; the rest of it is the project."""
    return note.sk.removeprefix(CHANGE_PREFIX).rpartition("#")[0]
