"""Knowledge about people."""

from functools import cached_property, partial
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.services.knowledge.orders import ConsolidationOrders

if TYPE_CHECKING:
    from strata.ports.announcements import Announcer
    from strata.services.knowledge.adopting import KnowledgeAdoption
    from strata.services.knowledge.claimed import ClaimedKnowledge
    from strata.services.knowledge.conclusions import ConclusionCatalog
    from strata.services.knowledge.consolidations import Consolidations
    from strata.services.knowledge.contradictions import ContradictionPipeline
    from strata.services.knowledge.dreamer import Dreamer
    from strata.services.knowledge.fact_learning import FactLearning
    from strata.services.knowledge.fact_sources import FactSources
    from strata.services.knowledge.felling import Felling
    from strata.services.knowledge.learning import ProfileLearning
    from strata.services.knowledge.moving import MovedKnowledge
    from strata.services.knowledge.profile import Profiles
    from strata.services.knowledge.profile_rows import ProfileRows
    from strata.services.knowledge.sweeping import KnowledgeSweep


class Knowledge(Room):
    """Profiles of people, and conclusions about them."""

    @cached_property
    def profiles(self) -> "Profiles":
        from strata.domain.redaction.texts import without_secrets
        from strata.services.knowledge.profile import Profiles

        clean = without_secrets if self._settings.redact else dict
        return Profiles(self._app.stores.table, self._profile_rows, clean)

    @cached_property
    def learning(self) -> "ProfileLearning":
        from strata.services.knowledge.learning import ProfileLearning

        return ProfileLearning(self._profile_rows)

    @cached_property
    def fact_learning(self) -> "FactLearning":
        from strata.services.knowledge.fact_learning import FactLearning

        return FactLearning(self._app.stores.table, self.learning)

    @cached_property
    def fact_sources(self) -> "FactSources":
        from strata.services.knowledge.fact_sources import FactSources

        return FactSources(self._app.stores.table, self._app.clock)

    @cached_property
    def _profile_rows(self) -> "ProfileRows":
        from strata.services.knowledge.profile_rows import ProfileRows

        return ProfileRows(self._app.stores.table, self._app.clock, self._app.people.ownership)

    @cached_property
    def orders(self) -> ConsolidationOrders:
        return ConsolidationOrders(self._app.stores.table, redacting=self._settings.redact)

    @cached_property
    def conclusions(self) -> "ConclusionCatalog":
        from strata.services.knowledge.conclusions import ConclusionCatalog

        return ConclusionCatalog(self._app.stores.table, self._app.clock)

    @cached_property
    def consolidations(self) -> "Consolidations":
        from strata.services.knowledge.consolidations import Consolidations

        return Consolidations(self._app.stores.table, self._app.clock)

    @cached_property
    def adoption(self) -> "KnowledgeAdoption":
        from strata.services.knowledge.adopting import KnowledgeAdoption

        return KnowledgeAdoption(self._app.stores.table, self._app.clock, self._profile_rows)

    @cached_property
    def sweep(self) -> "KnowledgeSweep":
        from strata.services.knowledge.sweeping import KnowledgeSweep
        from strata.services.knowledge.upkeep import Thresholds

        chosen = self._settings.knowledge
        by = Thresholds(chosen.stale_days, chosen.redundancy, chosen.prune_confidence)
        return KnowledgeSweep(self._app.stores.table, self._app.clock, by)

    @cached_property
    def moved(self) -> "MovedKnowledge":
        from strata.services.knowledge.moving import MovedKnowledge

        return MovedKnowledge(self._app.stores.table, self._app.clock)

    @cached_property
    def claimed(self) -> "ClaimedKnowledge":
        from strata.services.knowledge.claimed import ClaimedKnowledge

        return ClaimedKnowledge(self._app.stores.table, self._app.clock)

    @cached_property
    def felling(self) -> "Felling":
        from strata.services.knowledge.felling import Felling

        return Felling(self._app.stores.table, self._app.clock)

    @cached_property
    def announcer(self) -> "Announcer":
        """Sends events to the bus or the webhook that the settings name, and logs them."""
        from strata.adapters.announcing import BusAnnouncer, LogAnnouncer, WebhookAnnouncer

        if self._settings.event_bus:
            return BusAnnouncer(self._settings.event_bus)
        if self._settings.event_webhook:
            return WebhookAnnouncer(self._settings.event_webhook)
        return LogAnnouncer()

    @cached_property
    def contradictions(self) -> "ContradictionPipeline":
        from strata.services.knowledge.contradictions import ContradictionPipeline

        judge, model = None, self._app.models.judging
        if model is not None:
            from strata.services.knowledge.judging import Judge

            judge = Judge(model)
        return ContradictionPipeline(
            self._app.stores.table,
            self._app.clock,
            self.sweep,
            self._app.models.comparing,
            self.announcer,
            limit=self._settings.knowledge.contradiction_pairs,
            entailment=self._app.models.entailment,
            judge=judge,
        )

    @cached_property
    def dreamer(self) -> "Dreamer":
        from strata.domain.knowledge.induction import conclude
        from strata.services.knowledge.dreamer import Dreamer

        table, model = self._app.stores.table, self._app.models.consolidating
        proposer = None
        if model is not None:
            from strata.services.knowledge.proposals import Proposer

            proposer = Proposer(table, model)
        lines = self._app.sessions.lines.replacing
        drawn = partial(conclude, grouping=self._app.models.grouping, compare=self._app.models.links)
        return Dreamer(table, self._app.clock, self._app.models.statements, drawn, proposer, lines)
