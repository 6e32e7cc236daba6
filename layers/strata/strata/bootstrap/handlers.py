"""The Lambda handlers: one method a function, with the name of its folder in `functions/`."""

from contextlib import suppress
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from strata.bootstrap.room import Room
from strata.bootstrap.snapshot import before_snapshot
from strata.domain.errors import ModelFailed
from strata.domain.retrieval import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.entrypoints.http.api.api import Caller, Handler
    from strata.entrypoints.observing import Observing

    BackgroundHandler = Callable[..., dict[str, Any]]


class Handlers(Room):
    """Entry points over the services."""

    @cached_property
    def observing(self) -> "Observing":
        """Logs, metrics and spans of the handlers. Log lines become JSON here where the settings say so."""
        from strata.entrypoints.observing import Observing

        chosen, metrics = self._settings.observing, None
        if chosen.log_format == "json":
            from strata.entrypoints.observing import logs

            logs.set_up(chosen.log_format, chosen.log_level)
        if chosen.metrics == "emf":
            from strata.entrypoints.observing.metrics import Metrics

            metrics = Metrics(chosen.stage)
        return Observing(self._app.clock, metrics, trace_text=chosen.trace_text)

    @cached_property
    def _caller(self) -> "Caller":
        from strata.entrypoints.http.api.devices import Identified
        from strata.entrypoints.http.api.identity import authorized, keyless

        scope = authorized if self._settings.auth == "required" else keyless(self._settings.tenant)
        people = self._app.people
        owner = lambda *write: people.devices.owner(*write)  # noqa: E731, PLW0108 - made late
        return Identified(scope, owner, self._app.tenants.request_rate.admit)

    @property
    def _http(self) -> "tuple[Caller, Observing]":
        return self._caller, self.observing

    def load(self) -> None:
        """Load what the first search would load: numpy, the table of words, the engine's client."""
        self._app.models.lexicon.rarity(["memory"])
        if self._settings.embedding.provider == "e5":
            self._app.models.embedder.embed_query("memory")
        if self._settings.index == "opensearch":
            import_module("opensearchpy")
        if self._settings.opensearch.service != "none":
            import_module("boto3")

    def load_reranker(self) -> None:
        """The same for contexts, which the reranker reads; where it cannot be loaded the rules decide."""
        self.load()
        reranking = self._app.search.reranking
        if reranking is not None:
            with suppress(ModelFailed):
                reranking.reranker.load()

    @property
    def _mode(self) -> Mode:
        return Mode(self._settings.search_mode)

    # --- requests ---

    def authorizer(self) -> "Handler":
        from strata.entrypoints.authorizer import authorizer_handler

        return self.observing.around(authorizer_handler(self._app.credentials.admission))

    def save(self) -> "Handler":
        from strata.entrypoints.http.save import save_handler

        room = self._app.observations
        return save_handler(*self._http, room.saver, room.editor)

    def search(self) -> "Handler":
        from strata.entrypoints.http.search import search_handler

        before_snapshot(self.load)
        searcher, reader = self._app.search.observations, self._app.observations.reader
        floor = self._app.search.floors.search
        return search_handler(
            *self._http, searcher, reader, self._app.clock, default_mode=self._mode, floor=floor
        )

    def context(self) -> "Handler":
        from strata.entrypoints.http.context import context_handler

        before_snapshot(self.load_reranker)
        room, chosen = self._app.context, self._settings
        return context_handler(
            *self._http,
            room.plain,
            room.assembler,
            self._app.clock,
            floor=self._app.search.floors.context,
            default_fill=chosen.context_fill,
        )

    def sessions(self) -> "Handler":
        from strata.entrypoints.http.sessions import sessions_handler

        return sessions_handler(*self._http, self._app.sessions.catalog)

    def session_end(self) -> "Handler":
        from strata.entrypoints.http.session_end import session_end_handler

        return session_end_handler(*self._http, self._app.sessions.ender)

    def mcp(self) -> "Handler":
        from strata.entrypoints.mcp.http import mcp_handler
        from strata.entrypoints.mcp.shelf import Shelf

        before_snapshot(self.load_reranker)
        app = self._app
        shelf = Shelf(
            app.observations.saver,
            app.observations.editor,
            app.sessions.catalog,
            app.sessions.ender,
            app.search.observations,
            app.observations.reader,
            app.context.plain,
            app.clock,
            self._mode,
            self.observing,
            app.context.answers,
            app.context.forgetting,
            app.entities.graphs,
            app.search.floors,
        )
        return mcp_handler(*self._http, shelf)

    def working_memory(self) -> "Handler":
        from strata.entrypoints.http.working_memory import working_memory_handler

        return working_memory_handler(*self._http, self._app.conversations.working_memory)

    def ledger(self) -> "Handler":
        from strata.entrypoints.http.ledger import ledger_handler

        return ledger_handler(*self._http, self._app.conversations.ledger)

    def events(self) -> "Handler":
        from strata.entrypoints.http.events import events_handler

        room = self._app.events
        return events_handler(
            *self._http,
            room.logs,
            room.remover,
            room.lists,
            room.appender,
            room.reader,
            agent=self._settings.agent_name,
        )

    def episodes(self) -> "Handler":
        from strata.entrypoints.http.episodes import episodes_handler

        room = self._app.episodes
        return episodes_handler(
            *self._http,
            room.catalog,
            room.finder,
            room.ingester,
            default_mode=self._mode,
            floor=self._app.search.floors.search,
        )

    def agents(self) -> "Handler":
        from strata.entrypoints.http.agents import agents_handler

        return agents_handler(*self._http, self._app.people.agents, self._app.facts.catalog)

    def chats(self) -> "Handler":
        from strata.entrypoints.http.chats import chats_handler

        room, mover = self._app.chats, self._app.transfer.mover
        return chats_handler(*self._http, room.imports, room.captures, mover, room.checkout)

    def knowledge(self) -> "Handler":
        from strata.entrypoints.http.knowledge import knowledge_handler

        room = self._app.knowledge
        return knowledge_handler(
            *self._http,
            room.profiles,
            room.conclusions,
            room.consolidations,
            self._app.people.devices,
            self._app.privacy.adoption,
            self._app.people.preferences,
            self._app.clock,
        )

    def questions(self) -> "Handler":
        from strata.entrypoints.http.questions import questions_handler

        room = self._app.context
        return questions_handler(*self._http, room.answers, room.forgetting)

    def entities(self) -> "Handler":
        from strata.entrypoints.http.entities import entities_handler

        room = self._app.entities
        return entities_handler(*self._http, room.catalog, room.graphs, room.editor)

    def privacy(self) -> "Handler":
        from strata.entrypoints.http.privacy import privacy_handler

        room, people = self._app.privacy, self._app.people
        return privacy_handler(
            *self._http,
            people.consents,
            room.erasures,
            room.access,
            people.session_consents,
            people.audit,
            people.agreements,
        )

    def transfer(self) -> "Handler":
        from strata.entrypoints.http.transfer import transfer_handler

        room = self._app.transfer
        return transfer_handler(*self._http, room.exporter, room.line_exporter, room.importer)

    def health(self) -> "Handler":
        from strata.entrypoints.http.api.openapi import document
        from strata.entrypoints.http.health import health_handler

        guard = self._app.maintenance.guard
        described = partial(document, keyless=self._settings.auth != "required")
        totals = self._app.stream.current_totals
        return health_handler(*self._http, self._app.health.check, guard, totals, described)

    def maintenance(self) -> "Handler":
        from strata.entrypoints.http.maintenance import maintenance_handler

        room = self._app.maintenance
        return maintenance_handler(*self._http, room.sweeper, room.runs)

    def requests(self) -> "tuple[Handler, ...]":
        return (
            *(self.sessions(), self.session_end(), self.working_memory(), self.ledger(), self.episodes()),
            *(self.events(), self.agents(), self.chats(), self.knowledge(), self.questions()),
            *(self.entities(), self.privacy(), self.save(), self.search(), self.context(), self.mcp()),
            *(self.transfer(), self.maintenance(), self.health()),
        )

    # --- the stream, the queues, the schedule ---

    def indexer(self) -> "BackgroundHandler":
        from strata.entrypoints.indexer import stream_handler

        before_snapshot(self.load)
        requests = self._app.search.change_notes.requests
        redrive = self._app.queues.redrive
        return stream_handler(self._app.stream.consumers, redrive, requests, self.observing)

    def extraction(self) -> "BackgroundHandler":
        from strata.entrypoints.extraction import extraction_handler

        return extraction_handler(self._app.facts.extraction, self.observing)

    def dreamer(self) -> "BackgroundHandler":
        from strata.entrypoints.dreamer import dreamer_handler

        deferral = self._app.maintenance.guard.deferral
        queue = partial(self._app.queues.named, "consolidation")
        return dreamer_handler(self._app.knowledge.dreamer, self.observing, deferral, queue)

    def erasure(self) -> "BackgroundHandler":
        from strata.entrypoints.erasure import erasure_handler

        return erasure_handler(self._app.privacy.eraser, self._app.queues.named("erasure"), self.observing)

    def sweep(self) -> "BackgroundHandler":
        from strata.entrypoints.sweep import sweep_handler

        return sweep_handler(self._app.maintenance.sweeper, self.observing)
