"""The Lambda handlers, one for each function."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.bootstrap.background import Background
from strata.domain.retrieval import Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.entrypoints.authorizer import Authorizer
    from strata.entrypoints.http.api.api import Caller, Handler


class Handlers(Background):
    """Entry points over the services for whoever calls over HTTP."""

    @cached_property
    def _caller(self) -> "Caller":
        from strata.entrypoints.http.api.identity import authorized, keyless

        return authorized if self.settings.auth == "required" else keyless(self.settings.tenant)

    def authorizer_handler(self) -> "Authorizer":
        """functions/authorizer."""
        from strata.entrypoints.authorizer import authorizer_handler

        return self.observing.around(authorizer_handler(self.admission))

    def save_handler(self) -> "Handler":
        """functions/save."""
        from strata.entrypoints.http.save import saving_handler

        return saving_handler(self._caller, self.observing, self.saving, self.changing)

    def search_handler(self) -> "Handler":
        """functions/search."""
        from strata.entrypoints.http.search import searching_handler

        mode = Mode(self.settings.search_mode)
        return searching_handler(
            self._caller, self.observing, self.searching, self.reading, default_mode=mode
        )

    def context_handler(self) -> "Handler":
        """functions/context."""
        from strata.entrypoints.http.context import context_handler

        return context_handler(self._caller, self.observing, self.assembly, self.assembling)

    def sessions_handler(self) -> "Handler":
        """functions/sessions."""
        from strata.entrypoints.http.sessions import sessions_handler

        return sessions_handler(self._caller, self.observing, self.sessions)

    def session_end_handler(self) -> "Handler":
        """functions/session_end."""
        from strata.entrypoints.http.sessions import session_end_handler

        return session_end_handler(self._caller, self.observing, self.ending)

    def mcp_handler(self) -> "Handler":
        """functions/mcp."""
        from strata.entrypoints.mcp.http import mcp_handler
        from strata.entrypoints.mcp.toolbox import Shelf

        shelf = Shelf(
            self.saving,
            self.searching,
            self.reading,
            self.assembly,
            self.clock,
            Mode(self.settings.search_mode),
            self.observing,
        )
        return mcp_handler(self._caller, self.observing, shelf)

    def working_memory_handler(self) -> "Handler":
        """functions/working_memory."""
        from strata.entrypoints.http.working_memory import working_memory_handler

        return working_memory_handler(self._caller, self.observing, self.working_memory)

    def ledger_handler(self) -> "Handler":
        """functions/ledger."""
        from strata.entrypoints.http.ledger import ledger_handler

        return ledger_handler(self._caller, self.observing, self.ledger)

    def events_handler(self) -> "Handler":
        """functions/events."""
        from strata.entrypoints.http.events import events_handler

        return events_handler(
            self._caller,
            self.observing,
            self.event_logs,
            self.event_lists,
            self.events,
            self.event_reading,
            agent=self.settings.agent_name,
        )

    def episodes_handler(self) -> "Handler":
        """functions/episodes."""
        from strata.entrypoints.http.episodes import episodes_handler

        mode = Mode(self.settings.search_mode)
        return episodes_handler(
            self._caller, self.observing, self.episodes, self.ingesting, default_mode=mode
        )

    def agents_handler(self) -> "Handler":
        """functions/agents."""
        from strata.entrypoints.http.agents import agents_handler

        return agents_handler(self._caller, self.observing, self.agent_configs, self.facts)

    def privacy_handler(self) -> "Handler":
        """functions/privacy."""
        from strata.entrypoints.http.privacy import privacy_handler

        return privacy_handler(self._caller, self.observing, self.consents, self.erasures, self.access)

    def transfer_handler(self) -> "Handler":
        """functions/transfer."""
        from strata.entrypoints.http.transfer import transfer_handler
        from strata.services.transfer.exporter import Exporter
        from strata.services.transfer.importer import Importer

        importing = Importer(
            self.table,
            self.clock,
            self.ownership,
            dedupe_window=self.settings.dedupe_window,
            redacting=self.settings.redact,
        )
        return transfer_handler(
            self._caller, self.observing, Exporter(self.table, self.clock, self.totals), importing
        )

    def health_handler(self) -> "Handler":
        """functions/health."""
        from strata.entrypoints.http.api.openapi import document
        from strata.entrypoints.http.health import health_handler
        from strata.services.health import HealthCheck

        check = HealthCheck(self._probes(), self.clock)
        return health_handler(self._caller, self.observing, check, self.totals, document)

    def maintenance_handler(self) -> "Handler":
        """functions/maintenance."""
        from strata.entrypoints.http.maintenance import maintenance_handler

        return maintenance_handler(self._caller, self.observing, self.sweeping, self.runs)

    def _probes(self) -> "dict[str, Callable[[], object]]":
        """A cheap question to each store."""
        from strata.domain.scope import Scope
        from strata.ports import Key, SearchQuery

        scope = Scope(self.settings.tenant)
        return {
            "table": lambda: self.table.get(scope, Key("HEALTH", "PROBE")),
            "index": lambda: self.index.search(scope, SearchQuery("health", terms=("probe",), limit=1)),
            "vectors": self._vectors_fit,
            "maintenance": self.punctuality.check,
        }

    def _vectors_fit(self) -> None:
        from strata.domain.errors import Unavailable

        if not self.index.fits():
            raise Unavailable("the index holds vectors of another model; strata reindex makes it anew")

    def openapi(self) -> dict[str, Any]:
        """The API's description, made from the routes of every function."""
        from strata.entrypoints.http.api.api import Api
        from strata.entrypoints.http.api.openapi import merged

        handlers = (
            self.sessions_handler(),
            self.session_end_handler(),
            self.working_memory_handler(),
            self.ledger_handler(),
            self.episodes_handler(),
            self.events_handler(),
            self.agents_handler(),
            self.privacy_handler(),
            self.save_handler(),
            self.search_handler(),
            self.context_handler(),
            self.mcp_handler(),
            self.transfer_handler(),
            self.maintenance_handler(),
            self.health_handler(),
        )
        return merged([handler for handler in handlers if isinstance(handler, Api)])
