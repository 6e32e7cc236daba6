"""The answers to questions about the health of the stores and of maintenance."""

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room
from strata.domain.errors import Late, Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Key
from strata.ports.search import NoIndex, SearchQuery
from strata.services.health import HealthCheck
from strata.services.records.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable


class Health(Room):
    """Checks of the stores, and those by agtOS's names."""

    @cached_property
    def check(self) -> HealthCheck:
        from strata.adapters.deadline import within
        from strata.services.health import unlimited

        stores, remote = self._app.stores, self._settings.remote
        probes, named = self._probes(), self._named_probes()
        # threads of its own, a probe each: those of the stores' calls may all hang
        parallel = stores.parallel_of(len(probes) + len(named), remote)
        return HealthCheck(probes, named, self._app.clock, parallel, within if remote else unlimited)

    def _probes(self) -> "dict[str, Callable[[], object]]":
        """A cheap question to each store."""
        scope, stores = Scope(self._settings.tenant), self._app.stores
        if self._settings.store == "dynamodb":
            _ = stores.table  # loading its client takes a while, which is no sign of a store that hangs
        writes: dict[str, Callable[[], object]] = {}
        if stores.embedded:
            from strata.services.stream.progress import StreamProgress

            progress = StreamProgress(stores.change_log, "Indexer", self._app.clock)
            writes = {"writes": stores.database.check_writes, "stream": progress.check}
        return {
            "table": lambda: stores.table.get(scope, Key("HEALTH", "PROBE")),
            **writes,
            "index": self._ask_index,
            "vectors": self._check_vectors,
            "maintenance": self._app.maintenance.punctuality.check,
        }

    def _named_probes(self) -> "dict[str, Callable[[], object]]":
        """The checks that agtOS asks for by its own names."""
        room, scope = self._app.maintenance, Scope(self._settings.tenant)

        def guarded() -> dict[str, object]:
            verdict = room.guard.verdict(scope)
            return {
                "policy": self._settings.background_work_policy,
                "safe": verdict.safe,
                "reason": verdict.reason,
            }

        return {
            "memory-maintenance": room.punctuality.check,
            "memory-semantic": self._check_documents,
            "resource-guard": guarded,
        }

    def _ask_index(self) -> None:
        query = SearchQuery("health", terms=("probe",), limit=1)
        self._app.stores.index.search(Scope(self._settings.tenant), query)

    def _check_documents(self) -> dict[str, object]:
        """The number of documents, counted within a second; none where there are keys: anybody may ask.

        Those of a new table have no index yet, and are none.
        """
        self._ask_index()
        if self._settings.auth == "required":
            return {}
        scope, started = Scope(self._settings.tenant), self._app.clock.monotonic()
        documents = 0
        with suppress(NoIndex):
            documents = sum(self._app.stores.engine.count(scope, kind.name) for kind in KINDS)
        if self._app.clock.monotonic() - started > 1:
            raise Late("the index took longer than a second to count its documents")
        return {"documents": documents}

    def _check_vectors(self) -> None:
        if not self._app.stores.index.fits():
            raise Unavailable("the index holds vectors of another model; strata reindex makes it anew")
