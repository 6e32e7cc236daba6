"""OpenTelemetry spans of the operations on memories.

Only the API is used; an exporter is configured elsewhere.

Names: the service's contract; `gen_ai.*` are OpenTelemetry's semantic conventions for generative AI,
`error.type` and the statuses those for HTTP servers.
"""

from collections.abc import Sequence
from typing import Protocol

from opentelemetry import context, trace
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from strata import __version__
from strata.domain.errors import StrataError, Unavailable
from strata.domain.redaction.redact import redact
from strata.domain.retrieval import Method
from strata.domain.text.strings import cut
from strata.entrypoints.observing.invocation import current

MAX_TEXT = 500
"""Characters of a query or title on a span."""
MAX_EVENTS = 128
"""Items named on a span: the SDK's own default limit, past which it would drop the first, the best ones."""


class Retrieved(Protocol):
    """An item of a retrieval, as spans name it."""

    @property
    def id(self) -> int | str:
        """Its id."""

    @property
    def type(self) -> str:
        """Its type."""

    @property
    def title(self) -> str:
        """Its title."""

    @property
    def score(self) -> float:
        """Its score, higher is better."""

    @property
    def method(self) -> Method:
        """The method that found it."""


class Span:
    """The span of one operation, current while it is open.

    Args:
        name: of the span, `memory.<operation>`.
        project: whose memories, when a project is named.
        query: what is looked for; makes the span one of a retrieval.
        with_text: whether words of users (queries, titles) may stand on it.
    """

    def __init__(self, name: str, *, project: str | None, query: str | None, with_text: bool) -> None:
        attributes = {"memory.operation": name.removeprefix("memory.")}
        if project is not None:
            attributes["memory.project"] = project
        if query is not None:
            attributes["gen_ai.operation.name"] = "retrieval"
            if with_text:
                text = _shown(query)
                attributes |= {"memory.query": text, "gen_ai.retrieval.query.text": text}
        invocation = current.get()
        if invocation is not None and invocation.correlation_id:
            attributes["memory.request_id"] = invocation.correlation_id
        parent, nested = _parent()
        self._with_text = with_text
        self._span = trace.get_tracer("strata", __version__).start_span(
            name,
            parent,
            kind=trace.SpanKind.INTERNAL if nested else trace.SpanKind.SERVER,
            attributes=attributes,
        )
        self._token = context.attach(trace.set_span_in_context(self._span, parent))

    def found(self, found: Sequence[Retrieved], event: str) -> None:
        """Record the hits of a retrieval: their number, and one event for each, best first.

        `memory.injected.rank` is the answer's own `rank`: the score with its sign turned.
        """
        if not self._span.is_recording():
            return
        self._span.set_attribute("gen_ai.retrieval.document_count", len(found))
        for hit in found[:MAX_EVENTS]:
            seen: dict[str, str | int | float] = {
                "memory.injected.observation_id": hit.id,
                "memory.injected.type": hit.type,
                "memory.injected.rank": -hit.score,
                "memory.injected.method": hit.method.value,
            }
            if self._with_text:
                seen["memory.injected.title"] = cut(hit.title, MAX_TEXT)
            self._span.add_event(event, seen)

    def followed(self, changes: int, requests: Sequence[str]) -> None:
        """Record the changes that are indexed: their number, and the requests that made them."""
        self._span.set_attribute("memory.changes", changes)
        self._span.set_attribute("memory.request_ids", list(requests[:MAX_EVENTS]))

    def end(self, error: BaseException | None) -> None:
        """Close the span. An error is named by its code; its message might quote a user."""
        if error is not None:
            code = error.code if isinstance(error, StrataError) else type(error).__name__
            self._span.set_attribute("error.type", code)
            if isinstance(error, Unavailable) or not isinstance(error, StrataError):
                self._span.set_status(trace.StatusCode.ERROR, code)
        context.detach(self._token)
        self._span.end()


def _shown(query: str) -> str:
    text, _ = redact(query)
    return cut(text, MAX_TEXT)


def _parent() -> tuple[context.Context, bool]:
    """The parent of the span, and whether it is a span of this process.

    The caller's `traceparent`, so that an agent's trace goes on here; or the current span, when somebody
    instruments the handlers and it belongs to the same trace, or there is no traceparent.
    """
    here = context.get_current()
    active = trace.get_current_span(here).get_span_context()
    invocation = current.get()
    headers = {
        name: value
        for name in ("traceparent", "tracestate")
        if invocation is not None and (value := invocation.header(name)) is not None
    }
    # from an empty context, so that a header that says nothing is told from one that says the active span
    caller = TraceContextTextMapPropagator().extract(headers, context=context.Context())
    sent = trace.get_current_span(caller).get_span_context()
    if active.is_valid and (not sent.is_valid or sent.trace_id == active.trace_id):
        return here, True
    return (trace.set_span_in_context(trace.get_current_span(caller), here) if sent.is_valid else here), False
