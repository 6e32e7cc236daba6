"""The operator's work on table and index."""

from functools import cached_property

from strata.bootstrap.room import Room
from strata.services.repair.compare import Comparison
from strata.services.repair.open_notes import OpenNotes
from strata.services.repair.recount import Recounter
from strata.services.repair.redrive import Redriver
from strata.services.repair.reindex import Reindexer
from strata.services.repair.verify import Verifier


class Repair(Room):
    """Rebuilds the index, processes again what failed, compares table and index."""

    @cached_property
    def reindexer(self) -> Reindexer:
        stores, refresh = self._app.stores, self._settings.index_refresh_seconds
        clock = self._app.clock
        return Reindexer(
            stores.census, stores.table, stores.index, self._app.stream.indexer, lambda: clock.sleep(refresh)
        )

    @cached_property
    def redriver(self) -> Redriver:
        stores, consumers = self._app.stores, self._app.stream.consumers_beside
        return Redriver(consumers, stores.redrive_queue, stores.census, stores.table, self._app.clock)

    @cached_property
    def verifier(self) -> Verifier:
        stores, stream, clock = self._app.stores, self._app.stream, self._app.clock
        return Verifier(
            stores.census,
            stores.table,
            self.comparison,
            Recounter(stores.census, stores.table, stream.totals, OpenNotes(stores.table), clock),
            stream.indexer,
            stream.consumers_beside,
            clock,
        )

    @cached_property
    def comparison(self) -> Comparison:
        stores = self._app.stores
        return Comparison(stores.census, stores.table, stores.index, OpenNotes(stores.table))
