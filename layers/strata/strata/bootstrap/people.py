"""People and agents: ownership, consent, configuration."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.domain.ids import IdSource
from strata.services.people.agents import AgentConfigs
from strata.services.people.ownership import Ownership

if TYPE_CHECKING:
    from strata.services.people.consent import Consents


class People(Room):
    """Owners of sessions, consent of people, configuration of agents."""

    @cached_property
    def ownership(self) -> Ownership:
        return Ownership(self._app.stores.table, self._app.clock)

    @cached_property
    def agents(self) -> AgentConfigs:
        return AgentConfigs(self._app.stores.table, self._app.clock)

    @cached_property
    def consents(self) -> "Consents":
        from strata.services.people.consent import Consents

        return Consents(self._app.stores.table, self._app.clock, IdSource(), self._app.privacy.forgetter)
