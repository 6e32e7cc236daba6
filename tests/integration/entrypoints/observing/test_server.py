"""The telemetry of a real server: its spans reach a collector, its log holds nobody's words."""

import gzip
import http.client
import json
from urllib.parse import urlsplit

import pytest
from benchmarks.server import SERVE, start
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from support.http_server import Answering, listening
from support.memory import observation

MARK = "quetzal"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture
def collector():
    """An OTLP collector: its URL, and what it was sent."""
    sent: list[ExportTraceServiceRequest] = []

    class Collecting(Answering):
        def do_POST(self):
            body = self.body()
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            sent.append(ExportTraceServiceRequest.FromString(body))
            self.tell(200, {}, b"")

    with listening(Collecting) as url:
        yield url, sent


def ask(url, method, path, body=None, **headers):
    connection = http.client.HTTPConnection(urlsplit(url).hostname, urlsplit(url).port, timeout=10)
    payload = json.dumps(body).encode() if body is not None else None
    connection.request(method, path, payload, {"Content-Type": "application/json"} | headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def test_spans_of_a_server_reach_a_collector_by_the_standard_variables(tmp_path, collector, monkeypatch):
    url, sent = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "memory-of-ann")
    server = start(tmp_path, SERVE)
    try:
        traceparent = f"00-{TRACE}-00f067aa0ba902b7-01"
        assert ask(server.url, "POST", "/observations", observation(), traceparent=traceparent) == 201
        assert ask(server.url, "GET", "/search?q=wal&project=demo", traceparent=traceparent) == 200
    finally:
        server.stop()  # what was not sent yet is sent before the end

    resources = [each for request in sent for each in request.resource_spans]
    spans = [span for each in resources for scope in each.scope_spans for span in scope.spans]
    requests = [span for span in spans if span.name != "memory.index"]  # the indexer's has no caller
    assert {span.name for span in requests} == {"memory.add_observation", "memory.search"}
    assert {span.trace_id.hex() for span in requests} == {TRACE}
    names = {attribute.key: attribute.value.string_value for attribute in resources[0].resource.attributes}
    assert names["service.name"] == "memory-of-ann"


@pytest.mark.parametrize("style", ["text", "json"])
def test_a_server_that_logs_everything_logs_nobodys_words(tmp_path, style):
    settings = {"LOG_LEVEL": "DEBUG", "LOG_FORMAT": style, "METRICS": "emf"}
    command = ("sh", "-c", f'exec "$0" "$@" 2>{tmp_path}/errors', *SERVE)
    server = start(tmp_path / "data", command, **settings)
    try:
        body = observation(title=MARK, content=f"{MARK} password={MARK}{MARK}", user_id=f"{MARK}@example.org")
        key = {"Authorization": f"Bearer strata_1_{MARK}"}
        assert ask(server.url, "POST", "/observations", body, **key) == 201
        assert ask(server.url, "POST", "/observations", body | {"title": ""}, **key) == 400
        assert ask(server.url, "GET", f"/search?q={MARK}", **key) == 200
        assert ask(server.url, "GET", f"/nothing/{MARK}", **key) == 404
    finally:
        server.process.terminate()
        said, _ = server.process.communicate(timeout=30)

    said += (tmp_path / "errors").read_text()
    assert "POST /observations answered 201" in said
    assert '"SavesCreated":[1.0]' in said
    assert MARK not in said
