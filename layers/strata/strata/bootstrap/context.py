"""Contexts for an agent's prompt."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.context.plain import PlainAssembler

if TYPE_CHECKING:
    from strata.domain.assembly.items import Remembered
    from strata.domain.scope import Scope
    from strata.services.context.answers import Answers
    from strata.services.context.assemble import ContextAssembler
    from strata.services.context.forgetting import Forgetting
    from strata.services.context.layers.layer import Layer
    from strata.services.context.questions import About, Finder
    from strata.services.context.texts import TextRanking

_LAYERS_AT_ONCE = 8
_FACTS_OF_QUESTIONS = 200


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
            EpisodeLayer(app.search.episodes, app.episodes.recent, stores.table, stores.parallel),
            ObservationLayer(self.plain, app.observations.reader),
            SessionLayer(app.sessions.catalog, self._texts),
        ]
        # threads of their own: a layer waits for calls that it makes side by side itself
        parallel = stores.parallel_of(_LAYERS_AT_ONCE, self._settings.remote)
        ledger = app.conversations.ledger
        return ContextAssembler(layers, ledger, parallel, models.lexicon, app.clock, models.tokenizer)

    @cached_property
    def finder(self) -> "Finder":
        from strata.domain.relevance.model import answer_calibration
        from strata.services.context.layers.conclusions import ConclusionLayer
        from strata.services.context.layers.episodes import EpisodeLayer
        from strata.services.context.layers.events import EventLayer
        from strata.services.context.layers.facts import FactLayer
        from strata.services.context.layers.observations import ObservationLayer
        from strata.services.context.layers.profile import ProfileLayer
        from strata.services.context.questions import Finder

        app, stores, search = self._app, self._app.stores, self._app.search
        table, embedder = stores.table, app.models.comparing
        layers: list[Layer] = [
            ProfileLayer(table, self._texts),
            ConclusionLayer(app.knowledge.conclusions, self._texts, table),
            FactLayer(app.facts.catalog, self._texts, table, stores.parallel, told=_FACTS_OF_QUESTIONS),
            EpisodeLayer(app.search.episodes, app.episodes.recent, table, stores.parallel),
            ObservationLayer(self.plain, app.observations.reader),
            EventLayer(
                table, stores.parallel, app.events.lists.newest, max_events=self._settings.max_session_events
            ),
        ]
        return Finder(
            layers,
            table,
            stores.parallel_of(_LAYERS_AT_ONCE, self._settings.remote),
            embedder,
            app.models.lexicon,
            search.ranking_for(embedder.model),
            answer_calibration(embedder.model, default_ranking=search.is_default(embedder.model)),
        )

    @cached_property
    def answers(self) -> "Answers":
        from strata.services.context.answers import Answers

        models = self._app.models
        return Answers(self.finder, models.lexicon, self._app.stores.table, models.budgeted)

    @cached_property
    def forgetting(self) -> "Forgetting":
        from strata.ports.rows import Delete
        from strata.services.context.forgetting import Forgetting, Remove
        from strata.services.context.layers.events import event_of
        from strata.services.records.people import transcript_key

        app = self._app

        def remove_event(scope: "Scope", about: "About", item: "Remembered") -> None:
            """Delete a message, and what was, or is to be, concluded from its session."""
            waiting = Delete(transcript_key(item.title))
            app.stores.table.transact(scope, [Delete(event_of(str(item.id))), waiting])
            app.knowledge.felling.fell_sessions(scope, about.owner, [item.title])

        removers: dict[str, Remove] = {
            "conclusions": lambda scope, about, item: app.knowledge.conclusions.delete(
                scope, about.owner, str(item.id)
            ),
            "facts": lambda scope, about, item: app.facts.catalog.delete(
                scope, about.agent_id or "", about.owner, str(item.id)
            ),
            "episodes": lambda scope, about, item: app.episodes.catalog.forget(
                scope, about.owner, str(item.id)
            ),
            "observations": lambda scope, _, item: app.observations.editor.delete(
                scope, int(item.id), hard=True
            ),
            "events": remove_event,
        }
        return Forgetting(self.finder, removers)
