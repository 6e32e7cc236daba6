"""Imports an export, from Strata or from another store; idempotent: the same page twice adds nothing.

A session is identified by its id. An observation keeps an id that Strata gave it, which is its time of
creation, and is identified by it, because the row may have changed since. An id of another store (most count
from 1) would break the order of time, and every store has a row 1: such an observation gets an id made from
its time of creation, under which the same import finds it again by its content.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from strata.domain.dedup import normalized_hash
from strata.domain.errors import Conflict
from strata.domain.scope import Scope
from strata.domain.text.strings import cut
from strata.domain.times import microseconds
from strata.domain.wire.fields import MAX_NUMBER, MAX_SUMMARY
from strata.domain.wire.observations import PROJECT_SCOPE
from strata.domain.wire.transfer import (
    Import,
    Imported,
    ImportedObservation,
    ImportedSession,
    Row,
    Skipped,
    Unreadable,
)
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, AnyOf, Condition, Equals, Item, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.observations.rows import insertion, observation_row, redacted
from strata.services.people.ownership import Ownership, belonging, claimable
from strata.services.records.observations import hash_key, observation_key, pointer_key
from strata.services.records.sessions import listed, session_key, summarized
from strata.services.redaction import redacted_text
from strata.services.search.change_notes import change_notes
from strata.services.search.kinds import OBSERVATIONS
from strata.services.table.transaction import Refused, transact

_UNKEPT = "nothing about this person, or in this session, may be kept"
_DELETED = "it was deleted here"

_SECOND = 1_000_000
_PLACES = 1000
"""How many ids are tried for an imported row, from its time of creation on."""


class Importer:
    """Imports sessions and observations."""

    def __init__(
        self,
        table: Table,
        clock: Clock,
        ownership: Ownership,
        *,
        dedupe_window: int,
        redacting: bool = True,
    ) -> None:
        self._table = table
        self._clock = clock
        self._ownership = ownership
        self._window_us = dedupe_window * 1_000_000
        self._redacting = redacting

    def load(self, scope: Scope, data: Import) -> Imported:
        """Add the sessions and observations that are not there yet, and count them.

        A row that names no user belongs to the owner of its session, as a save does. Rows of people about
        whom nothing new may be kept are left out, and so are those in sessions that keep nothing or are
        theirs, rows that can't be read, and observations that were deleted here; each is named in `skipped`.
        """
        skipped: list[Skipped] = []
        sessions = _readable("session", data.sessions or (), ImportedSession, skipped)
        observations = _readable("observation", data.observations or (), ImportedObservation, skipped)
        owners = {each.id: each.user_id for _, each in sessions}
        named = [(each.id, each.user_id) for _, each in sessions]
        lying = [(each.session_id, each.user_id or owners.get(each.session_id)) for _, each in observations]
        kept = self._ownership.kept(scope, [*named, *lying])
        added = Counter[str]()
        for (index, session), write in zip(sessions, named, strict=True):
            if write in kept:
                added["sessions"] += self._session(scope, session)
            else:
                skipped.append(Skipped(kind="session", index=index, reason=_UNKEPT))
        for (index, observation), write in zip(observations, lying, strict=True):
            reason = _UNKEPT
            if write in kept:
                owned = observation.model_copy(update={"user_id": kept[write]})
                try:
                    added["observations"] += self._observation(scope, owned)
                    continue
                except _Deleted:
                    reason = _DELETED
            skipped.append(Skipped(kind="observation", index=index, reason=reason))
        return Imported(
            imported_sessions=added["sessions"],
            imported_observations=added["observations"],
            skipped=skipped or None,
        )

    def _session(self, scope: Scope, session: ImportedSession) -> bool:
        started = microseconds(session.started_at)
        summary, about = self._clean(session.summary), self._clean(session.about)
        row: Item = {
            "id": session.id,
            "project": session.project,
            "started_at": started,
            "message_count": session.message_count,
        } | listed(session.project, started, session.id)
        optional = {
            "ended_at": microseconds(session.ended_at) if session.ended_at else None,
            "agent_id": session.agent_id,
        }
        row |= {name: value for name, value in optional.items() if value}
        if summary:
            row |= summarized(session.project, started, session.id, summary, about)
        owner: Item = {}
        condition: Condition = _UNSTARTED
        if session.user_id:  # an import does not write into a session that another user owns
            owner, condition = belonging(session.user_id), AllOf((_UNSTARTED, claimable(session.user_id)))
        try:
            self._table.update(
                scope, Update(session_key(session.id), set=row, default=owner, condition=condition)
            )
        except ConditionFailed:
            return False
        return True

    def _clean(self, summary: str | None) -> str | None:
        return cut(redacted_text(summary), MAX_SUMMARY) if summary and self._redacting else summary

    def _observation(self, scope: Scope, seen: ImportedObservation) -> bool:
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
            elif identifier == seen.id and pointer["state"] != "live" and pointer["project"] == seen.project:
                raise _Deleted
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
        return all(there.get(name) == row[name] for name in ("normalized_hash", "project", "user_id"))

    def _is_known(self, scope: Scope, row: Item) -> bool:
        """Whether the content is stored already, for an observation with neither an id nor a time."""
        guard = self._table.get(scope, hash_key(row["project"], row["user_id"], row["normalized_hash"]))
        there = guard and self._table.get(scope, observation_key(row["project"], guard["observation_id"]))
        return there is not None and there["normalized_hash"] == row["normalized_hash"]

    def _row(self, seen: ImportedObservation, created: int, content_hash: str) -> Item:
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
        }

    def _insert(self, scope: Scope, row: Item) -> bool:
        """Write the row with the guards that are free; a guard that another row holds is left to it."""
        made = insertion(row, window_us=self._window_us, content_free=Absent())
        notes = change_notes(OBSERVATIONS, row, self._clock.now_us())
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


class _Deleted(Exception):
    """The observation was deleted here: an import does not bring it back."""


def _readable(
    kind: Literal["session", "observation"],
    rows: Sequence[Row | Unreadable],
    model: type[Row],
    skipped: list[Skipped],
) -> list[tuple[int, Row]]:
    """The rows that could be read, with their places; the others are added to `skipped`."""
    skipped += [
        Skipped(kind=kind, index=index, reason=row.reason)
        for index, row in enumerate(rows)
        if isinstance(row, Unreadable)
    ]
    return [(index, row) for index, row in enumerate(rows) if isinstance(row, model)]


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


_UNSTARTED = AnyOf((Absent(), Equals("started_at", None)))
