"""The services, each over the adapters that it stands on."""

import time
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.adapters import Adapters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.domain.ids import IdSource
    from strata.domain.ranking.params import RankingParams
    from strata.services.admission import Admission
    from strata.services.agent_configs import AgentConfigs
    from strata.services.asking import Asking
    from strata.services.assembling import Assembling
    from strata.services.changing import Changing
    from strata.services.consents import Consents
    from strata.services.context import ContextAssembly
    from strata.services.conversations import Conversations
    from strata.services.ending import Ending
    from strata.services.episodes import Episodes
    from strata.services.event_lists import EventLists
    from strata.services.event_logs import EventLogs
    from strata.services.event_reading import EventReading
    from strata.services.event_totals import EventTotals
    from strata.services.events import Events
    from strata.services.expanding import Expansion
    from strata.services.extraction import Extraction
    from strata.services.fact_finding import FactFinder
    from strata.services.facts import Facts
    from strata.services.freshness import Freshness
    from strata.services.idling import Idling
    from strata.services.indexing import Indexing
    from strata.services.ingesting import Ingesting
    from strata.services.keys import Keys
    from strata.services.kinds import Kind
    from strata.services.layers import Layer
    from strata.services.learning import Learning
    from strata.services.ledger import Ledger
    from strata.services.reading import Reading
    from strata.services.recent_episodes import RecentEpisodes
    from strata.services.rounds import Rounds
    from strata.services.saving import Saving
    from strata.services.searching import Newest, Searching, W
    from strata.services.sessions import Sessions
    from strata.services.totals import Totals
    from strata.services.upkeep import Upkeep
    from strata.services.wanted import WantedEpisodes, WantedObservations
    from strata.services.working_memory import WorkingMemory

_ROUND_WIDTH = 16
_INDEXING_WIDTH = 8
_LAYERS_WIDTH = 8


class Services(Adapters):
    """What happens, capability by capability; at the end the operator's work."""

    @cached_property
    def totals(self) -> "Totals":
        """How much there is."""
        from strata.services.totals import Totals

        return Totals(self.table)

    @cached_property
    def rounds(self) -> "Rounds":
        """Calls side by side where a call is a round trip."""
        from strata.services.rounds import Rounds

        return Rounds(_ROUND_WIDTH if self.settings.remote else 0)

    @cached_property
    def freshness(self) -> "Freshness":
        """What the index does not show yet."""
        from strata.services.freshness import Freshness

        return Freshness(
            self.table, self.clock, self.rounds, refresh_seconds=self.settings.index_refresh_seconds
        )

    @cached_property
    def saving(self) -> "Saving":
        """Saves observations."""
        from strata.domain.ids import IdSource
        from strata.services.saving import Saving

        return Saving(
            self.table,
            self.clock,
            IdSource(),
            dedupe_window=self.settings.dedupe_window,
            redacting=self.settings.redact,
        )

    @cached_property
    def changing(self) -> "Changing":
        """Changes and deletes observations."""
        from strata.services.changing import Changing

        return Changing(
            self.table, self.clock, dedupe_window=self.settings.dedupe_window, redacting=self.settings.redact
        )

    @cached_property
    def reading(self) -> "Reading":
        """Reads observations."""
        from strata.services.reading import Reading

        return Reading(self.table, self.totals, self.rounds)

    @cached_property
    def searching(self) -> "Searching[WantedObservations]":
        """Finds observations."""
        from strata.services.kinds import OBSERVATIONS

        return self._finder(OBSERVATIONS, self.reading.newest_wanted)

    def _finder(self, kind: "Kind", newest: "Newest[W]") -> "Searching[W]":
        from strata.services.searching import Searching

        return Searching(
            kind,
            newest,
            self.table,
            self.index,
            self.freshness,
            self.rounds,
            self.embedder,
            self.lexicon,
            params=self._ranking(),
            candidates=min(self.settings.candidates, kind.proposed),
            expansion=self._expansion,
        )

    @cached_property
    def _expansion(self) -> "Expansion | None":
        if not self.settings.language.query_expansion or self.asking is None:
            return None
        from strata.services.expanding import Expansion

        return Expansion(self.asking)

    def _ranking(self) -> "RankingParams":
        from strata.domain.ranking.params import RankingParams

        measured = RankingParams()
        given = {name: type(getattr(measured, name))(value) for name, value in self.settings.ranking.items()}
        return replace(measured, **given)

    @cached_property
    def sessions(self) -> "Sessions":
        """Starts and lists sessions."""
        from strata.services.sessions import Sessions

        return Sessions(self.table, self.clock, self.totals)

    @cached_property
    def ending(self) -> "Ending":
        """Ends sessions."""
        from strata.services.ending import Ending
        from strata.services.transcribing import Transcribing

        return Ending(
            self.table,
            self.clock,
            self._episode_ids,
            self.event_reading,
            Transcribing(self.table, redacting=self.settings.redact),
            self._rarity,
            episode_ttl=self.settings.episode_ttl,
            redacting=self.settings.redact,
        )

    @cached_property
    def episodes(self) -> "Episodes":
        """Stores, finds and forgets episodes."""
        from strata.services.episodes import Episodes

        return Episodes(
            self.table,
            self.clock,
            self._episode_ids,
            self.index,
            self.freshness,
            self.rounds,
            self.episode_searching,
            self.recent_episodes,
            self._rarity,
            redacting=self.settings.redact,
        )

    @cached_property
    def ingesting(self) -> "Ingesting":
        """Keeps answers that are a synthesis."""
        from strata.services.ingesting import Ingesting

        return Ingesting(
            self.table,
            self.clock,
            self._episode_ids,
            self._rarity,
            most=self.settings.ingest_limit,
            episode_ttl=self.settings.episode_ttl,
            redacting=self.settings.redact,
        )

    @cached_property
    def idling(self) -> "Idling":
        """Ends sessions that nobody ends."""
        from strata.services.idling import Idling

        idle = self.settings.idle_session
        return Idling(self.table, self.clock, self.event_lists, self.ending, idle_seconds=idle)

    @cached_property
    def agent_configs(self) -> "AgentConfigs":
        """What agents may remember of people."""
        from strata.services.agent_configs import AgentConfigs

        return AgentConfigs(self.table, self.clock)

    @cached_property
    def consents(self) -> "Consents":
        """What people agree to."""
        from strata.domain.ids import IdSource
        from strata.services.consents import Consents
        from strata.services.learnt import Learnt

        return Consents(self.table, self.clock, IdSource(), Learnt(self.table, self.clock))

    @cached_property
    def facts(self) -> "Facts":
        """What agents know about people."""
        from strata.services.facts import Facts

        return Facts(self.table, self.clock)

    @cached_property
    def extraction(self) -> "Extraction":
        """Finds the facts of ended sessions."""
        from strata.services.extraction import Extraction

        return Extraction(self.table, self.clock, self.fact_finder, self.learning)

    @cached_property
    def learning(self) -> "Learning":
        """Writes facts."""
        from strata.domain.ids import IdSource
        from strata.services.learning import Learning

        return Learning(self.table, self.clock, IdSource())

    @cached_property
    def fact_finder(self) -> "FactFinder":
        """Finds facts in what people say."""
        from strata.services.fact_finding import FactsByModel, FactsByRules

        return FactsByRules() if self.asking is None else FactsByModel(self.asking, FactsByRules())

    @cached_property
    def _episode_ids(self) -> "IdSource":
        from strata.domain.ids import IdSource

        return IdSource()

    def _rarity(self, words: "Sequence[str]") -> list[float]:
        """How rare words are; what few calls need is loaded by the first of them."""
        return [float(each) for each in self.lexicon.rarity(words)]

    @cached_property
    def conversations(self) -> "Conversations":
        """How long working memory and ledgers live."""
        from strata.services.conversations import Conversations

        return Conversations(self.table, self.clock, ttl_seconds=self.settings.working_memory_ttl)

    @cached_property
    def working_memory(self) -> "WorkingMemory":
        """The fields of conversations."""
        from strata.services.working_memory import WorkingMemory

        return WorkingMemory(self.table, self.conversations)

    @cached_property
    def ledger(self) -> "Ledger":
        """What conversations have been given."""
        from strata.services.ledger import Ledger

        return Ledger(self.table, self.conversations)

    @cached_property
    def event_lists(self) -> "EventLists":
        """Which sessions have events."""
        from strata.services.event_lists import EventLists

        return EventLists(self.table)

    @cached_property
    def event_logs(self) -> "EventLogs":
        """Makes and removes sessions' logs of events."""
        from strata.services.event_logs import EventLogs

        chosen = self.settings
        return EventLogs(
            self.table,
            self.clock,
            self.event_lists,
            agent=chosen.agent_name,
            max_sessions=chosen.max_sessions,
        )

    @cached_property
    def events(self) -> "Events":
        """Adds events to sessions."""
        from strata.services.events import Events

        return Events(
            self.table,
            self.clock,
            self.event_logs,
            max_events=self.settings.max_session_events,
            on_appended=[self.ingesting.follow],
        )

    @cached_property
    def event_reading(self) -> "EventReading":
        """Reads sessions' events."""
        from strata.services.event_reading import EventReading

        chosen = self.settings
        return EventReading(
            self.table,
            self.event_lists,
            self.rounds,
            agent=chosen.agent_name,
            max_events=chosen.max_session_events,
        )

    @cached_property
    def event_totals(self) -> "EventTotals":
        """Follows the stream behind events."""
        from strata.services.event_totals import EventTotals

        return EventTotals(self.table, max_events=self.settings.max_session_events)

    @cached_property
    def assembly(self) -> "ContextAssembly":
        """Assembles contexts."""
        from strata.services.context import ContextAssembly

        return ContextAssembly(self.sessions, self.searching, self.reading, self.rounds)

    @cached_property
    def assembling(self) -> "Assembling":
        """Assembles the contexts of every layer."""
        from strata.services.assembling import Assembling
        from strata.services.layers import EpisodeLayer, FactLayer, ObservationLayer, SessionLayer
        from strata.services.rounds import Rounds

        layers: list[Layer] = [
            FactLayer(self.facts, self.table, self.rounds),
            EpisodeLayer(self.episode_searching, self.recent_episodes, self.table),
            ObservationLayer(self.assembly, self.reading),
            SessionLayer(self.sessions, self.lexicon, self._ranking()),
        ]
        # threads of their own: a layer waits for calls that it makes side by side itself
        rounds = Rounds(_LAYERS_WIDTH if self.settings.remote else 0)
        return Assembling(self.table, layers, self.ledger, rounds, self.lexicon, self.clock, self.tokenizer)

    @cached_property
    def recent_episodes(self) -> "RecentEpisodes":
        """Reads the newest episodes."""
        from strata.services.recent_episodes import RecentEpisodes

        return RecentEpisodes(self.table)

    @cached_property
    def episode_searching(self) -> "Searching[WantedEpisodes]":
        """Finds episodes."""
        from strata.services.kinds import EPISODES

        return self._finder(EPISODES, self.recent_episodes.newest_wanted)

    @cached_property
    def indexing(self) -> "Indexing":
        """Keeps the index true."""
        from strata.services.indexing import Indexing
        from strata.services.rounds import Rounds

        # threads of its own: a server that indexes beside its requests must not keep these waiting
        rounds = Rounds(_INDEXING_WIDTH if self.settings.store == "dynamodb" else 0)
        return Indexing(self.table, self.index, self.embedder, rounds)

    @cached_property
    def asking(self) -> "Asking | None":
        """Asks a language model inside the tenant's budget; None where none was chosen."""
        if self.language_model is None:
            return None
        from strata.domain.model_costs import Prices
        from strata.services.asking import Asking
        from strata.services.model_budget import Caps, ModelBudget

        chosen = self.settings.language
        caps = Caps(chosen.daily_tokens, chosen.daily_dollars)
        prices = Prices(chosen.input_price, chosen.output_price)
        return Asking(self.language_model, ModelBudget(self.table, self.clock, caps, prices))

    @cached_property
    def keys(self) -> "Keys":
        """The directory of API keys."""
        from strata.services.keys import Keys

        return Keys(self.table, self.clock)

    @cached_property
    def admission(self) -> "Admission":
        """Decides who may enter."""
        from strata.services.admission import Admission, ClaimNames

        names = self.settings
        claims = ClaimNames(names.jwt_tenant_claim, names.jwt_scopes_claim, names.jwt_identity_claim)
        return Admission(self.keys, self.tokens, claims)

    @cached_property
    def upkeep(self) -> "Upkeep":
        """Rebuilds, redrives, checks."""
        from strata.services.upkeep import Upkeep

        return Upkeep(
            self.census,
            self.table,
            self.index,
            self.redrive_queue,
            self.clock,
            self.indexing,
            self.totals,
            self.freshness,
            self.event_totals,
            shown=lambda: time.sleep(self.settings.index_refresh_seconds),
        )
