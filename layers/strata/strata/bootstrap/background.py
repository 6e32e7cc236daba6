"""The handlers that nobody waits for: the stream's, the queues', the schedule's."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.bootstrap.maintenance import MaintenanceServices

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from strata.entrypoints.observing import Observing


class Background(MaintenanceServices):
    """Entry points over the services; what they say of themselves goes through `observing`."""

    @cached_property
    def observing(self) -> "Observing":
        """What the handlers say of themselves. Log lines become JSON here where they shall be."""
        from strata.entrypoints.observing import Observing

        metrics = None
        if self.settings.log_format == "json":
            from strata.entrypoints.observing import logs

            logs.set_up(self.settings.log_format, self.settings.log_level)
        if self.settings.metrics == "emf":
            from strata.entrypoints.observing.metrics import Metrics

            metrics = Metrics(self.settings.stage)
        return Observing(self.clock, metrics, trace_text=self.settings.trace_text)

    def indexer_handler(self) -> "Callable[..., dict[str, Any]]":
        """functions/indexer."""
        from strata.entrypoints.indexer import stream_handler
        from strata.services.facts.orders import EXTRACTION
        from strata.services.orders.dispatch import Dispatch
        from strata.services.stream.follow_up import FollowUp

        settling = FollowUp(self.totals, self.freshness)
        extractions = Dispatch(self.table, EXTRACTION, self.queue("extraction"))
        # what only sends comes first: it shall not wait for an index or an embedder that is away
        consumers = [
            self.erasures.follow,
            extractions.follow,
            self.consents.follow,
            self.indexing.follow,
            settling.settle,
            self.event_totals.follow,
            self.marks.follow,
        ]
        return stream_handler(consumers, self.redrive_queue, self.observing)

    def extraction_handler(self) -> "Callable[..., dict[str, Any]]":
        """functions/extraction."""
        from strata.domain.scope import Scope
        from strata.entrypoints.queue import queue_handler

        def work(message: "Mapping[str, Any]") -> None:
            self.extraction.run(Scope(message["tenant"]), message["session_id"])

        return queue_handler(work, self.observing)

    def erasure_handler(self) -> "Callable[..., dict[str, Any]]":
        """functions/erasure."""
        from strata.entrypoints.erasure import erasure_handler

        return erasure_handler(self.erasing, self.queue("erasure"), self.observing)

    def sweep_handler(self) -> "Callable[..., dict[str, Any]]":
        """functions/sweep."""
        from strata.entrypoints.sweep import sweep_handler

        return sweep_handler(self.sweeping, self.observing)
