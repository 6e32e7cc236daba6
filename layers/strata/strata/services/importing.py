"""An export in again, from here or from another store; the same page twice adds nothing.

A session's identity is its id. An observation's is its id together with its content. Where another row has
the id already (stores that count from 1 all have a row 1), the row settles on an id made from its time of
creation, so that the same import finds it there again.
"""

from strata.domain.errors import Conflict
from strata.domain.models import PROJECT_SCOPE, Import, Imported, ImportedObservation, ImportedSession
from strata.domain.redaction import redact
from strata.domain.scope import Scope
from strata.domain.text import microseconds, normalized_hash
from strata.ports import Absent, Action, AnyOf, Clock, ConditionFailed, Equals, Item, Put, Table
from strata.services.freshness import noted
from strata.services.records import numbered, observation_key, pointer_key, project_sessions, session_key
from strata.services.redacting import note_redactions
from strata.services.saving import insertion, observation_row, redacted

_PLACES = 1000
"""How many ids from its time of creation on an imported row may settle on."""


class Importing:
    """Imports sessions and observations."""

    def __init__(self, table: Table, clock: Clock, *, dedupe_window: int, redacting: bool = True) -> None:
        self._table = table
        self._clock = clock
        self._window_us = dedupe_window * 1_000_000
        self._redacting = redacting

    def load(self, scope: Scope, data: Import) -> Imported:
        """Add what is not there yet, and say how much that was."""
        return Imported(
            imported_sessions=sum(self._session(scope, session) for session in data.sessions or ()),
            imported_observations=sum(self._observation(scope, seen) for seen in data.observations or ()),
        )

    def _session(self, scope: Scope, session: ImportedSession) -> bool:
        started = microseconds(session.started_at)
        summary = session.summary
        if summary and self._redacting:
            summary, found = redact(summary)
            note_redactions(found)
        row: Item = {
            "id": session.id,
            "project": session.project,
            "started_at": started,
            "message_count": session.message_count,
            "gsi1pk": project_sessions(session.project),
            "gsi1sk": f"{numbered(started)}#{session.id}",
        }
        optional = {
            "ended_at": microseconds(session.ended_at) if session.ended_at else None,
            "summary": summary,
            "agent_id": session.agent_id,
            "user_id": session.user_id,
        }
        row |= {name: value for name, value in optional.items() if value}
        try:
            self._table.transact(scope, [Put(session_key(session.id), row, _UNSTARTED)])
        except ConditionFailed:
            return False
        return True

    def _observation(self, scope: Scope, seen: ImportedObservation) -> bool:
        if self._redacting:
            seen = redacted(seen)
        content_hash = normalized_hash(seen.content)
        created = microseconds(seen.created_at) if seen.created_at else self._clock.now_us()
        places = [seen.id] if seen.id else []
        for identifier in (*places, *range(max(created, 1), max(created, 1) + _PLACES)):
            pointer = self._table.get(scope, pointer_key(identifier))
            if pointer is None:
                if self._insert(scope, self._row(seen, identifier, created, content_hash)):
                    return True
            elif self._holds(scope, pointer, identifier, content_hash):
                return False
        raise Conflict(f"no free id for the observation created at {seen.created_at}")

    def _holds(self, scope: Scope, pointer: Item, identifier: int, content_hash: str) -> bool:
        row = self._table.get(scope, observation_key(pointer["project"], identifier))
        return row is not None and row["normalized_hash"] == content_hash

    def _row(self, seen: ImportedObservation, identifier: int, created: int, content_hash: str) -> Item:
        updated = microseconds(seen.updated_at) if seen.updated_at else created
        return observation_row(
            {
                "id": identifier,
                "session_id": seen.session_id,
                "type": seen.type,
                "title": seen.title,
                "content": seen.content,
                "tags": seen.tags or None,
                "project": seen.project,
                "scope": seen.scope or PROJECT_SCOPE,
                "topic_key": seen.topic_key,
                "user_id": seen.user_id,
                "normalized_hash": content_hash,
                "revision_count": seen.revision_count,
                "duplicate_count": seen.duplicate_count,
                "last_seen_at": microseconds(seen.last_seen_at) if seen.last_seen_at else updated,
                "created_at": created,
                "updated_at": updated,
            }
        )

    def _insert(self, scope: Scope, row: Item) -> bool:
        """Write the row with the guards that are free; a guard that another row holds stays that row's."""
        actions: list[Action] = insertion(row, window_us=self._window_us, content_free=Absent())
        actions += noted(row, self._clock.now_us())
        try:
            self._table.transact(scope, actions)
        except ConditionFailed as failed:
            taken = set(failed.failures)
            if taken & {0, 1}:
                return False
            free = [action for place, action in enumerate(actions) if place not in taken]
            try:
                self._table.transact(scope, free)
            except ConditionFailed:
                return False
        return True


_UNSTARTED = AnyOf((Absent(), Equals("started_at", None)))
