"""The row of a profile, which changes as a whole and under conditions, and the rows that tell of the changes.

A hundred changes are kept, each in the place of the one a hundred before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from strata.domain.knowledge.profile import MOST_CHANGES, Statement
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, Check, Condition, Delete, Equals, Item, Put
from strata.ports.table import Query, Table
from strata.services.people.ownership import Ownership
from strata.services.people.permission import persistence_check
from strata.services.records.erasures import tombstone_key
from strata.services.records.profiles import (
    PAST_PREFIX,
    past_profile_key,
    profile_key,
    statement_item,
    statements_of,
    told_item,
    told_of,
)
from strata.services.table.retry import settled
from strata.services.table.transaction import Named, Refused, transact, write_what_holds

MOST_REFUSED = 100
"""Learnt values that a person took away, which are not learnt again from the same sources."""

Told = tuple[str, Statement]
"""A field, and its new statement; one without a value tells that the field's statements were taken away."""


class NoLongerAllowed(Exception):
    """A precondition of the write does not hold: nothing was written."""


@dataclass(slots=True)
class Contents:
    """Content of a profile's row: the statements by field, and the sources of refused values by digest."""

    statements: dict[str, list[Statement]] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Item | None) -> "Contents":
        """The contents of a row; empty ones without."""
        return cls(statements_of(row), dict((row or {}).get("refused", {})))


Changed = Callable[[Contents, int], Sequence[Told]]
"""Changes the contents at a time (µs), and tells what changed; nothing for no change."""


class ProfileRows:
    """Changes the rows of profiles.

    Args:
        table, clock: the store and the time.
        ownership: knows of whom nothing may be kept.
    """

    def __init__(self, table: Table, clock: Clock, ownership: Ownership) -> None:
        self._table = table
        self._clock = clock
        self._ownership = ownership

    def change(
        self,
        scope: Scope,
        owner: str,
        changed: Changed,
        preconditions: Sequence[Action] = (),
    ) -> bool:
        """Change a profile; False where nothing may be kept of the person.

        Args:
            scope: the tenant.
            owner: the person.
            changed: the change.
            preconditions: part of the transaction; one on the consent asks for more than this does.

        Raises:
            NoLongerAllowed: one of the preconditions does not hold.
            Conflict: concurrent writers did not let this one settle.
        """

        def attempt(failed: Refused | None) -> bool:
            if failed is not None and "preconditions" in failed:
                raise NoLongerAllowed
            if (failed is not None and "kept" in failed) or self._ownership.unkept(scope, [owner]):
                return False
            checked = {each.key for each in preconditions}
            kept = [each for each in _keeping(owner) if each.key not in checked]
            self._write(scope, owner, changed, {"kept": kept, "preconditions": preconditions})
            return True

        return settled(self._clock, "the profile", attempt)

    def take_away(self, scope: Scope, owner: str, changed: Changed) -> None:
        """Change a profile by taking statements away, whatever may be kept of the person.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        settled(self._clock, "the profile", lambda _: self._write(scope, owner, changed, {}))

    def _write(self, scope: Scope, owner: str, changed: Changed, checks: Named) -> None:
        row = self._table.get(scope, profile_key(owner))
        contents, now = Contents.of(row), self._clock.now_us()
        if told := changed(contents, now):
            transact(self._table, scope, {**_written(owner, row, contents, told, now), **checks})

    def past(self, scope: Scope, owner: str) -> list[Item]:
        """The rows of the latest changes, newest first."""
        query = Query(profile_key(owner).pk, prefix=PAST_PREFIX, limit=MOST_CHANGES, resumable=False)
        rows = [row.item for row in self._table.query(scope, query).rows]
        return sorted(rows, key=lambda row: -row["version"])

    def keep_of_past(self, scope: Scope, owner: str, kept: Callable[[Statement], bool]) -> None:
        """Keep only these of the statements that the history tells of."""
        for row in self.past(scope, owner):
            told = told_of(row)
            left = [told_item(name, each) for name, each in told if kept(each)]
            if len(left) < len(told):
                key = past_profile_key(owner, row["version"])
                same = Equals("version", row["version"])
                action = Put(key, row | {"changes": left}, same) if left else Delete(key, same)
                write_what_holds(self._table, scope, [action])


def _written(
    owner: str, row: Item | None, contents: Contents, told: Sequence[Told], now: int
) -> dict[str, Action]:
    version = (row or {}).get("version", 0) + 1
    seen: Condition = Absent() if row is None else Equals("version", version - 1)
    stored = {name: [statement_item(each) for each in of] for name, of in contents.statements.items() if of}
    refused = dict(list(contents.refused.items())[-MOST_REFUSED:])
    item = {"user_id": owner, "version": version, "updated_at": now, "statements": stored}
    past = {"user_id": owner, "version": version, "at": now, "changes": [told_item(*each) for each in told]}
    return {
        "profile": Put(profile_key(owner), item | ({"refused": refused} if refused else {}), seen),
        "past": Put(past_profile_key(owner, version), past),
    }


def _keeping(owner: str) -> list[Action]:
    """Let a transaction fail once nothing may be kept of the person."""
    return [persistence_check(owner), Check(tombstone_key(owner), Absent())]
