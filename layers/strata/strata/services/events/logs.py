"""Making the logs of sessions' events, within the limit of their app.

The number of logs of an app is limited. The app's row counts them in the transaction that makes or removes
one, so the limit is exact however many writers there are.
"""

from dataclasses import dataclass
from itertools import islice
from uuid import uuid4

from strata.domain.scope import Scope
from strata.domain.wire.events import NewEventSession
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AnyOf, AtMost, Equals, Item, Put, Update
from strata.ports.table import Table
from strata.services.events.lists import EventLists
from strata.services.events.remove import LogRemover, removal
from strata.services.people.ownership import Admitted, Ownership
from strata.services.records.events import app_key, app_logs, is_imported, log_key, log_place
from strata.services.records.sessions import session_key
from strata.services.table.retry import Overtaken, settled
from strata.services.table.transaction import Named, Refused, transact

EVICTED_SHARE = 10
"""A full app loses a tenth of its logs at once (KAOS)."""

_BESIDE = 97  # logs that one transaction can remove beside the log, the count and the owner it writes


@dataclass(frozen=True, slots=True)
class EventLogs:
    """Makes logs.

    Attributes:
        agent: the app of sessions that name none.
        max_sessions: the number of logs an app may have.
    """

    table: Table
    clock: Clock
    lists: EventLists
    ownership: Ownership
    remover: LogRemover
    agent: str
    max_sessions: int

    def open(self, scope: Scope, new: NewEventSession) -> str:
        """Make the log of a session that has none; return the session's id.

        Raises:
            OwnedByAnother: the session belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        session_id = new.session_id or f"session_{uuid4().hex[:12]}"
        keys = [session_key(session_id), log_key(session_id)]

        def attempt(_: Refused | None) -> str:
            rows = self.table.get_many(scope, keys)
            admitted = self.ownership.admit(scope, session_id, rows.get(keys[0]), new.user_id)
            if admitted.kept:
                log = rows.get(keys[1])
                if log is None:
                    self._make(scope, admitted, new.app_name or self.agent)
                elif admitted.claim:
                    owned = Update(
                        keys[1], set={"user_id": admitted.owner}, condition=Equals("life", log["life"])
                    )
                    transact(self.table, scope, {"session": admitted.claim, "log": owned})
            return session_id

        return settled(self.clock, "the session", attempt)

    def begin(self, scope: Scope, session_id: str, owner: str | None) -> Item:
        """Make the log of a session that was started without one, and return it.

        Raises:
            Refused: others write it; to be tried again.
        """
        return self._make(scope, Admitted(session_id, owner, kept=True, claims=False), self.agent)

    def _make(self, scope: Scope, admitted: Admitted, app: str) -> Item:
        now, session_id = self.clock.now_us(), admitted.session_id
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
        if admitted.owner:
            log["user_id"] = admitted.owner
        made: Named = {"log": Put(log_key(session_id), log, Absent()), "session": admitted.claim}
        below = AnyOf((Absent(), AtMost("sessions", self.max_sessions - 1)))
        room = None if is_imported(app) else below
        count = Update(app_key(app), set={"app": app}, add={"sessions": 1}, condition=room)
        try:
            transact(self.table, scope, {"count": count, **made})
        except Refused as refused:
            full = refused.row("count")
            if full is None:
                raise
            self._make_room(scope, full, made)
        return log

    def _make_room(self, scope: Scope, full: Item, made: Named) -> None:
        """Make a log in the place of the app's oldest ones.

        The condition is the count that was read, so of many writers one evicts and the others find room.
        """
        app, sessions = full["app"], full["sessions"]
        evicted = sessions - self.max_sessions + max(1, self.max_sessions // EVICTED_SHARE)
        oldest = list(islice(self.lists.of_app(scope, app), evicted))
        now, later = oldest[:_BESIDE], oldest[_BESIDE:]
        if sessions - len(now) >= self.max_sessions:  # the limit was lowered, or the index lags
            self.remover.remove(scope, app, oldest)
            raise Overtaken
        count = Update(app_key(app), add={"sessions": 1 - len(now)}, condition=Equals("sessions", sessions))
        transact(self.table, scope, {"count": count, **made, "evicted": [removal(log) for log in now]})
        self.remover.remove(scope, app, later)
