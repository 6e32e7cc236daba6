"""Imports observations, each under the id that it has or under one made from its time.

An observation keeps an id that Strata gave it, which is its time of creation, and is identified by it,
because the row may have changed since. An id of another store (most count from 1) would break the order of
time, and every store has a row 1: such an observation gets an id made from its time of creation, under
which the same import finds it again by its content.
"""

from strata.domain.dedup import normalized_hash
from strata.domain.errors import Conflict
from strata.domain.imports import DELETED, NotTaken
from strata.domain.scope import Scope
from strata.domain.times import microseconds
from strata.domain.wire.fields import MAX_NUMBER
from strata.domain.wire.lines import ObservationLine
from strata.domain.wire.observations import PROJECT_SCOPE
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AllOf, Delete, Equals, Item, Present, Update
from strata.ports.table import Table
from strata.services.observations.rows import insertion, observation_row, redacted
from strata.services.records.change_notes import change_notes
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import (
    content_guards,
    has_content_of,
    observation_key,
    pointer_key,
    trash_key,
)
from strata.services.table.transaction import Refused, transact

_SECOND = 1_000_000
_PLACES = 1000
"""So many ids are tried for an imported row, from its time of creation on."""


class ObservationImport:
    """Adds observations that are not there yet."""

    def __init__(self, table: Table, clock: Clock, *, dedupe_window: int, redacting: bool) -> None:
        self._table = table
        self._clock = clock
        self._window_us = dedupe_window * 1_000_000
        self._redacting = redacting

    def add(self, scope: Scope, seen: ObservationLine, *, resurrect: bool = False) -> bool:
        """Add an observation; False where it is there already.

        Raises:
            NotTaken: it was deleted here, unless `resurrect` brings it back.
            Conflict: there is no free id at its time.
        """
        if self._redacting:
            seen = redacted(seen)
        content_hash = normalized_hash(seen.content)
        created = microseconds(seen.created_at) if seen.created_at else self._clock.now_us()
        row = self._row(seen, created, content_hash)
        if not seen.id and not seen.created_at and self._is_known(scope, row):
            return False
        start = min(created + _within(_grain(created), seen.id, content_hash), MAX_NUMBER + 1 - _PLACES)
        kept = [seen.id] if seen.id and (_tells_time(seen.id, created) or not seen.created_at) else []
        for identifier in (*kept, *range(start, start + _PLACES)):
            pointer = self._table.get(scope, pointer_key(identifier))
            if pointer is None:
                if self._insert(scope, observation_row(row | {"id": identifier})):
                    return True
            elif identifier == seen.id and pointer["state"] != "live":
                if not resurrect:
                    raise NotTaken(DELETED)
                # it may have been moved: it comes back where it was deleted, whose totals know it
                back = row | {"id": identifier, "project": pointer["project"]}
                return self._insert(scope, observation_row(back), pointer)
            elif self._holds(scope, pointer, identifier, row, seen.id):
                return False
        raise Conflict(f"no free id for the observation created at {seen.created_at}")

    def _holds(self, scope: Scope, pointer: Item, identifier: int, row: Item, given: int) -> bool:
        """Whether the row with this id is the same observation; `given` is the id in the export."""
        there = self._table.get(scope, observation_key(pointer["project"], identifier))
        if there is None:
            return False
        same_project = there["project"] == row["project"]  # another one is a copy into that project
        if given == identifier and same_project and there["created_at"] == row["created_at"]:
            return True
        return all(there.get(name) == row[name] for name in ("normalized_hash", "type", "project", "user_id"))

    def _is_known(self, scope: Scope, row: Item) -> bool:
        """Whether the content is stored already, for an observation with neither an id nor a time."""
        guards = self._table.get_many(scope, content_guards(row)).values()
        keys = [observation_key(row["project"], guard["observation_id"]) for guard in guards]
        there = self._table.get_many(scope, list(dict.fromkeys(keys))) if keys else {}
        return any(has_content_of(each, row) for each in there.values())

    def _row(self, seen: ObservationLine, created: int, content_hash: str) -> Item:
        updated = microseconds(seen.updated_at) if seen.updated_at else created
        return {
            "session_id": seen.session_id,
            "type": seen.type,
            "title": seen.title,
            "content": seen.content,
            "tags": seen.tags or None,
            "project": seen.project,
            "scope": seen.scope or PROJECT_SCOPE,
            "topic_key": seen.topic_key,
            "user_id": seen.user_id,
            "agent_id": seen.agent_id,
            "metadata": seen.metadata or None,
            "normalized_hash": content_hash,
            "revision_count": seen.revision_count,
            "duplicate_count": seen.duplicate_count,
            "last_seen_at": microseconds(seen.last_seen_at) if seen.last_seen_at else updated,
            "created_at": created,
            "updated_at": updated,
        } | _superseded(seen)

    def _insert(self, scope: Scope, row: Item, deleted: Item | None = None) -> bool:
        """Write the row with the guards that are free; a guard that another row holds is left to it.

        `deleted` is its pointer where it was deleted.
        """
        now = self._clock.now_us()
        made = insertion(row, window_us=self._window_us, content_free=Absent(), noted_at=now)
        if deleted is not None:
            made |= _brought_back(row, deleted)
        notes = change_notes(OBSERVATIONS, row, now)
        try:
            transact(self._table, scope, {**made, "notes": notes})
        except Refused as refused:
            if "row" in refused or "pointer" in refused:
                return False
            free = {name: action for name, action in made.items() if name not in refused}
            try:
                transact(self._table, scope, {**free, "notes": notes})
            except Refused:
                return False
        return True


def _tells_time(identifier: int, created: int) -> bool:
    """Whether Strata made this id, which then is a time: another would break the order of time."""
    return abs(identifier - created) <= _SECOND


def _grain(created: int) -> int:
    """The precision of a time in microseconds; stores that keep whole seconds have many rows in one."""
    return next((grain for grain in (_SECOND, 1000) if created % grain == 0), 1)


def _within(grain: int, identifier: int, content_hash: str) -> int:
    """The microseconds to add to a coarse time: by the row's id, with room for rows of another store."""
    room = max(grain // 10_000, 1)
    return (identifier * room + int(content_hash[:8], 16) % room) % grain


def _superseded(seen: ObservationLine) -> Item:
    """The mark of an observation that a newer one superseded, or that it stands all the same."""
    mark = {
        "superseded_by": seen.superseded_by,
        "superseded_reason": seen.superseded_reason,
        "superseded_at": microseconds(seen.superseded_at) if seen.superseded_at else None,
        "stands": seen.stands or None,
    }
    return {name: value for name, value in mark.items() if value is not None}


def _brought_back(row: Item, pointer: Item) -> dict[str, Action]:
    """The actions on what a deletion left."""
    still = AllOf((Present(), *(Equals(name, pointer[name]) for name in ("project", "state"))))
    back = Update(pointer_key(row["id"]), set={"state": "live"}, remove=("expires_at",), condition=still)
    return {"pointer": back, "trash": Delete(trash_key(row["project"], row["id"]))}
