"""What entry points hold in their hands.

A span is made only where somebody has loaded OpenTelemetry: the ADOT layer's wrapper, the local server
when an OTLP endpoint is set, an application round the handlers. Anywhere else nobody would export it, and a
cold start saves the import (2 ms).
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from strata.entrypoints.observing.invocation import Invocation, current
from strata.entrypoints.observing.operations import UNSEEN, Name, ObservedOperation, Operation

if TYPE_CHECKING:
    from strata.entrypoints.observing.metrics import Metrics
    from strata.ports import Clock

Answer = TypeVar("Answer")


class Observing:
    """Watches over the handlers of one process.

    Args:
        clock: the time.
        metrics: collects metrics; None where nobody reads them.
        trace_text: whether spans carry queries and titles.
    """

    def __init__(self, clock: "Clock", metrics: "Metrics | None" = None, *, trace_text: bool = True) -> None:
        self._clock = clock
        self._metrics = metrics
        self._trace_text = trace_text
        self._cold = True

    @contextmanager
    def invocation(self, event: Mapping[str, Any], context: Any) -> Iterator[None]:
        """Round the handling of one event; what was measured goes out at its end."""
        invocation = Invocation(event, context, self._cold)
        self._cold = False
        token = current.set(invocation)
        try:
            yield
        finally:
            if self._metrics is not None:
                self._metrics.flush(invocation.function or "local")
            current.reset(token)

    def around(self, handler: Callable[[Mapping[str, Any], Any], Answer]) -> Callable[..., Answer]:
        """A handler that has no operation of its own, with its log lines told apart by request."""

        def handle(event: Mapping[str, Any], context: Any) -> Answer:
            with self.invocation(event, context):
                return handler(event, context)

        return handle

    def operation(self, name: Name, *, project: str | None = None, query: str | None = None) -> Operation:
        """Round a service call: a latency, and a span `memory.<name>`."""
        traced = "opentelemetry.trace" in sys.modules
        if self._metrics is None and not traced:
            return UNSEEN
        span = None
        if traced:
            from strata.entrypoints.observing.spans import Span  # noqa: PLC0415 - see above

            span = Span(f"memory.{name}", project=project, query=query, with_text=self._trace_text)
        return ObservedOperation(name, self._metrics, span)

    def indexed(self, failed: int, changed_at: Iterable[int | None]) -> None:
        """What the indexer made of a batch.

        Args:
            failed: the number of changes that failed.
            changed_at: when those of the batch were made, in microseconds, as far as that is known.
        """
        if self._metrics is None:
            return
        self._metrics.count("RecordsNotDigested", failed)
        oldest = min((at for at in changed_at if at is not None), default=None)
        if oldest is not None:
            self._metrics.milliseconds("IndexLag", max(0, self._clock.now_us() - oldest) / 1000)
