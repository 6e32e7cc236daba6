"""Appending events to a session's log.

One update of the log's head reserves places. Then one transaction writes the events there and deletes those
that fall out of the window, whose places are known without a read. So appends never wait for each other, and
the window is exact however many there are at once (decisions 10).
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import uuid4

from strata.domain.errors import NotFound, Throttled, Unavailable
from strata.domain.faults import reason
from strata.domain.scope import Scope
from strata.domain.times import DAY, microseconds
from strata.domain.wire.events import NewEvent
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AllOf, Delete, Equals, Item, Put, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.events.logs import EventLogs
from strata.services.people.ownership import Ownership
from strata.services.records.events import (
    event_guard_key,
    event_key,
    is_imported,
    log_key,
    log_place,
    oldest_place,
)
from strata.services.records.sessions import session_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused

GUARD_SECONDS = DAY
"""An event id that a caller chose is remembered so long, so that a repeat adds nothing."""

CHAT_GUARD_SECONDS = 3650 * DAY
"""The same for imported conversations, which are imported again for years."""

_ACTIONS = 100

Appended = Callable[[Scope, str, str | None, Sequence[NewEvent]], object]
"""Called with appended events: the session, its owner if any, the events."""

_log = logging.getLogger("strata.events")


@dataclass(frozen=True, slots=True)
class EventAppender:
    """Appends events.

    Attributes:
        max_events: how many events a session keeps.
        on_appended: called once events are written; their errors are only logged.
    """

    table: Table
    clock: Clock
    logs: EventLogs
    ownership: Ownership
    max_events: int
    on_appended: Sequence[Appended] = ()

    def append(
        self, scope: Scope, session_id: str, events: Sequence[NewEvent], user_id: str | None = None
    ) -> list[str]:
        """Append up to 100 events, all of them or none, and return their ids in order.

        Only a list with ids of its own may stay half written when a store fails in between. Sent again, it is
        completed without duplicates.

        Raises:
            NotFound: there is no such session.
            OwnedByAnother: the session belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        ids = [event.event_id or f"event_{uuid4().hex[:12]}" for event in events]
        named = [user_id, *(event.user_id for event in events)]
        keys = [session_key(session_id), log_key(session_id)]

        def attempt(_: Refused | None) -> list[str]:
            rows = self.table.get_many(scope, keys)
            if not rows:  # for everybody alike, or the answer would tell who opted out
                raise NotFound("no such session")
            session, log = rows.get(keys[0]), rows.get(keys[1])
            admitted = self.ownership.admit(scope, session_id, session, *named)
            if not admitted.kept:
                return ids
            if log is None and not (session or {}).get("started_at"):
                raise NotFound("no such session")
            for claim in admitted.claim:
                self.table.update(scope, claim)
            log = log or self.logs.begin(scope, session_id, admitted.owner)
            fresh = self._add(scope, log, admitted.owner, list(zip(ids, events, strict=True)))
            if fresh:
                self._notify(scope, session_id, admitted.owner, fresh)
            return ids

        return settled(self.clock, "the session", attempt)

    def _add(
        self, scope: Scope, log: Item, owner: str | None, events: list[tuple[str, NewEvent]]
    ) -> list[NewEvent]:
        """Append those of the events that are not there yet, and return them.

        Raises:
            ConditionFailed: the log is gone, or another caller has just appended one of them.
        """
        session_id, life = log["session_id"], log["life"]
        guards = [event_guard_key(session_id, life, each) for each, event in events if event.event_id]
        known = self.table.get_many(scope, guards) if guards else {}
        fresh = [
            (each, event) for each, event in events if event_guard_key(session_id, life, each) not in known
        ]
        if not fresh:
            return []
        now = self.clock.now_us()
        values: Item = {"updated_at": now, "gsi1sk": log_place(now, session_id)}
        if owner:
            values["user_id"] = owner
        head = self.table.update(
            scope,
            Update(log_key(session_id), set=values, add={"next": len(fresh)}, condition=Equals("life", life)),
        )
        first, *rest = self._writes(head, now, fresh)
        try:
            self.table.transact(scope, first)
        except Throttled:
            self._give_back(scope, head, len(fresh))
            raise
        for actions in rest:
            self.table.transact(scope, actions)
        return [event for _, event in fresh]

    def _give_back(self, scope: Scope, head: Item, places: int) -> None:
        """Give back reserved places that nothing was written to, unless others were reserved after them.

        Where it is not known whether something was written, they stay empty instead.
        """
        unmoved = AllOf((Equals("life", head["life"]), Equals("next", head["next"])))
        with suppress(ConditionFailed, Unavailable):
            self.table.update(
                scope, Update(log_key(head["session_id"]), add={"next": -places}, condition=unmoved)
            )

    def _writes(self, head: Item, now: int, events: Sequence[tuple[str, NewEvent]]) -> Iterator[list[Action]]:
        """The transactions that fill reserved places: a single one where it holds everything."""
        session_id, life, end = head["session_id"], head["life"], head["next"]
        first, app = end - len(events), head["app"]
        oldest = oldest_place(app, end, self.max_events)
        fallen: list[Action] = [
            Delete(event_key(session_id, life, place))
            for place in range(oldest_place(app, first, self.max_events), min(first, oldest))
        ]
        seconds = CHAT_GUARD_SECONDS if is_imported(app) else GUARD_SECONDS
        parts: list[list[Action]] = []
        for place, (event_id, event) in enumerate(events, first):
            rows = _guards(session_id, life, now, event, seconds)
            if place >= oldest:
                row = _row(now, event_id, event)
                rows.append(Put(event_key(session_id, life, place), row, Absent()))
            parts.append(rows)
        actions = fallen
        if fallen and len(fallen) + sum(map(len, parts)) > _ACTIONS:
            yield fallen
            actions = []
        for part in parts:
            if len(actions) + len(part) > _ACTIONS:
                yield actions
                actions = []
            actions = actions + part
        yield actions

    def _notify(self, scope: Scope, session_id: str, owner: str | None, events: Sequence[NewEvent]) -> None:
        for notify in self.on_appended:
            try:
                notify(scope, session_id, owner, events)
            except Exception as error:  # the events are written; sent again, they would be duplicated
                _log.warning("events were added, but not followed up: %s", reason(error))


def _row(now: int, event_id: str, event: NewEvent) -> Item:
    return {
        "event_id": event_id,
        "at": now,
        "timestamp": microseconds(event.timestamp) if event.timestamp else now,
        "event_type": event.event_type,
        "content": event.content,
        "metadata": event.metadata,
    }


def _guards(session_id: str, life: str, now: int, event: NewEvent, seconds: int) -> list[Action]:
    """Make the guard of an event id that a caller chose, for so long."""
    if not event.event_id:
        return []
    guard = {"expires_at": now // 1_000_000 + seconds}
    return [Put(event_guard_key(session_id, life, event.event_id), guard, Absent())]
