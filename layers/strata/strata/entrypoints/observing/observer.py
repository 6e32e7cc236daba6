"""The observer that entry points use.

A span is made only where OpenTelemetry is loaded: by the ADOT layer's wrapper, by the local server with an
OTLP endpoint, by an application around the handlers. Elsewhere nobody would export it, and a cold start saves
the import (2 ms).
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from strata.domain.requests import request_id
from strata.entrypoints.observing.invocation import Invocation, current
from strata.entrypoints.observing.operations import UNSEEN, Name, ObservedOperation, Operation

if TYPE_CHECKING:
    from strata.entrypoints.observing.metrics import Metrics
    from strata.ports.clock import Clock

Result = TypeVar("Result")


class Observing:
    """Observes the handlers of one process.

    Args:
        metrics: collects metrics; None for none.
        trace_text: whether spans carry queries and titles.
    """

    def __init__(self, clock: "Clock", metrics: "Metrics | None" = None, *, trace_text: bool = True) -> None:
        self._clock = clock
        self._metrics = metrics
        self._trace_text = trace_text
        self._cold = True

    @contextmanager
    def invocation(self, event: Mapping[str, Any], context: Any) -> Iterator[None]:
        """Observe the handling of one event; metrics are written at its end."""
        invocation = Invocation(event, context, self._cold)
        self._cold = False
        token, request = current.set(invocation), request_id.set(invocation.correlation_id)
        try:
            yield
        finally:
            if self._metrics is not None:
                self._metrics.flush(invocation.function or "local")
            request_id.reset(request)
            current.reset(token)

    def around(self, handler: Callable[[Mapping[str, Any], Any], Result]) -> Callable[..., Result]:
        """Wrap a handler that has no operation of its own, so that its log lines name the request."""

        def handle(event: Mapping[str, Any], context: Any) -> Result:
            with self.invocation(event, context):
                return handler(event, context)

        return handle

    def operation(self, name: Name, *, project: str | None = None, query: str | None = None) -> Operation:
        """Observe a service call: its latency, and a span `memory.<name>`."""
        traced = "opentelemetry.trace" in sys.modules
        if self._metrics is None and not traced:
            return UNSEEN
        span = None
        if traced:
            from strata.entrypoints.observing.spans import Span  # noqa: PLC0415 - see above

            span = Span(f"memory.{name}", project=project, query=query, with_text=self._trace_text)
        return ObservedOperation(name, self._clock, self._metrics, span)

    def guarded(self, deferred: str) -> None:
        """Record whether background work could be done, or why it was put off, under agtOS's names."""
        if self._metrics is not None:
            self._metrics.count("agtos_background_work_safe", 0 if deferred else 1)
            if deferred:
                self._metrics.count(f"agtos_resource_guard_defer_count_total_{deferred}")

    def indexed(self, failed: int, changed_at: Iterable[int | None]) -> None:
        """Record the outcome of a batch of the indexer.

        Args:
            failed: the number of failed changes.
            changed_at: the times of the changes in microseconds, as far as they are known.
        """
        if self._metrics is None:
            return
        self._metrics.count("RecordsNotDigested", failed)
        oldest = min((at for at in changed_at if at is not None), default=None)
        if oldest is not None:
            self._metrics.milliseconds("IndexLag", max(0, self._clock.now_us() - oldest) / 1000)
