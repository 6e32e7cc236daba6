"""Contexts for an agent's prompt."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.context.plain import PlainAssembler

if TYPE_CHECKING:
    from strata.services.context.assemble import ContextAssembler
    from strata.services.context.layers.layer import Layer
    from strata.services.context.texts import TextRanking

_LAYERS_AT_ONCE = 8


class Context(Room):
    """The plain context of AgentOps, and the one that is assembled from every layer."""

    @cached_property
    def plain(self) -> PlainAssembler:
        app = self._app
        return PlainAssembler(
            app.sessions.catalog,
            self._texts,
            app.search.observations,
            app.observations.reader,
            app.stores.parallel,
            pinned_tag=self._settings.pinned_tag,
        )

    @cached_property
    def _texts(self) -> "TextRanking":
        from strata.services.context.texts import TextRanking

        search = self._app.search
        return TextRanking(self._app.models.lexicon, search.ranking, search.calibration)

    @cached_property
    def assembler(self) -> "ContextAssembler":
        from strata.services.context.assemble import ContextAssembler
        from strata.services.context.layers.conclusions import ConclusionLayer
        from strata.services.context.layers.episodes import EpisodeLayer
        from strata.services.context.layers.facts import FactLayer
        from strata.services.context.layers.observations import ObservationLayer
        from strata.services.context.layers.profile import ProfileLayer
        from strata.services.context.layers.sessions import SessionLayer

        app, stores, models = self._app, self._app.stores, self._app.models
        layers: list[Layer] = [
            FactLayer(app.facts.catalog, self._texts, stores.table, stores.parallel),
            ProfileLayer(stores.table, self._texts),
            ConclusionLayer(app.knowledge.conclusions, self._texts, stores.table),
            EpisodeLayer(app.search.episodes, app.episodes.recent, stores.table),
            ObservationLayer(self.plain, app.observations.reader),
            SessionLayer(app.sessions.catalog, self._texts),
        ]
        # threads of their own: a layer waits for calls that it makes side by side itself
        parallel = stores.parallel_of(_LAYERS_AT_ONCE, self._settings.remote)
        ledger = app.conversations.ledger
        return ContextAssembler(layers, ledger, parallel, models.lexicon, app.clock, models.tokenizer)
