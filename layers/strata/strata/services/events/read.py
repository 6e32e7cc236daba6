"""Reading events, of one session or of all.

A log shows a window: a fixed number of places before `next` (decisions 10). So a read never depends on when
the rows that fell out of the window are deleted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count, islice

from strata.domain.errors import NotFound
from strata.domain.scope import Scope
from strata.domain.text.strings import encodable
from strata.domain.wire.events import AGENT_RESPONSE, TOOL_CALL, TOOL_RESULT, USER_MESSAGE, StoredEvent
from strata.domain.wire.exact_json import to_value
from strata.domain.wire.messages import DatedMessage, said
from strata.ports.rows import AnyOf, Equals
from strata.ports.table import Page, Query, Table
from strata.services.events.lists import EventLists
from strata.services.people.ownership import is_of_another
from strata.services.records.events import EventLog, log_key, newest_events, to_event, to_log
from strata.services.records.sessions import session_key
from strata.services.table.parallel import Parallel

_PAGE = 100
_SESSIONS_AT_ONCE = 16
_LONGEST = 20_000
"""The most events that are read of an imported conversation, which may have more, as its transcript."""

_SPEAKERS = {USER_MESSAGE: "User", AGENT_RESPONSE: "Assistant"}
_ROLES = {USER_MESSAGE: "user", AGENT_RESPONSE: "assistant", TOOL_CALL: "tool", TOOL_RESULT: "tool"}


class EventReader:
    """Reads events.

    Args:
        agent: the app of sessions that have no log yet.
        max_events: how many events a session shows.
    """

    def __init__(
        self, table: Table, lists: EventLists, parallel: Parallel, *, agent: str, max_events: int
    ) -> None:
        self._table = table
        self._lists = lists
        self._parallel = parallel
        self._agent = agent
        self._max_events = max_events
        self._most = max(max_events, _LONGEST)

    def log(self, scope: Scope, session_id: str, user_id: str | None = None) -> EventLog:
        """Return a session's log, an empty one where the session was started and has none.

        Raises:
            NotFound: there is no such session, or it is another user's than the one named.
        """
        rows = self._table.get_many(scope, [session_key(session_id), log_key(session_id)])
        session, log = rows.get(session_key(session_id), {}), rows.get(log_key(session_id))
        owner = session.get("user_id") or (log or {}).get("user_id")
        if is_of_another(owner, user_id):
            raise NotFound("no such session")
        if log is not None:
            return to_log(log, owner)
        if not session.get("started_at") or not session.get("persist", True):
            raise NotFound("no such session")
        started = session["started_at"]
        return EventLog(session_id, self._agent, owner, started, session.get("ended_at") or started)

    def newest(
        self, scope: Scope, log: EventLog, *, limit: int, types: Sequence[str] = ()
    ) -> Iterator[StoredEvent]:
        """Yield a log's events, newest first; only those of `types` where any are named."""
        return self._from(scope, self._query(log, types), limit) if log.next else iter(())

    def newest_of(
        self, scope: Scope, session_id: str, *, limit: int, types: Sequence[str] = ()
    ) -> Iterator[StoredEvent]:
        """Yield a session's events, newest first; none where there is no such session."""
        log = self._table.get(scope, log_key(session_id))
        return self.newest(scope, to_log(log), limit=limit, types=types) if log else iter(())

    def newest_of_all(self, scope: Scope, limit: int, user_id: str | None = None) -> Iterator[StoredEvent]:
        """Yield the events of all sessions, newest first; of one user's when one is named.

        No event is newer than its session's last change, so sessions are opened from the most recently
        changed one on, only as far as needed.
        """
        return islice(self._merged(scope, user_id), limit)

    def _merged(self, scope: Scope, user_id: str | None) -> Iterator[StoredEvent]:
        logs = (to_log(log) for log in self._lists.newest(scope, user_id) if log["next"])
        waiting = list(islice(logs, _SESSIONS_AT_ONCE))
        opened: list[tuple[int, int, StoredEvent, Iterator[StoredEvent]]] = []
        number = count()

        def push(events: Iterator[StoredEvent]) -> None:
            if (event := next(events, None)) is not None:
                heappush(opened, (-event.at, next(number), event, events))

        while waiting or opened:
            while waiting and (not opened or waiting[0].updated_at >= -opened[0][0]):
                for events in self._opened(scope, waiting):
                    push(events)
                waiting = list(islice(logs, _SESSIONS_AT_ONCE))
            if opened:
                _, _, event, events = heappop(opened)
                yield event
                push(events)

    def _opened(self, scope: Scope, logs: Sequence[EventLog]) -> list[Iterator[StoredEvent]]:
        queries = [self._query(log, ()) for log in logs]
        pages = self._parallel.each([partial(self._table.query, scope, query) for query in queries])
        return [
            self._from(scope, query, self._most, page) for query, page in zip(queries, pages, strict=True)
        ]

    def _query(self, log: EventLog, types: Sequence[str]) -> Query:
        where = AnyOf(tuple(Equals("event_type", each) for each in types)) if types else None
        return replace(newest_events(log, self._max_events), limit=_PAGE, where=where)

    def _from(
        self, scope: Scope, query: Query, limit: int, page: Page | None = None
    ) -> Iterator[StoredEvent]:
        left = limit
        while left > 0:
            page = page or self._table.query(scope, replace(query, limit=min(left, _PAGE)))
            yield from (to_event(row.item) for row in page.rows[:left])
            left -= len(page.rows)
            if page.cursor is None:
                return
            query, page = replace(query, cursor=page.cursor), None

    def lines(
        self, scope: Scope, session_id: str, max_events: int, user_id: str | None = None
    ) -> Iterator[str]:
        """Yield the last messages of user and agent, newest first, as `User: …` and `Assistant: …` (KAOS).

        Raises:
            NotFound: there is no such session, or it is another user's than the one named.
        """
        log = self.log(scope, session_id, user_id)
        messages = self.newest(scope, log, limit=max_events, types=tuple(_SPEAKERS))
        return (f"{_SPEAKERS[event.event_type]}: {_plain(event)}" for event in messages)

    def transcript(self, scope: Scope, session_id: str) -> list[DatedMessage]:
        """Return a session's events as the messages of a transcript; empty when it has none."""
        events = list(self.newest_of(scope, session_id, limit=self._most, types=tuple(_ROLES)))
        return [
            DatedMessage(role=_ROLES[event.event_type], content=_words(event), at=event.timestamp)
            for event in reversed(events)
        ]

    def app_of(self, scope: Scope, session_id: str) -> str | None:
        """Return the app of a session's log; None when it has none."""
        log = self._table.get(scope, log_key(session_id))
        return log["app"] if log else None


def _plain(event: StoredEvent) -> str:
    """The content: a string as it is, anything else as its JSON."""
    value = to_value(event.content)
    return value if isinstance(value, str) else event.content


def _words(event: StoredEvent) -> str:
    """The texts in an event's content, or its JSON where it has none; a lone surrogate shows as `?`."""
    words = "" if event.event_type in (TOOL_CALL, TOOL_RESULT) else said(to_value(event.content))
    return words or encodable(_plain(event))
