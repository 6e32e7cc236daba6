"""The span of one tool call, or a stand-in where OpenTelemetry is not installed.

Names are those of AgentOps's runtime (`tool.execute: …`, `hook.…`) and of Strata's own spans
(`search.result`, `memory.injected.*`); `gen_ai.*` and `error.type` are OpenTelemetry's conventions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from strata.domain.wire.observations import SearchHit

MAX_TEXT = 500
"""Characters of a query or title on a span."""

Attribute = str | int | float | bool


class ToolSpan(Protocol):
    """Attributes and events of one tool call."""

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make this span the parent of spans started inside."""

    def event(self, name: str, attributes: Mapping[str, Attribute | None], /, **texts: str) -> None:
        """Add an event; `texts` are left out where users' texts are not allowed."""

    def found(self, hits: Sequence[SearchHit]) -> None:
        """Add one event for each item, best first."""

    def end(self, error: BaseException | None) -> None:
        """Close the span. An error is named by its type; its message might quote a user."""


def tool_span(tool: str, *, with_text: bool) -> ToolSpan:
    """Start the span of a call."""
    trace = tracing_api()
    return UNSEEN if trace is None else _Seen(trace, tool, with_text)


@cache
def tracing_api() -> ModuleType | None:
    """OpenTelemetry's API, or None where it is not installed."""
    try:
        from opentelemetry import trace  # noqa: PLC0415 - the client does not need it
    except ImportError:
        return None
    return trace


class _Unseen:
    @contextmanager
    def current(self) -> Iterator[None]:
        yield

    def event(self, name: str, attributes: Mapping[str, Attribute | None], /, **texts: str) -> None:
        pass

    def found(self, hits: Sequence[SearchHit]) -> None:
        pass

    def end(self, error: BaseException | None) -> None:
        pass


UNSEEN = _Unseen()


class _Seen:
    def __init__(self, trace: Any, tool: str, with_text: bool) -> None:
        self._trace = trace
        self._with_text = with_text
        attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool}
        self._span = trace.get_tracer("strata.client").start_span(
            f"tool.execute: {tool}", attributes=attributes
        )

    @contextmanager
    def current(self) -> Iterator[None]:
        with self._trace.use_span(self._span, record_exception=False, set_status_on_exception=False):
            yield

    def event(self, name: str, attributes: Mapping[str, Attribute | None], /, **texts: str) -> None:
        given = {key: value for key, value in attributes.items() if value is not None}
        if self._with_text:
            given |= {key: text[:MAX_TEXT] for key, text in texts.items()}
        self._span.add_event(name, given)

    def found(self, hits: Sequence[SearchHit]) -> None:
        for hit in hits:
            seen: dict[str, Attribute] = {
                "memory.injected.observation_id": hit.id,
                "memory.injected.type": hit.type,
                "memory.injected.rank": hit.rank,
                "memory.injected.method": str(hit.method),
            }
            if self._with_text:
                seen["memory.injected.title"] = hit.title[:MAX_TEXT]
            self._span.add_event("search.result", seen)

    def end(self, error: BaseException | None) -> None:
        if error is not None:
            name = type(error).__name__
            self._span.set_attribute("error.type", name)
            self._span.set_status(self._trace.StatusCode.ERROR, name)
        self._span.end()
