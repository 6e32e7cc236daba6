"""Search of each kind of memory."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.domain.ranking.params import RankingParams, measured
from strata.domain.relevance.floors import Floors, floors
from strata.services.records.kinds import EPISODES, OBSERVATIONS, Kind
from strata.services.search.change_notes import ChangeNotes
from strata.services.search.filters import EpisodeFilter, ObservationFilter
from strata.services.search.hits import EpisodeHit, H, ObservationHit

if TYPE_CHECKING:
    from strata.domain.relevance.model import Calibration
    from strata.services.search.expansion import Expansion
    from strata.services.search.reranking import Reranking
    from strata.services.search.search import F, MakeHit, Newest, Searcher


class Search(Room):
    """One searcher for each kind of memory, over the same change notes and ranking."""

    @cached_property
    def observations(self) -> "Searcher[ObservationFilter, ObservationHit]":
        return self._searcher(OBSERVATIONS, self._app.observations.reader.newest_wanted, ObservationHit.of)

    @cached_property
    def episodes(self) -> "Searcher[EpisodeFilter, EpisodeHit]":
        return self._searcher(EPISODES, self._app.episodes.recent.newest_wanted, EpisodeHit.of)

    @cached_property
    def change_notes(self) -> ChangeNotes:
        stores, refresh = self._app.stores, self._settings.index_refresh_seconds
        return ChangeNotes(stores.table, self._app.clock, stores.parallel, refresh_seconds=refresh)

    @cached_property
    def ranking(self) -> RankingParams:
        return self.ranking_for(self._app.models.embedding_model.name)

    def ranking_for(self, embedder: str) -> RankingParams:
        """The weights measured for an embedder, with those that the settings change."""
        best, changed = measured(embedder), self._settings.ranking.items()
        return replace(best, **{name: type(getattr(best, name))(value) for name, value in changed})

    def is_default(self, embedder: str) -> bool:
        """Whether the weights are those measured for the embedder."""
        return self.ranking_for(embedder) == measured(embedder)

    @cached_property
    def floors(self) -> Floors:
        """The least relevance of what is given: those of the settings, or what fits the calibration."""
        name, chosen = self._app.models.embedding_model.name, self._settings
        found = floors(name, default_ranking=self.is_default(name))
        given = {"search": chosen.search_min_relevance, "context": chosen.min_relevance}
        return replace(found, **{kind: floor for kind, floor in given.items() if floor is not None})

    @cached_property
    def calibration(self) -> "Calibration":
        """Relevance as it was fitted to the embedder and the ranking; by words alone if it was not."""
        from strata.domain.relevance.model import calibration

        name = self._app.models.embedding_model.name
        return calibration(name, default_ranking=self.is_default(name))

    def _searcher(self, kind: Kind, newest: "Newest[F]", make_hit: "MakeHit[H]") -> "Searcher[F, H]":
        from strata.services.search.search import Searcher

        stores, models = self._app.stores, self._app.models
        return Searcher(
            kind,
            newest,
            make_hit,
            stores.table,
            stores.index,
            self.change_notes,
            stores.parallel,
            models.embedder,
            models.lexicon,
            params=self.ranking,
            candidates=min(self._settings.candidates, kind.max_candidates),
            calibration=self.calibration,
            expansion=self._expansion,
            reranking=self.reranking,
        )

    @cached_property
    def reranking(self) -> "Reranking | None":
        """Reads what the rules are unsure of; None where no reranker fits the embedder and the ranking."""
        from strata.domain.relevance import weights
        from strata.services.search.reranking import Reranking

        models, name = self._app.models, self._app.models.embedding_model.name
        if models.reranker is None or name != weights.EMBEDDER or not self.is_default(name):
            return None
        return Reranking(models.reranker, models.lexicon)

    @cached_property
    def _expansion(self) -> "Expansion | None":
        if not self._settings.language.query_expansion or self._app.models.budgeted is None:
            return None
        from strata.services.search.expansion import Expansion

        return Expansion(self._app.models.budgeted)
