"""Learnt parts of profiles: written beneath what people and agents state, and taken away again.

A learnt statement names its sources, and carries their agents and projects. It is never shown in place of
what the person states, and it goes when its sources go.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from strata.domain.knowledge.profile import Statement, learnt_over, with_statement
from strata.domain.scope import Scope
from strata.ports.rows import Action
from strata.services.knowledge.profile import own
from strata.services.knowledge.profile_rows import Contents, ProfileRows, Told
from strata.services.records.profiles import value_digest


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one field by learning: the learnt statement before and after; None for none."""

    field: str
    before: Statement | None
    after: Statement | None


class ProfileLearning:
    """Writes and takes away learnt statements; nothing else does."""

    def __init__(self, rows: ProfileRows) -> None:
        self._rows = rows

    def learn(
        self, scope: Scope, owner: str, learnt: Sequence[Told], preconditions: Sequence[Action] = ()
    ) -> list[Change]:
        """Write learnt statements, each for its field; what changed, for `restore`.

        A newer value replaces the older one of the same subject and border, the same value gets further
        sources. What the person took away is not learnt again from the same sources. Nothing is written of a
        person of whom nothing may be kept.

        Raises:
            NoLongerAllowed: one of the preconditions does not hold.
            Conflict: concurrent writers did not let this one settle.
        """
        changes: list[Change] = []

        def changed(contents: Contents, now: int) -> list[Told]:
            changes[:] = [
                change for name, new in learnt if (change := _learnt(contents, name, new)) is not None
            ]
            return [(each.field, each.after) for each in changes if each.after is not None]

        return changes if self._rows.change(scope, owner, changed, preconditions) else []

    def restore(self, scope: Scope, owner: str, changes: Sequence[Change]) -> None:
        """Undo what `learn` changed, where it was not changed since."""

        def changed(contents: Contents, now: int) -> list[Told]:
            told: list[Told] = []
            for change in reversed(changes):
                stated = contents.statements.get(change.field, [])
                if change.after not in stated:
                    continue
                rest = [each for each in stated if each != change.after]
                contents.statements[change.field] = (
                    rest if change.before is None else with_statement(rest, change.before)
                )
                told.append((change.field, change.before or _taken(change.after, now)))
            return told

        self._rows.take_away(scope, owner, changed)

    def fall(self, scope: Scope, owner: str, sources: Collection[str], *, from_past: bool = False) -> None:
        """Take these sources from the learnt statements, and away with those that rest on nothing else.

        With `from_past` the history of the profile forgets what it tells from these sources, too.
        """

        def changed(contents: Contents, now: int) -> list[Told]:
            told: list[Told] = []
            for name, stated in contents.statements.items():
                kept = []
                for each in stated:
                    left = tuple(source for source in each.sources if source not in sources)
                    if left or not each.sources:
                        kept.append(replace(each, sources=left))
                    if left != each.sources:
                        told.append((name, kept[-1] if left else _taken(each, now)))
                contents.statements[name] = kept
            return told

        self._rows.take_away(scope, owner, changed)
        if from_past:
            self._rows.keep_of_past(scope, owner, lambda told: not {*told.sources} & {*sources})

    def forget(self, scope: Scope, owner: str) -> None:
        """Take away all that the person did not state themselves, and its history."""

        def changed(contents: Contents, now: int) -> list[Told]:
            told = [
                (name, _taken(each, now))
                for name, stated in contents.statements.items()
                for each in stated
                if each.by != "person"
            ]
            contents.statements = {name: own(stated) for name, stated in contents.statements.items()}
            return told

        self._rows.take_away(scope, owner, changed)
        self._rows.keep_of_past(scope, owner, lambda told: told.by == "person")


def _learnt(contents: Contents, name: str, new: Statement) -> Change | None:
    """Add a learnt statement; None where it changes nothing."""
    before = contents.statements.get(name, [])
    known = next((each for each in before if each.slot == new.slot), None)
    gone = contents.refused.get(value_digest(name, new), ())
    left = tuple(each for each in new.sources if each not in gone)
    if not left:
        return None
    after = learnt_over(known, replace(new, sources=left))
    contents.statements[name] = with_statement(before, after)
    if after == known or after not in contents.statements[name]:
        return None
    return Change(name, known, after)


def _taken(statement: Statement, now: int) -> Statement:
    """The news that a statement was taken away, for those who could see it."""
    return replace(statement, value=None, at=now)
