"""The logs of sessions' events: made, counted by app, removed. What they hold is `services/events/append`.

An app has at most so many logs. Its row counts them, in the same transaction that makes or removes one, so
that the limit is exact however many writers there are. To remove a log is to delete its head; the rows of its
events can't be reached any more and are swept up behind the stream (`services/events/totals`).
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from uuid import uuid4

from strata.domain.errors import Conflict
from strata.domain.scope import Scope
from strata.domain.wire.events import NewEventSession
from strata.ports import (
    Absent,
    Action,
    AllOf,
    AnyOf,
    AtMost,
    Clock,
    Condition,
    ConditionFailed,
    Delete,
    Equals,
    Item,
    Present,
    Put,
    Table,
    Update,
)
from strata.services.events.lists import EventLists
from strata.services.people.ownership import Ownership, claim, owner_of
from strata.services.records.events import app_key, app_logs, log_key, log_place
from strata.services.records.parts import numbered
from strata.services.records.sessions import session_key
from strata.services.table.retry import attempts

EVICTED_SHARE = 10
"""A full app loses a tenth of its logs at once (KAOS)."""

_BESIDE = 97  # logs that one transaction can remove beside the log, the count and the owner it writes
_AT_ONCE = 99  # logs that one transaction can remove beside the count


def is_kept(session: Item | None) -> bool:
    """Whether anything of this session may be kept; an unknown one's may."""
    return session is None or bool(session.get("persist", True))


class EventLogs:
    """Makes and removes logs.

    Args:
        table, clock: where they are, and the time.
        lists: what there is.
        ownership: decides what may be kept.
        agent: the app of sessions that name none.
        max_sessions: of one app.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        lists: EventLists,
        ownership: Ownership,
        *,
        agent: str,
        max_sessions: int,
    ) -> None:
        self._table = table
        self._clock = clock
        self._lists = lists
        self._ownership = ownership
        self._agent = agent
        self._max_sessions = max_sessions

    def open(self, scope: Scope, new: NewEventSession) -> str:
        """The id of the session that has this id, with a log made for it if it has none.

        Raises:
            OwnedByAnother: the session belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        session_id = new.session_id or f"session_{uuid4().hex[:12]}"
        for _ in attempts():
            rows = self._table.get_many(scope, [session_key(session_id), log_key(session_id)])
            session, log = rows.get(session_key(session_id)), rows.get(log_key(session_id))
            owner = owner_of(session, new.user_id)
            if not self._ownership.keeps(scope, session_id, session, new.user_id):
                return session_id
            claims = bool(new.user_id) and not (session or {}).get("user_id")
            try:
                if log is None:
                    self._make(scope, session_id, new.app_name or self._agent, owner, claims=claims)
                elif claims and owner:
                    self._table.transact(scope, [claim(session_id, owner), _owned(session_id, log, owner)])
            except ConditionFailed:
                continue
            return session_id
        raise Conflict("the session is being written by others; try again")

    def begin(self, scope: Scope, session_id: str, owner: str | None) -> None:
        """Make the log of a session that was started without one.

        Raises:
            ConditionFailed: others write it; to be tried again.
        """
        self._make(scope, session_id, self._agent, owner, claims=False)

    def _make(self, scope: Scope, session_id: str, app: str, owner: str | None, *, claims: bool) -> None:
        now = self._clock.now_us()
        log: Item = {
            "session_id": session_id,
            "life": uuid4().hex[:16],
            "app": app,
            "created_at": now,
            "updated_at": now,
            "next": 0,
            "gsi1pk": app_logs(app),
            "gsi1sk": log_place(now, session_id),
        }
        if owner:
            log["user_id"] = owner
        made: list[Action] = [Put(log_key(session_id), log, Absent())]
        if claims and owner:
            made.append(claim(session_id, owner))
        room = AnyOf((Absent(), AtMost("sessions", self._max_sessions - 1)))
        count = Update(app_key(app), set={"app": app}, add={"sessions": 1}, condition=room)
        try:
            self._table.transact(scope, [count, *made])
        except ConditionFailed as failed:
            full = failed.failures.get(0)
            if full is None:
                raise
            self._make_room(scope, full, made)

    def _make_room(self, scope: Scope, full: Item, made: Sequence[Action]) -> None:
        """Write what makes a log in the place of the app's oldest ones.

        Under the count that was seen, so that of many writers one evicts and the others find room.
        """
        app, sessions = full["app"], full["sessions"]
        evicted = sessions - self._max_sessions + max(1, self._max_sessions // EVICTED_SHARE)
        oldest = list(islice(self._lists.of_app(scope, app), evicted))
        now, later = oldest[:_BESIDE], oldest[_BESIDE:]
        count = Update(app_key(app), add={"sessions": 1 - len(now)}, condition=Equals("sessions", sessions))
        if sessions - len(now) >= self._max_sessions:  # the limit was lowered, or the index lags
            self._remove(scope, app, oldest)
            raise ConditionFailed({0: full})
        self._table.transact(scope, [count, *made, *(_removal(log) for log in now)])
        self._remove(scope, app, later)

    def _remove(self, scope: Scope, app: str, logs: Sequence[Item]) -> int:
        """Remove these logs of one app, but for those that have changed since they were read."""
        left, removed = list(logs), 0
        while left:
            chunk = left[:_AT_ONCE]
            count = Update(app_key(app), add={"sessions": -len(chunk)}, condition=Present())
            try:
                self._table.transact(scope, [*(_removal(log) for log in chunk), count])
            except ConditionFailed as failed:
                changed = {place for place in failed.failures if place < len(chunk)}
                if not changed:
                    break  # the app itself is gone, and its logs with it
                left = [log for place, log in enumerate(left) if place not in changed]
            else:
                removed += len(chunk)
                left = left[len(chunk) :]
        return removed

    def delete(self, scope: Scope, session_id: str, user_id: str | None) -> bool:
        """Remove a session's events and its place in the listing; False when it has none.

        What else is known of the session stays: its project and summary, its owner, its working memory.

        Raises:
            OwnedByAnother: the session belongs to another user than the one named.
            Conflict: concurrent writers did not let this one settle.
        """
        keys = [session_key(session_id), log_key(session_id)]
        for _ in attempts():
            rows = self._table.get_many(scope, keys)
            owner_of(rows.get(keys[0]), user_id)
            log = rows.get(keys[1])
            if log is None:
                return False
            count = Update(app_key(log["app"]), add={"sessions": -1}, condition=Present())
            try:
                self._table.transact(scope, [Delete(keys[1], Equals("life", log["life"])), count])
            except ConditionFailed:
                continue
            self._forget_if_empty(scope, log["app"])
            return True
        raise Conflict("the session is being written by others; try again")

    def clean_up(self, scope: Scope, max_age_hours: float) -> int:
        """Remove the logs that nothing was added to for so long; how many there were."""
        before = max(0, self._clock.now_us() - int(max_age_hours * 3_600_000_000))
        removed = 0
        for app in self._lists.apps(scope):
            old = list(self._lists.of_app(scope, app["app"], last=numbered(before)))
            removed += self._remove(scope, app["app"], old)
            if old:
                self._forget_if_empty(scope, app["app"])
        return removed

    def evict(self, scope: Scope, limit: int) -> int:
        """Remove the oldest logs of apps that have more than they may, up to `limit` of each; how many."""
        removed = 0
        for app in self._lists.apps(scope):
            over = min(app["sessions"] - self._max_sessions, limit)
            if over > 0:
                removed += self._remove(
                    scope, app["app"], list(islice(self._lists.of_app(scope, app["app"]), over))
                )
        return removed

    def _forget_if_empty(self, scope: Scope, app: str) -> None:
        """Drop the row of an app without logs: apps are named by callers and must not pile up."""
        row = self._table.get(scope, app_key(app))
        if row is not None and row["sessions"] <= 0:
            with suppress(ConditionFailed):
                self._table.transact(scope, [Delete(app_key(app), AtMost("sessions", 0))])


def _removal(log: Item) -> Delete:
    """The removal of a log that nobody has added to since it was read."""
    return Delete(log_key(log["session_id"]), _unchanged(log))


def _unchanged(log: Item) -> Condition:
    return AllOf((Equals("life", log["life"]), Equals("updated_at", log["updated_at"])))


def _owned(session_id: str, log: Item, owner: str) -> Update:
    return Update(log_key(session_id), set={"user_id": owner}, condition=Equals("life", log["life"]))
