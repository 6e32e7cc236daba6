"""Marks an observation as superseded when a newer one states another value of the same thing.

A consumer of the stream, behind every write. A guard row for each attribute of each subject lists the
observations that state it, of one project, scope, owner and agent. Every write of the list changes the guard,
so that each writer has compared its observation with all others, in whatever order the stream brings them. It
holds no values: what is stated is read from the rows as they are. So late and repeated records do no harm,
and a newer observation that is changed or deleted gives the older one back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from strata.domain.scope import Scope
from strata.domain.supersession.decide import Reason, supersedes
from strata.domain.supersession.statements import Statement, stated
from strata.domain.supersession.values import same
from strata.ports.clock import Clock
from strata.ports.rows import (
    Absent,
    Action,
    AllOf,
    Condition,
    Delete,
    Equals,
    Item,
    Key,
    Present,
    Put,
    Update,
)
from strata.ports.table import Table
from strata.services.records.observations import (
    GUARD_SK,
    attribute_guard_key,
    observation_id_of,
    observation_key,
    observation_of,
    pointer_key,
)
from strata.services.records.parts import digest
from strata.services.records.sessions import session_key
from strata.services.search.kinds import OBSERVATIONS
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

MOST = 24
"""The most observations of a guard: older ones keep the mark that they have."""
MARK = ("superseded_by", "superseded_reason", "superseded_at")


@dataclass(frozen=True, slots=True)
class _Stating:
    """An observation with what it states."""

    row: Item
    statement: Statement

    @property
    def said(self) -> tuple[int, int]:
        """The time at which it was last said."""
        return self.row["last_seen_at"], self.row["id"]


class Supersession:
    """Writes marks and guards; nothing else does."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def follow(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Bring the marks up to date with these changed rows; keys of other rows are ignored.

        Raises:
            Conflict: concurrent writers of one attribute did not let this one settle.
        """
        found = (observation_of(key) for key in keys)
        changed = {
            key: pointer_key(observation_id_of(key)) for key in found if key and OBSERVATIONS.has_id(key)
        }
        if not changed:
            return
        rows = self._table.get_many(scope, [*changed, *changed.values()])
        for key, pointer in changed.items():
            known = rows.get(pointer, {}).get("attribute")
            if known or _marked(rows.get(key)) or _stated(rows.get(key)):
                settled(self._clock, "the attribute", partial(self._settle, scope, key))

    def _settle(self, scope: Scope, key: Key, _: Refused | None) -> None:
        number = observation_id_of(key)
        pointer = pointer_key(number)
        rows = self._table.get_many(scope, [key, pointer])
        row, pointed = rows.get(key), rows.get(pointer)
        if pointed is None:
            return  # the observation is gone, and its pointer with it
        place, former = self._place(scope, row), pointed.get("attribute")
        if former and former != place:
            self._write(scope, former, pointed["project"], number, row, stays=False)
        if place:
            self._write(scope, place, pointed["project"], number, row, stays=True)
        elif row is not None and _marked(row):
            transact(self._table, scope, {"mark": _mark(row, None, self._clock.now_us())})

    def _place(self, scope: Scope, row: Item | None) -> str | None:
        """The digest of what an observation states a value of; None where it states nothing."""
        statement = _stated(row)
        if row is None or statement is None:
            return None
        session = self._table.get(scope, session_key(row["session_id"])) or {}
        about = digest(session.get("agent_id") or "", statement.attribute, statement.kind, statement.subject)
        return attribute_guard_key(row["project"], row["scope"], row.get("user_id"), about).pk

    def _write(
        self, scope: Scope, place: str, project: str, number: int, row: Item | None, *, stays: bool
    ) -> None:
        """Enter an observation into a guard's list, or take it out, with the marks that follow."""
        key = Key(place, GUARD_SK)
        guard = self._table.get(scope, key)
        before: list[int] = guard["ids"] if guard else []
        others = [observation_key(project, each) for each in before if each != number]
        rows = list(self._table.get_many(scope, others).values()) if others else []
        there = [_Stating(each, told) for each in rows if (told := _stated(each))]
        if stays and row is not None and (told := _stated(row)):
            there.append(_Stating(row, told))
        there.sort(key=lambda each: each.said)
        now = self._clock.now_us()
        marks = _marks(there)
        if not stays and row is not None and _marked(row):
            marks.append((row, None))
        changed = [action for each, mark in marks for action in _changes(each, mark, now)]
        after = [each.row["id"] for each in there][-MOST:]
        pointer = _pointed(number, place if stays else None)
        if after == before and not changed:
            return
        version = guard["version"] if guard else 0
        unseen: Condition = Equals("version", version) if guard else Absent()
        kept: Action = (
            Put(key, {"version": version + 1, "ids": after}, unseen) if after else Delete(key, unseen)
        )
        transact(self._table, scope, {"guard": kept, "pointer": pointer, "marks": changed})


def _stated(row: Item | None) -> Statement | None:
    """The statement of an observation; None for one with a topic key, which is replaced in place."""
    if row is None or row.get("topic_key") or not OBSERVATIONS.is_whole(row):
        return None
    return stated(row["title"], row["content"])


def _marks(there: Sequence[_Stating]) -> list[tuple[Item, tuple[int, Reason] | None]]:
    """Each row with the observation that supersedes it, and why; None for those that hold."""
    return [(each.row, _superseding(each, there[place + 1 :])) for place, each in enumerate(there)]


def _superseding(older: _Stating, later: Sequence[_Stating]) -> tuple[int, Reason] | None:
    """The first later observation with another value, unless the value was said again after it."""
    if older.row.get("stands"):
        return None
    found: tuple[int, Reason] | None = None
    for each in later:
        if found is None:
            reason = supersedes(older.statement, each.statement)
            found = None if reason is None else (each.row["id"], reason)
        elif _same(older.statement, each.statement):
            return None
    return found


def _same(one: Statement, other: Statement) -> bool:
    about = (one.attribute, one.subject, one.kind) == (other.attribute, other.subject, other.kind)
    return about and same(one.kind, one.value, other.value)


def _marked(row: Mapping[str, object] | None) -> bool:
    return row is not None and row.get("superseded_by") is not None


def _changes(row: Item, mark: tuple[int, Reason] | None, now: int) -> list[Update]:
    if mark is None:
        return [_mark(row, None, now)] if _marked(row) else []
    same_mark = (row.get("superseded_by"), row.get("superseded_reason")) == (mark[0], _told(mark[1]))
    return [] if same_mark else [_mark(row, mark, now)]


def _mark(row: Item, mark: tuple[int, Reason] | None, now: int) -> Update:
    """The action that sets or removes the mark of a row that is as it was read."""
    key = observation_key(row["project"], row["id"])
    unchanged = AllOf(
        (Present(), Equals("updated_at", row["updated_at"]), Equals("stands", row.get("stands")))
    )
    if mark is None:
        return Update(key, remove=MARK, condition=unchanged)
    given = dict(zip(MARK, (mark[0], _told(mark[1]), now), strict=True))
    return Update(key, set=given, condition=unchanged)


def _told(reason: Reason) -> str:
    return f"{reason.attribute}: {reason.newer} instead of {reason.older}"


def _pointed(number: int, place: str | None) -> Update:
    key = pointer_key(number)
    if place is None:
        return Update(key, remove=("attribute",), condition=Present())
    return Update(key, set={"attribute": place}, condition=Present())
