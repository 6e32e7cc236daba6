"""What is learnt about people, and with whose consent."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.memories import Memories

if TYPE_CHECKING:
    from strata.services.facts.catalog import FactCatalog
    from strata.services.facts.extraction import Extraction
    from strata.services.facts.finders import FactFinder
    from strata.services.facts.writer import FactWriter
    from strata.services.people.agents import AgentConfigs
    from strata.services.people.consent import Consents


class People(Memories):
    """Facts, consent, agents."""

    @cached_property
    def agent_configs(self) -> "AgentConfigs":
        """What agents may remember of people."""
        from strata.services.people.agents import AgentConfigs

        return AgentConfigs(self.table, self.clock)

    @cached_property
    def consents(self) -> "Consents":
        """What people agree to."""
        from strata.domain.ids import IdSource
        from strata.services.people.consent import Consents
        from strata.services.privacy.forget import DerivedDataForgetter

        return Consents(self.table, self.clock, IdSource(), DerivedDataForgetter(self.table, self.clock))

    @cached_property
    def facts(self) -> "FactCatalog":
        """What agents know about people."""
        from strata.services.facts.catalog import FactCatalog

        return FactCatalog(self.table, self.clock)

    @cached_property
    def extraction(self) -> "Extraction":
        """Finds the facts of ended sessions."""
        from strata.services.facts.extraction import Extraction

        return Extraction(self.table, self.clock, self.fact_finder, self.learning)

    @cached_property
    def learning(self) -> "FactWriter":
        """Writes facts."""
        from strata.domain.ids import IdSource
        from strata.services.facts.writer import FactWriter

        return FactWriter(self.table, self.clock, IdSource())

    @cached_property
    def fact_finder(self) -> "FactFinder":
        """Finds facts in what people say."""
        from strata.services.facts.finders import FactsByModel, FactsByRules

        return FactsByRules() if self.asking is None else FactsByModel(self.asking, FactsByRules())
