"""Spans as the service's contract names them, through the API's own handlers."""

import os
import subprocess
import sys
from typing import cast

import pytest
from opentelemetry import trace

from strata.bootstrap import Overrides
from strata.domain.errors import Unavailable
from strata.ports.table import Table
from support.api import client
from support.memory import Meddled, application, dialogue, observation

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
SECRET = "AKIA" + "Q7WERTYUIOPASDFG"


@pytest.fixture
def app(tmp_path, clock):
    app = application(tmp_path, clock)
    yield app
    app.close()


@pytest.fixture
def api(app, tmp_path):
    with client(app) as api:
        yield api


@pytest.fixture
def spans(spans):
    """The spans of requests, without those of the indexing that follows them."""
    return lambda: tuple(span for span in spans() if span.name != "memory.index")


def attributes(span):
    return dict(span.attributes)


def test_every_operation_has_its_span(api, spans):
    api.post("/sessions", json={"id": "s1", "project": "demo"})
    api.post("/observations", json=observation())
    api.get("/search", params={"q": "wal", "project": "demo"})
    api.get("/context", params={"query": "wal", "project": "demo"})
    api.post("/sessions/s1/end", json={"messages": dialogue("hello")})

    assert [(span.name, attributes(span)["memory.operation"]) for span in spans()] == [
        ("memory.create_session", "create_session"),
        ("memory.add_observation", "add_observation"),
        ("memory.search", "search"),
        ("memory.fetch_context", "fetch_context"),
        ("memory.end_session", "end_session"),
    ]
    assert [attributes(span).get("memory.project") for span in spans()] == ["demo"] * 4 + [None]


@pytest.mark.parametrize(
    ("path", "query", "name", "event"),
    [
        ("/search", "q", "memory.search", "search.result"),
        ("/context", "query", "memory.fetch_context", "context.injected"),
    ],
)
def test_a_retrieval_tells_what_was_asked_and_each_thing_found(api, spans, path, query, name, event):
    saved = [
        api.post("/observations", json=observation(title=title, content=content)).json()["id"]
        for title, content in (("Journal", "SQLite runs in WAL mode"), ("Lunch", "the canteen opens at noon"))
    ]
    asked = {query: "sqlite wal", "project": "demo", "limit": 2}
    api.get(path, params=asked, headers={"X-Request-Id": "req-1"})

    span = spans()[-1]
    assert span.name == name
    assert attributes(span) == {
        "memory.operation": name.removeprefix("memory."),
        "memory.request_id": "req-1",
        "memory.project": "demo",
        "memory.query": "sqlite wal",
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": "sqlite wal",
        "gen_ai.retrieval.document_count": len(span.events),
    }
    assert {each.name for each in span.events} == {event}
    first = dict(span.events[0].attributes)
    assert first["memory.injected.observation_id"] == saved[0]
    assert first["memory.injected.type"] == "decision"
    assert first["memory.injected.title"] == "Journal"
    assert first["memory.injected.method"] == "hybrid"
    ranks = [dict(each.attributes)["memory.injected.rank"] for each in span.events]
    assert ranks == sorted(ranks)


def test_the_ranks_of_a_search_are_those_of_its_answer(api, spans):
    for content in ("SQLite runs in WAL mode", "WAL files are truncated nightly"):
        api.post("/observations", json=observation(content=content))
    hits = api.get("/search", params={"q": "wal", "project": "demo"}).json()

    told = [dict(event.attributes) for event in spans()[-1].events]
    assert [(each["memory.injected.observation_id"], each["memory.injected.rank"]) for each in told] == [
        (hit["id"], hit["rank"]) for hit in hits
    ]


def test_of_very_many_hits_the_best_are_named_and_all_are_counted(api, spans):
    for number in range(140):
        api.post("/observations", json=observation(content=f"WAL file number {number} was truncated"))
    hits = api.get("/search", params={"q": "wal", "project": "demo", "limit": 140}).json()

    span = spans()[-1]
    named = [dict(event.attributes)["memory.injected.observation_id"] for event in span.events]
    assert attributes(span)["gen_ai.retrieval.document_count"] == len(hits) == 140
    assert named == [hit["id"] for hit in hits[:128]]


def test_what_is_injected_for_being_recent_says_so(api, spans):
    api.post("/observations", json=observation())
    api.get("/context", params={"project": "demo"})

    (event,) = spans()[-1].events
    assert dict(event.attributes)["memory.injected.method"] == "recency"


def test_the_callers_trace_goes_on(api, spans):
    api.get("/search", params={"q": "wal"}, headers={"traceparent": TRACEPARENT, "tracestate": "vendor=1"})

    (span,) = spans()
    assert f"{span.context.trace_id:032x}" == TRACE
    assert f"{span.parent.span_id:016x}" == PARENT
    assert span.context.trace_state.get("vendor") == "1"
    assert span.kind is trace.SpanKind.SERVER


@pytest.mark.parametrize("header", ["", "nonsense", f"00-{'0' * 32}-{PARENT}-01", "00-x-y-01"])
def test_a_traceparent_that_is_none_starts_a_trace_of_its_own(api, spans, header):
    assert api.get("/search", params={"q": "wal"}, headers={"traceparent": header}).status_code == 200

    (span,) = spans()
    assert span.parent is None


def test_an_instrumented_handler_keeps_its_place_between_caller_and_operation(api, spans):
    caller = trace.SpanContext(int(TRACE, 16), int(PARENT, 16), True, trace.TraceFlags(1))
    above = trace.set_span_in_context(trace.NonRecordingSpan(caller))
    with trace.get_tracer("test").start_as_current_span("handler", above) as handler:
        api.get("/search", params={"q": "wal"}, headers={"traceparent": TRACEPARENT})

    span = spans()[0]
    assert span.parent.span_id == handler.get_span_context().span_id
    assert span.kind is trace.SpanKind.INTERNAL


def test_a_trace_that_the_instrumentation_did_not_continue_is_continued_here(api, spans):
    with trace.get_tracer("test").start_as_current_span("handler of a trace of its own"):
        api.get("/search", params={"q": "wal"}, headers={"traceparent": TRACEPARENT})

    assert f"{spans()[0].context.trace_id:032x}" == TRACE


def test_the_span_is_current_while_the_service_works_and_not_after(tmp_path, clock, spans):
    seen = []
    app = application(tmp_path, clock)
    table = Meddled(app.stores.table, lambda: seen.append(trace.get_current_span()))
    app = app.with_overrides(table=table)
    with client(app) as api:
        api.post("/observations", json=observation())
    app.close()

    assert [each.get_span_context() for each in seen] == [span.context for span in spans()]
    assert not trace.get_current_span().get_span_context().is_valid


def test_without_the_text_no_word_of_a_user_stands_on_a_span(tmp_path, clock, spans):
    app = application(tmp_path, clock, TRACE_TEXT="false")
    with client(app) as api:
        api.post("/sessions", json={"id": "s1", "project": "demo"})
        api.post("/observations", json=observation(title="quetzal", content="a quetzal sang"))
        api.get("/search", params={"q": "quetzal", "project": "demo"})
        api.get("/context", params={"query": "quetzal", "project": "demo"})
        api.post("/sessions/s1/end", json={"messages": dialogue("a quetzal sang")})
    app.close()

    assert len(spans()) == 5
    assert all("quetzal" not in span.to_json() for span in spans())
    search = spans()[2]
    assert attributes(search)["gen_ai.retrieval.document_count"] == len(search.events) == 1


def test_a_query_is_cut_to_500_characters_after_its_secrets_were_taken_out(api, spans):
    api.get("/search", params={"q": f"{SECRET} " + "wal " * 1000})

    text = attributes(spans()[-1])["memory.query"]
    assert len(text) == 500
    assert SECRET not in text


def failing(tmp_path, clock, error):
    class Failing:
        def get_many(self, scope, keys):
            raise error

        def get(self, scope, key):
            return None

    return client(application(tmp_path, clock, Overrides(table=cast(Table, Failing()))))


def test_an_operation_that_fails_is_an_error_without_its_message(tmp_path, clock, spans):
    with failing(tmp_path, clock, ValueError("cannot read quetzal")) as api:
        assert api.post("/observations", json=observation()).status_code == 500

    (span,) = spans()
    assert span.status.status_code is trace.StatusCode.ERROR
    assert attributes(span)["error.type"] == "ValueError"
    assert "quetzal" not in span.to_json()
    assert not trace.get_current_span().get_span_context().is_valid  # the next request starts anew


def test_a_store_that_is_away_is_an_error_and_a_refusal_is_none(tmp_path, clock, api, spans):
    with failing(tmp_path / "away", clock, Unavailable("the table did not answer")) as away:
        assert away.post("/observations", json=observation()).status_code == 503
    assert api.post("/sessions/unknown/end", json={}).status_code == 404

    failed, refused = spans()
    assert (failed.status.status_code, attributes(failed)["error.type"]) == (
        trace.StatusCode.ERROR,
        "unavailable",
    )
    assert (refused.status.status_code, attributes(refused)["error.type"]) == (
        trace.StatusCode.UNSET,
        "not_found",
    )


def test_a_trace_that_is_not_sampled_costs_no_events(api, spans):
    header = {"traceparent": f"00-{TRACE}-{PARENT}-00"}
    assert api.get("/search", params={"q": "wal"}, headers=header).status_code == 200

    assert spans() == ()


def test_a_cold_start_loads_no_tracing(tmp_path):
    code = (
        "import sys; from strata.bootstrap import application; handlers = application().handlers;"
        "made = [handlers.save(), handlers.search(), handlers.context(), handlers.sessions(),"
        " handlers.session_end(), handlers.indexer(), handlers.health(), handlers.transfer()];"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"STRATA_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"
