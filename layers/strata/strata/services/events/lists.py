"""The sessions that have events, and how many events there are."""

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import islice

from strata.domain.scope import Scope
from strata.domain.wire.events import EventStats
from strata.ports.rows import Item
from strata.ports.table import Query, Table
from strata.services.events.totals import EventTotals
from strata.services.records.events import APP_PREFIX, APPS_PK, app_logs
from strata.services.records.sessions import session_key
from strata.services.table.pages import every_row

_PAGE = 200


class EventLists:
    """Lists the logs of sessions' events, each as its head row (`services/records/events`)."""

    def __init__(self, table: Table, totals: EventTotals) -> None:
        self._table = table
        self._totals = totals

    def newest(self, scope: Scope, user_id: str | None = None) -> Iterator[Item]:
        """Yield the logs of every app, the most recently changed first; of one user when one is named."""
        apps = [self.of_app(scope, app["app"], newest_first=True) for app in self.apps(scope)]
        logs = merge(*apps, key=lambda log: str(log["gsi1sk"]), reverse=True)
        if user_id is None:
            yield from logs
            return
        while some := list(islice(logs, _PAGE)):
            yield from self._of_user(scope, some, user_id)

    def session_ids(self, scope: Scope, user_id: str | None) -> list[str]:
        """Return the sessions of all logs, the newest log first; of one user when one is named."""
        logs = self.newest(scope, user_id)
        by_age = sorted(logs, key=lambda log: (log["created_at"], log["session_id"]), reverse=True)
        return [log["session_id"] for log in by_age]

    def _of_user(self, scope: Scope, logs: Sequence[Item], user_id: str) -> Iterator[Item]:
        # a session may have been given to its user after its log was made
        ownerless = [session_key(log["session_id"]) for log in logs if not log.get("user_id")]
        later = self._table.get_many(scope, ownerless) if ownerless else {}
        for log in logs:
            session = later.get(session_key(log["session_id"]), {})
            if (log.get("user_id") or session.get("user_id")) == user_id:
                yield log

    def stats(self, scope: Scope) -> EventStats:
        """Count the logs and the events in them."""
        sessions = sum(app["sessions"] for app in self.apps(scope))
        events = self._totals.total(scope)
        return EventStats(
            total_sessions=sessions,
            total_events=events,
            avg_events_per_session=events // sessions if sessions else 0,
        )

    def apps(self, scope: Scope) -> Iterator[Item]:
        """Yield the row of every app: `{app, sessions}`."""
        return self._all(scope, Query(APPS_PK, prefix=APP_PREFIX, limit=_PAGE))

    def of_app(
        self,
        scope: Scope,
        app: str,
        *,
        first: str | None = None,
        last: str | None = None,
        newest_first: bool = False,
    ) -> Iterator[Item]:
        """Yield an app's logs by their last change, from the place `first` up to the place `last`."""
        query = Query(
            app_logs(app), index="gsi1", first=first, last=last, newest_first=newest_first, limit=_PAGE
        )
        return self._all(scope, query)

    def _all(self, scope: Scope, query: Query) -> Iterator[Item]:
        return (row.item for row in every_row(self._table, scope, query))
