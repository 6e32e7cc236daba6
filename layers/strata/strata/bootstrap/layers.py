"""The other layers of memory, and the contexts that are assembled from all."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.people import People

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.domain.ids import IdSource
    from strata.services.context.assemble import ContextAssembler
    from strata.services.context.layers import Layer
    from strata.services.conversations.ledger import Ledger
    from strata.services.conversations.life import ConversationLife
    from strata.services.conversations.working_memory import WorkingMemory
    from strata.services.episodes.catalog import EpisodeCatalog
    from strata.services.episodes.derived import DerivedEpisodes
    from strata.services.episodes.ingest import Ingester
    from strata.services.episodes.recent import RecentEpisodes
    from strata.services.events.append import EventAppender
    from strata.services.events.lists import EventLists
    from strata.services.events.logs import EventLogs
    from strata.services.events.read import EventReader
    from strata.services.events.totals import EventTotals
    from strata.services.search.filters import EpisodeFilter
    from strata.services.search.search import Searcher
    from strata.services.sessions.end import SessionEnder
    from strata.services.sessions.idle import IdleSessionEnder

_LAYERS_WIDTH = 8


class Layers(People):
    """Working memory, ledgers, events, episodes, contexts."""

    @cached_property
    def conversations(self) -> "ConversationLife":
        """How long working memory and ledgers live."""
        from strata.services.conversations.life import ConversationLife

        return ConversationLife(self.table, self.clock, ttl_seconds=self.settings.working_memory_ttl)

    @cached_property
    def working_memory(self) -> "WorkingMemory":
        """The fields of conversations."""
        from strata.services.conversations.working_memory import WorkingMemory

        return WorkingMemory(self.table, self.clock, self.conversations, self.ownership)

    @cached_property
    def ledger(self) -> "Ledger":
        """What conversations have been given."""
        from strata.services.conversations.ledger import Ledger

        return Ledger(self.table, self.clock, self.conversations, self.ownership, self.rounds)

    @cached_property
    def event_lists(self) -> "EventLists":
        """Which sessions have events."""
        from strata.services.events.lists import EventLists

        return EventLists(self.table)

    @cached_property
    def event_logs(self) -> "EventLogs":
        """Makes and removes sessions' logs of events."""
        from strata.services.events.logs import EventLogs

        chosen = self.settings
        return EventLogs(
            self.table,
            self.clock,
            self.event_lists,
            self.ownership,
            agent=chosen.agent_name,
            max_sessions=chosen.max_sessions,
        )

    @cached_property
    def events(self) -> "EventAppender":
        """Adds events to sessions."""
        from strata.services.events.append import EventAppender

        return EventAppender(
            self.table,
            self.clock,
            self.event_logs,
            self.ownership,
            max_events=self.settings.max_session_events,
            on_appended=[self.ingesting.follow],
        )

    @cached_property
    def event_reading(self) -> "EventReader":
        """Reads sessions' events."""
        from strata.services.events.read import EventReader

        chosen = self.settings
        return EventReader(
            self.table,
            self.event_lists,
            self.rounds,
            agent=chosen.agent_name,
            max_events=chosen.max_session_events,
        )

    @cached_property
    def event_totals(self) -> "EventTotals":
        """Follows the stream behind events."""
        from strata.services.events.totals import EventTotals

        return EventTotals(self.table, max_events=self.settings.max_session_events)

    @cached_property
    def recent_episodes(self) -> "RecentEpisodes":
        """Reads the newest episodes."""
        from strata.services.episodes.recent import RecentEpisodes

        return RecentEpisodes(self.table)

    @cached_property
    def episode_searching(self) -> "Searcher[EpisodeFilter]":
        """Finds episodes."""
        from strata.services.search.kinds import EPISODES

        return self._finder(EPISODES, self.recent_episodes.newest_wanted)

    @cached_property
    def episodes(self) -> "EpisodeCatalog":
        """Stores, finds and forgets episodes."""
        from strata.services.episodes.catalog import EpisodeCatalog

        return EpisodeCatalog(
            self.table,
            self.clock,
            self._episode_ids,
            self.ownership,
            self.index,
            self.freshness,
            self.rounds,
            self.episode_searching,
            self.recent_episodes,
            self._rarity,
            redacting=self.settings.redact,
        )

    @cached_property
    def ingesting(self) -> "Ingester":
        """Keeps answers that are a synthesis."""
        from strata.services.episodes.ingest import Ingester

        return Ingester(
            self.table, self.clock, self.ownership, self._derived_episodes, most=self.settings.ingest_limit
        )

    @cached_property
    def ending(self) -> "SessionEnder":
        """Ends sessions."""
        from strata.services.facts.orders import ExtractionOrders
        from strata.services.sessions.end import SessionEnder

        return SessionEnder(
            self.table,
            self.clock,
            self.ownership,
            self.event_reading,
            ExtractionOrders(self.table, redacting=self.settings.redact),
            self._derived_episodes,
        )

    @cached_property
    def idling(self) -> "IdleSessionEnder":
        """Ends sessions that nobody ends."""
        from strata.services.sessions.idle import IdleSessionEnder

        idle = self.settings.idle_session
        return IdleSessionEnder(self.table, self.clock, self.event_lists, self.ending, idle_seconds=idle)

    @cached_property
    def assembling(self) -> "ContextAssembler":
        """Assembles the contexts of every layer."""
        from strata.services.context.assemble import ContextAssembler
        from strata.services.context.layers import EpisodeLayer, FactLayer, ObservationLayer, SessionLayer
        from strata.services.table.parallel import Parallel

        layers: list[Layer] = [
            FactLayer(self.facts, self.table, self.rounds),
            EpisodeLayer(self.episode_searching, self.recent_episodes, self.table),
            ObservationLayer(self.assembly, self.reading),
            SessionLayer(self.sessions, self.lexicon, self._ranking()),
        ]
        # threads of their own: a layer waits for calls that it makes side by side itself
        rounds = Parallel(_LAYERS_WIDTH if self.settings.remote else 0)
        return ContextAssembler(layers, self.ledger, rounds, self.lexicon, self.clock, self.tokenizer)

    @cached_property
    def _derived_episodes(self) -> "DerivedEpisodes":
        """What episodes are made with of what was said."""
        from strata.services.episodes.derived import DerivedEpisodes

        chosen = self.settings
        return DerivedEpisodes(
            self.clock,
            self._episode_ids,
            self._rarity,
            ttl_seconds=chosen.episode_ttl,
            redacting=chosen.redact,
        )

    @cached_property
    def _episode_ids(self) -> "IdSource":
        from strata.domain.ids import IdSource

        return IdSource()

    def _rarity(self, words: "Sequence[str]") -> list[float]:
        """How rare words are; what few calls need is loaded by the first of them."""
        return [float(each) for each in self.lexicon.rarity(words)]
