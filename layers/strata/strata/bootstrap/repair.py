"""The operator's work on table and index."""

from functools import cached_property

from strata.bootstrap.room import Room
from strata.services.episodes.projects import EpisodeProjects
from strata.services.repair.compare import Comparison
from strata.services.repair.migrate import Migrator
from strata.services.repair.open_notes import OpenNotes
from strata.services.repair.recount import Recounter
from strata.services.repair.redrive import Redriver
from strata.services.repair.reindex import Reindexer
from strata.services.repair.verify import Verifier
from strata.settings import SettingsError, queue_setting

_QUEUES = ("redrive", "extraction", "consolidation", "erasure")
"""The queues that the consumers of the stream send to."""


class Repair(Room):
    """Rebuilds the index, processes again what failed, compares table and index."""

    @cached_property
    def reindexer(self) -> Reindexer:
        stores = self._app.stores
        return Reindexer(
            stores.census,
            stores.table,
            stores.index,
            stores.engine.at,
            self._app.stream.indexer,
            EpisodeProjects(stores.table),
            self._app.clock,
            refresh_seconds=self._settings.index_refresh_seconds,
        )

    @cached_property
    def migrator(self) -> Migrator:
        stores = self._app.stores
        return Migrator(stores.census, stores.table, self._is_index_outdated, self.reindexer)

    def _is_index_outdated(self) -> bool:
        from strata.services.search.marked_index import MarkedIndex

        index = self._app.stores.index
        return isinstance(index, MarkedIndex) and index.is_outdated()

    @cached_property
    def redriver(self) -> Redriver:
        self._require_queues()
        stores, consumers = self._app.stores, self._app.stream.consumers_beside
        return Redriver(consumers, self._app.queues.redrive, stores.census, stores.table, self._app.clock)

    def _require_queues(self) -> None:
        """Refuse to send a deployed table's orders to this machine's queues, where nobody works on them."""
        urls, redrive, *others = self._settings.queue_urls, *map(queue_setting, _QUEUES)
        missing = [name for name in others if name not in urls]
        if self._settings.store == "dynamodb" and redrive in urls and missing:
            raise SettingsError(f"{redrive} is set, so a redrive needs {' and '.join(missing)}, too")

    @cached_property
    def verifier(self) -> Verifier:
        stores, stream, clock = self._app.stores, self._app.stream, self._app.clock
        return Verifier(
            stores.census,
            stores.table,
            stores.engine.problems,
            self.comparison,
            self.recounter,
            stream.indexer,
            stream.consumers_beside,
            clock,
        )

    @cached_property
    def recounter(self) -> Recounter:
        stores, clock = self._app.stores, self._app.clock
        notes = OpenNotes(stores.table, clock)
        return Recounter(stores.census, stores.table, self._app.stream.totals, notes, clock)

    @cached_property
    def comparison(self) -> Comparison:
        stores = self._app.stores
        return Comparison(stores.census, stores.table, stores.index, OpenNotes(stores.table, self._app.clock))
