"""Marks an observation as superseded when a newer one states another value of the same thing.

A consumer of the stream, behind every write. What a changed observation may replace, or be replaced by, is
found by its own words among those of the same project, scope, owner and agent. An older row carries the mark,
and the pointer of the newer one lists them, so that a newer observation that is changed or deleted
gives them back. Late and repeated records change nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.domain.supersession.decide import supersedes
from strata.domain.supersession.note import Note, read
from strata.domain.supersession.values import Reason
from strata.ports.clock import Clock
from strata.ports.rows import Action, AllOf, Check, Condition, Equals, Item, Key, Present, Update
from strata.ports.table import Table
from strata.services.records.kinds import NOBODY, OBSERVATIONS
from strata.services.records.observations import (
    MARK,
    observation_id_of,
    observation_key,
    observation_of,
    pointer_key,
)
from strata.services.records.sessions import session_key
from strata.services.search.filters import ObservationFilter
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

if TYPE_CHECKING:
    from strata.services.search.hits import ObservationHit
    from strata.services.search.search import Searcher

MOST = 24
"""The most observations that one is compared with: those that share most of its words."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An observation with its text as the rules read it."""

    row: Item
    note: Note

    @property
    def number(self) -> int:
        return int(self.row["id"])

    @property
    def said(self) -> tuple[int, int]:
        """The time at which it was last said."""
        return self.row["last_seen_at"], self.row["id"]

    @property
    def whose(self) -> tuple[str, str, str | None]:
        return self.row["project"], self.row["scope"], self.row.get("user_id")


class Supersession:
    """Writes the marks; nothing else does.

    Args:
        searcher: gives the searcher of observations.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        searcher: "Callable[[], Searcher[ObservationFilter, ObservationHit]]",
    ) -> None:
        self._table = table
        self._clock = clock
        self._searcher = searcher

    def follow(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Bring the marks up to date with these changed rows; keys of other rows are ignored.

        Raises:
            Conflict: concurrent writers of one observation did not let this one settle.
            Unavailable: a store does not answer.
        """
        found = (observation_of(key) for key in keys)
        changed = {
            key: pointer_key(observation_id_of(key)) for key in found if key and OBSERVATIONS.has_id(key)
        }
        if not changed:
            return
        rows = self._table.get_many(scope, [*changed, *changed.values()])
        for key, pointer in changed.items():
            pointed = rows.get(pointer, {})
            others = [observation_key(pointed["project"], each) for each in pointed.get("supersedes") or ()]
            if _marked(rows.get(key)) or _told(rows.get(key)):
                others += self._judge(scope, key, list(changed))
            for other in dict.fromkeys(others):
                self._judge(scope, other, [*changed, key])

    def _judge(self, scope: Scope, key: Key, beside: Sequence[Key]) -> list[Key]:
        """Write the mark of an observation; the older ones whose marks may change by it."""
        return settled(self._clock, "the observation", partial(self._attempt, scope, key, beside))

    def _attempt(self, scope: Scope, key: Key, beside: Sequence[Key], _: Refused | None) -> list[Key]:
        row = self._table.get(scope, key)
        if row is None:
            return []
        mine = _told(row)
        if mine is None:
            self._write(scope, row, None)
            return []
        there = self._around(scope, mine, beside)
        self._write(scope, row, _superseding(mine, there))
        return [
            observation_key(each.row["project"], each.number)
            for each in there
            if _concerned(each, mine, there)
        ]

    def _around(self, scope: Scope, mine: _Told, beside: Sequence[Key]) -> list[_Told]:
        """The observations of the same owner and agent that share most words with this one, in order."""
        project, place, owner = mine.whose
        wanted = ObservationFilter(project, scope=place, user=owner or NOBODY, superseded=True)
        text = f"{mine.row['title']} {mine.row['content']}"
        hits = self._searcher().search(scope, text, wanted, limit=MOST + 1, mode=Mode.BM25).hits
        keys = dict.fromkeys([*(observation_key(each.project, each.id) for each in hits), *beside])
        read_rows = (_told(row) for row in self._table.get_many(scope, list(keys)).values())
        same = [
            each for each in read_rows if each and each.whose == mine.whose and each.number != mine.number
        ]
        agents = self._agents(scope, [mine, *same])
        return sorted(
            (each for each in same if agents[each.number] == agents[mine.number]), key=lambda each: each.said
        )

    def _agents(self, scope: Scope, those: Sequence[_Told]) -> dict[int, str | None]:
        """The agent of each observation by its number: the one that its save named, else its session's."""
        keys = {each.number: session_key(each.row["session_id"]) for each in those}
        rows = self._table.get_many(scope, list(dict.fromkeys(keys.values())))
        return {
            each.number: each.row.get("agent_id") or rows.get(keys[each.number], {}).get("agent_id")
            for each in those
        }

    def _write(self, scope: Scope, row: Item, mark: "_Mark | None") -> None:
        """Mark a row and list it in the pointer of the newer one, unless it is so already."""
        by, reason = (mark[0].number, _reason(mark[1])) if mark else (None, None)
        before = row.get("superseded_by")
        if (before, row.get("superseded_reason")) == (by, reason):
            return
        given = dict(zip(MARK, (by, reason, self._clock.now_us()), strict=True))
        key = observation_key(row["project"], row["id"])
        condition = AllOf(
            (Present(), Equals("updated_at", row["updated_at"]), Equals("stands", row.get("stands")))
        )
        named: dict[str, Action] = {
            "mark": Update(key, set=given if mark else {}, remove=() if mark else MARK, condition=condition)
        }
        numbers = [each for each in dict.fromkeys((before, by)) if each is not None]
        pointers = self._table.get_many(scope, [pointer_key(each) for each in numbers])
        for each in numbers if before != by else ():
            pointed = pointers.get(pointer_key(each))
            if pointed is not None:
                named[f"pointer {each}"] = _listed(pointed, pointer_key(each), row["id"], stays=each == by)
        if mark:
            newer = mark[0].row
            there = observation_key(newer["project"], newer["id"])
            named["newer"] = Check(there, Equals("updated_at", newer["updated_at"]))
        transact(self._table, scope, named)


_Mark = tuple[_Told, Reason]


def _told(row: Item | None) -> _Told | None:
    """An observation's text; None for a long one, or one with a topic key, which is replaced in place."""
    if row is None or row.get("topic_key") or not OBSERVATIONS.is_whole(row):
        return None
    note = read(row["title"], row["content"])
    return None if note is None else _Told(row, note)


def _superseding(mine: _Told, there: Sequence[_Told]) -> "_Mark | None":
    """The first later observation with another value, unless the value was said again after it."""
    if mine.row.get("stands"):
        return None
    found: _Mark | None = None
    for each in there:
        if each.said < mine.said:
            continue
        if found is None:
            reason = supersedes(mine.note, each.note)
            found = None if reason is None else (each, reason)
        elif mine.note.keys == each.note.keys:
            return None
    return found


def _concerned(older: _Told, mine: _Told, there: Sequence[_Told]) -> bool:
    """Whether an observation may change the mark of another one of those around it."""
    if older.said > mine.said:
        return False
    if mine.note.keys == older.note.keys:
        return _marked(older.row)
    by = older.row.get("superseded_by")
    if any(each.number == by and each.said < mine.said for each in there):
        return False  # an earlier one has replaced it
    return supersedes(older.note, mine.note) is not None


def _marked(row: Mapping[str, object] | None) -> bool:
    return row is not None and row.get("superseded_by") is not None


def _listed(pointed: Item, key: Key, number: int, *, stays: bool) -> Update:
    """The action that enters a row in the list of a newer one, which must live, or takes it out."""
    before = pointed.get("supersedes")
    after = sorted({*(before or ()), number} if stays else {*(before or ())} - {number})
    same: Condition = Equals("supersedes", before)
    if stays:
        same = AllOf((same, Equals("state", "live")))
    if not after:
        return Update(key, remove=("supersedes",), condition=same)
    return Update(key, set={"supersedes": after}, condition=same)


def _reason(reason: Reason) -> str:
    if not reason.newer:
        return f"{reason.about}: {reason.older} no longer"
    return f"{reason.about}: {reason.newer} instead of {reason.older}"
