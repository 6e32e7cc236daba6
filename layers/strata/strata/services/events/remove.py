"""Removing the logs of sessions' events.

Removing a log deletes its head and counts its app's logs down in the same transaction. The rows of its events
can no longer be reached; the stream's consumer deletes them (`services/events/totals`).
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.clock import Clock
from strata.ports.rows import AllOf, AtMost, Delete, Equals, Item, Present, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.events.lists import EventLists
from strata.services.people.ownership import owner_of
from strata.services.records.events import app_key, is_imported, log_key
from strata.services.records.parts import numbered
from strata.services.records.sessions import session_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

_AT_ONCE = 99  # logs that one transaction can remove beside the count


class SessionForgetter(Protocol):
    """Deletes what was concluded from sessions."""

    def fell_sessions(self, scope: Scope, owner: str, sessions: Collection[str]) -> None:
        """Delete what rests on these sessions of a person alone."""


@dataclass(frozen=True, slots=True)
class LogRemover:
    """Removes logs: one, old ones, and those beyond the number that an app may have.

    Attributes:
        forgetter: deletes what was concluded from a session that somebody deletes.
    """

    table: Table
    clock: Clock
    lists: EventLists
    forgetter: SessionForgetter
    max_sessions: int

    def delete(self, scope: Scope, session_id: str, user_id: str | None) -> bool:
        """Remove a session's events and its place in the listing; False when it has none.

        The rest of the session stays: its project and summary, its owner, its working memory.

        Raises:
            OwnedByAnother: the session belongs to another user than the one named.
            Conflict: concurrent writers did not let this one settle.
        """
        keys = [session_key(session_id), log_key(session_id)]

        def attempt(_: Refused | None) -> bool:
            rows = self.table.get_many(scope, keys)
            owner_of(rows.get(keys[0]), user_id)
            log = rows.get(keys[1])
            if log is None:
                return False
            owner = (rows.get(keys[0]) or {}).get("user_id") or DEFAULT_OWNER
            self.forgetter.fell_sessions(scope, owner, [session_id])
            count = Update(app_key(log["app"]), add={"sessions": -1}, condition=Present())
            self.table.transact(scope, [Delete(keys[1], Equals("life", log["life"])), count])
            self._forget_if_empty(scope, log["app"])
            return True

        return settled(self.clock, "the session", attempt)

    def clean_up(self, scope: Scope, max_age_hours: float) -> int:
        """Remove the logs that nothing was added to for so long, but no imported ones; return how many."""
        before = max(0, self.clock.now_us() - int(max_age_hours * 3_600_000_000))
        removed = 0
        for app in self._limited(scope):
            old = list(self.lists.of_app(scope, app["app"], last=numbered(before)))
            removed += self.remove(scope, app["app"], old)
            if old:
                self._forget_if_empty(scope, app["app"])
        return removed

    def evict(self, scope: Scope, limit: int) -> int:
        """Remove the oldest logs of apps that have too many, up to `limit` of each; return how many."""
        removed = 0
        for app in self._limited(scope):
            over = min(app["sessions"] - self.max_sessions, limit)
            if over > 0:
                removed += self.remove(
                    scope, app["app"], list(islice(self.lists.of_app(scope, app["app"]), over))
                )
        return removed

    def _limited(self, scope: Scope) -> Iterator[Item]:
        return (app for app in self.lists.apps(scope) if not is_imported(app["app"]))

    def remove(self, scope: Scope, app: str, logs: Sequence[Item]) -> int:
        """Remove these logs of one app, except those that changed since they were read; return how many."""
        left, removed = [removal(log) for log in logs], 0
        while left:
            chunk = left[:_AT_ONCE]
            count = Update(app_key(app), add={"sessions": -len(chunk)}, condition=Present())
            try:
                transact(self.table, scope, {"logs": chunk, "count": count})
            except Refused as refused:
                changed = refused.actions("logs")
                if not changed:
                    break  # the app itself is gone, and its logs with it
                left = [each for each in left if each not in changed]
            else:
                removed += len(chunk)
                left = left[len(chunk) :]
        return removed

    def _forget_if_empty(self, scope: Scope, app: str) -> None:
        """Delete the row of an app without logs: callers name apps, so their rows must not pile up."""
        row = self.table.get(scope, app_key(app))
        if row is not None and row["sessions"] <= 0:
            with suppress(ConditionFailed):
                self.table.transact(scope, [Delete(app_key(app), AtMost("sessions", 0))])


def removal(log: Item) -> Delete:
    """Return the removal of a log that nobody has added to since it was read."""
    unchanged = AllOf((Equals("life", log["life"]), Equals("updated_at", log["updated_at"])))
    return Delete(log_key(log["session_id"]), unchanged)
