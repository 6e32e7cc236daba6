"""An operation on memories: its name, latency and outcome."""

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from strata.entrypoints.observing.metrics import Metrics
    from strata.entrypoints.observing.spans import Retrieved, Span
    from strata.ports.clock import Clock

Name = Literal["fetch_context", "search", "add_observation", "create_session", "end_session", "index"]

LATENCY: dict[str, str] = {
    "add_observation": "SaveLatency",
    "search": "SearchLatency",
    "fetch_context": "ContextLatency",
}
EVENT: dict[str, str] = {"search": "search.result", "fetch_context": "context.injected"}
SAVES = {
    "created": "SavesCreated",
    "updated": "SavesUpdated",
    "deduplicated": "SavesDeduplicated",
    "skipped": "SavesSkipped",
}


class Operation:
    """An operation that is not observed."""

    is_traced = False
    """Whether it has a span."""

    def __enter__(self) -> "Operation":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Done."""

    def saved(self, action: str) -> None:
        """Record the deduplication tier of a save."""

    def found(self, found: "Sequence[Retrieved]", *, degraded: bool) -> None:
        """Record the hits of a retrieval, and whether the index was unavailable."""

    def followed(self, changes: int, requests: Sequence[str]) -> None:
        """Record how many changes are indexed, and the requests that made them."""


UNSEEN = Operation()


class ObservedOperation(Operation):
    """An operation that is measured, traced, or both."""

    def __init__(self, name: Name, clock: "Clock", metrics: "Metrics | None", span: "Span | None") -> None:
        self._name = name
        self._clock = clock
        self._metrics = metrics
        self._span = span
        self.is_traced = span is not None
        self._started = clock.monotonic()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the span; a failure has no latency."""
        if self._span is not None:
            self._span.end(error)
        if self._metrics is not None and error is None and self._name in LATENCY:
            self._metrics.milliseconds(LATENCY[self._name], (self._clock.monotonic() - self._started) * 1000)

    def saved(self, action: str) -> None:
        """Count the save under its tier."""
        if self._metrics is not None:
            self._metrics.count("Saves")
            self._metrics.count(SAVES[action])

    def found(self, found: "Sequence[Retrieved]", *, degraded: bool) -> None:
        """Count degraded retrievals; add each item to the span."""
        if self._metrics is not None:
            self._metrics.count("Degraded", int(degraded))
        if self._span is not None:
            self._span.found(found, EVENT[self._name])

    def followed(self, changes: int, requests: Sequence[str]) -> None:
        """Name the requests on the span."""
        if self._span is not None:
            self._span.followed(changes, requests)
