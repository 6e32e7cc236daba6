"""The caller's trace goes on in the server."""

import httpx
import pytest
from opentelemetry import baggage, context, trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, TraceState

from strata.client import Client

TRACE = 0x0AF7651916CD43DD8448EB211C80319C
SPAN = 0xB7AD6B7169203331


@pytest.fixture
def sent():
    return []


@pytest.fixture
def transport(sent):
    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json=[])

    return httpx.MockTransport(answer)


def span() -> NonRecordingSpan:
    state = TraceState([("vendor", "x")])
    return NonRecordingSpan(
        SpanContext(TRACE, SPAN, is_remote=False, trace_flags=TraceFlags(1), trace_state=state)
    )


def test_a_request_continues_the_current_span(sent, transport):
    with Client("http://strata.test", transport=transport) as client:
        with trace.use_span(span()):
            client.recent()
        client.recent()
    inside, outside = (request.headers for request in sent)
    assert inside["traceparent"] == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    assert inside["tracestate"] == "vendor=x"
    assert "traceparent" not in outside


def test_baggage_stays_at_home(sent, transport):
    token = context.attach(baggage.set_baggage("user", "ann@example.org"))
    try:
        with Client("http://strata.test", transport=transport) as client, trace.use_span(span()):
            client.recent()
    finally:
        context.detach(token)
    assert "ann" not in str(sent[0].headers)


def test_a_program_may_say_itself_which_trace_goes_on(sent, transport):
    given = {"traceparent": f"00-{TRACE:032x}-{SPAN:016x}-00"}
    client = Client("http://strata.test", transport=transport, trace_context=lambda: given)
    with client, trace.use_span(span()):
        client.recent()
    assert sent[0].headers["traceparent"] == given["traceparent"]
    assert "tracestate" not in sent[0].headers
