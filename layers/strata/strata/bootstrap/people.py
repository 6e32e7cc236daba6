"""People and agents: ownership, consent, configuration."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.domain.ids import IdSource
from strata.services.people.agents import AgentConfigs
from strata.services.people.audit import AuditLog
from strata.services.people.ownership import Ownership

if TYPE_CHECKING:
    from strata.services.people.agreement import Agreements
    from strata.services.people.consent import Consents
    from strata.services.people.devices import Devices
    from strata.services.people.preferences import UserPreferences
    from strata.services.people.session_consent import SessionConsents


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

        forgetter = self._app.privacy.forgetter
        return Consents(self._app.stores.table, self._app.clock, IdSource(), forgetter, self.audit)

    @cached_property
    def preferences(self) -> "UserPreferences":
        from strata.services.people.preferences import UserPreferences

        app, redacting = self._app, self._settings.redact
        return UserPreferences(app.stores.table, app.clock, self.consents, redacting=redacting)

    @cached_property
    def devices(self) -> "Devices":
        from strata.services.people.devices import Devices

        return Devices(self._app.stores.table, self._app.clock)

    @cached_property
    def session_consents(self) -> "SessionConsents":
        from strata.services.people.session_consent import SessionConsents

        return SessionConsents(self._app.stores.table, self._app.clock, self.audit)

    @cached_property
    def audit(self) -> AuditLog:
        return AuditLog(self._app.stores.table, self._app.clock, IdSource())

    @cached_property
    def agreements(self) -> "Agreements":
        from strata.services.people.agreement import Agreements

        return Agreements(self._app.stores.table, self._app.clock, self.audit)
