"""What is learnt about people, and with whose consent."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.memories import Memories

if TYPE_CHECKING:
    from strata.services.agent_configs import AgentConfigs
    from strata.services.consents import Consents
    from strata.services.extraction import Extraction
    from strata.services.fact_finding import FactFinder
    from strata.services.facts import Facts
    from strata.services.learning import Learning


class People(Memories):
    """Facts, consent, agents."""

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
