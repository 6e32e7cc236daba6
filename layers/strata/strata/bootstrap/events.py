"""Events of sessions."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.events.lists import EventLists
from strata.services.events.logs import EventLogs
from strata.services.events.read import EventReader
from strata.services.events.remove import LogRemover
from strata.services.events.totals import EventTotals

if TYPE_CHECKING:
    from strata.services.events.append import EventAppender


class Events(Room):
    """Appends, reads, lists and counts the events of sessions."""

    @cached_property
    def lists(self) -> EventLists:
        return EventLists(self._app.stores.table, self.totals)

    @cached_property
    def logs(self) -> EventLogs:
        chosen = self._settings
        return EventLogs(
            self._app.stores.table,
            self._app.clock,
            self.lists,
            self._app.people.ownership,
            self.remover,
            agent=chosen.agent_name,
            max_sessions=chosen.max_sessions,
        )

    @cached_property
    def remover(self) -> LogRemover:
        most = self._settings.max_sessions
        app = self._app
        return LogRemover(app.stores.table, app.clock, self.lists, app.knowledge.felling, max_sessions=most)

    @cached_property
    def appender(self) -> "EventAppender":
        from strata.services.events.append import EventAppender

        return EventAppender(
            self._app.stores.table,
            self._app.clock,
            self.logs,
            self._app.people.ownership,
            max_events=self._settings.max_session_events,
            on_appended=[self._app.episodes.ingester.follow],
        )

    @cached_property
    def reader(self) -> EventReader:
        chosen, stores = self._settings, self._app.stores
        return EventReader(
            stores.table,
            self.lists,
            stores.parallel,
            agent=chosen.agent_name,
            max_events=chosen.max_session_events,
        )

    @cached_property
    def totals(self) -> EventTotals:
        stores, most = self._app.stores, self._settings.max_session_events
        return EventTotals(stores.table, self._app.clock, stores.backlog, max_events=most)
