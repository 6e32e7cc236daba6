"""Sessions: started, listed, ended."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.sessions.catalog import SessionCatalog
from strata.services.sessions.end import SessionEnder

if TYPE_CHECKING:
    from strata.services.sessions.idle import IdleSessionEnder
    from strata.services.sessions.lines import SessionLines


class Sessions(Room):
    """Starts, lists and ends sessions."""

    @cached_property
    def catalog(self) -> SessionCatalog:
        stores = self._app.stores
        totals, ownership = self._app.stream.current_totals, self._app.people.ownership
        return SessionCatalog(
            stores.table, self._app.clock, totals, ownership, stores.parallel, self._app.tenants.stored.admit
        )

    @cached_property
    def ender(self) -> SessionEnder:
        return SessionEnder(
            self._app.stores.table,
            self._app.clock,
            self._app.people.ownership,
            self._app.events.reader,
            (self._app.facts.orders, self._app.knowledge.orders),
            self._app.episodes.derived,
        )

    @cached_property
    def lines(self) -> "SessionLines":
        from strata.services.sessions.lines import SessionLines

        return SessionLines(self._app.stores.table, self._app.clock)

    @cached_property
    def idle_ender(self) -> "IdleSessionEnder":
        from strata.services.sessions.idle import IdleSessionEnder

        idle, lists = self._settings.idle_session, self._app.events.lists
        return IdleSessionEnder(self._app.stores.table, self._app.clock, lists, self.ender, idle_seconds=idle)
