"""Episodes: stored, derived, found."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.domain.ids import IdSource
from strata.services.episodes.derived import DerivedEpisodes
from strata.services.episodes.ingest import Ingester
from strata.services.episodes.recent import RecentEpisodes

if TYPE_CHECKING:
    from strata.services.episodes.catalog import EpisodeCatalog
    from strata.services.episodes.find import EpisodeFinder


class Episodes(Room):
    """Stores, derives, finds and forgets episodes."""

    @cached_property
    def recent(self) -> RecentEpisodes:
        return RecentEpisodes(self._app.stores.table)

    @cached_property
    def catalog(self) -> "EpisodeCatalog":
        from strata.services.episodes.catalog import EpisodeCatalog

        return EpisodeCatalog(
            self._app.stores.table,
            self._app.clock,
            self._ids,
            self._app.people.ownership,
            self._app.models.rarity,
            redacting=self._settings.redact,
        )

    @cached_property
    def finder(self) -> "EpisodeFinder":
        from strata.services.episodes.find import EpisodeFinder

        stores, search = self._app.stores, self._app.search
        return EpisodeFinder(
            stores.table, stores.index, search.change_notes, stores.parallel, search.episodes, self.recent
        )

    @cached_property
    def ingester(self) -> Ingester:
        app = self._app
        return Ingester(
            app.stores.table, app.clock, app.people.ownership, self.derived, most=self._settings.ingest_limit
        )

    @cached_property
    def derived(self) -> DerivedEpisodes:
        chosen = self._settings
        return DerivedEpisodes(
            self._app.clock,
            self._ids,
            self._app.models.rarity,
            ttl_seconds=chosen.episode_ttl,
            redacting=chosen.redact,
        )

    @cached_property
    def _ids(self) -> IdSource:
        return IdSource()
