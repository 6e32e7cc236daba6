"""Counts and times, in CloudWatch's embedded metric format."""

import json

import pytest

from strata.domain.errors import Unavailable
from strata.entrypoints.observing.metrics import Metrics
from strata.local.http.messages import Request, to_event
from strata.local.template.functions import LambdaContext
from strata.ports.rows import Key
from strata.services.records.observations import change_note_key
from support.memory import application, observation, record

SAVE, SEARCH, CONTEXT, INDEXER = (
    LambdaContext(name, "1") for name in ("save", "search", "context", "indexer")
)


@pytest.fixture
def app(tmp_path, clock):
    app = application(tmp_path, clock, METRICS="emf", STAGE="prod")
    yield app
    app.close()


@pytest.fixture
def emitted(capsys):
    """The lines since the last call."""
    return lambda: [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def post(path, body):
    request = Request(
        "POST", path, headers=[("content-type", "application/json")], body=json.dumps(body).encode()
    )
    return to_event(request, f"POST {path}", {}, "r1")


def get(path, query):
    return to_event(Request("GET", path, query), f"GET {path}", {}, "r1")


def test_each_save_is_counted_under_its_tier_and_timed(app, emitted):
    handle = app.handlers.save()
    topic = observation(content="a second one", topic_key="t1")
    for body in (observation(), observation(), topic, topic | {"content": "its new words"}):
        assert handle(post("/observations", body), SAVE)["statusCode"] == 201

    lines = emitted()
    tiers = ["SavesCreated", "SavesDeduplicated", "SavesCreated", "SavesUpdated"]
    for line, tier in zip(lines, tiers, strict=True):
        (described,) = line["_aws"]["CloudWatchMetrics"]
        assert {metric["Name"]: metric["Unit"] for metric in described["Metrics"]} == {
            "Saves": "Count",
            tier: "Count",
            "SaveLatency": "Milliseconds",
        }
        assert (line["Saves"], line[tier]) == ([1.0], [1.0])
        assert line["SaveLatency"][0] > 0


def test_the_dimensions_are_function_and_stage_alone_whatever_the_service_is_called(
    app, emitted, monkeypatch
):
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "another")
    app.handlers.save()(post("/observations", observation()), SAVE)

    (line,) = emitted()
    (described,) = line["_aws"]["CloudWatchMetrics"]
    assert described["Namespace"] == "Strata"
    assert described["Dimensions"] == [["function", "stage"]]
    assert (line["function"], line["stage"]) == ("save", "prod")
    assert "local" not in json.dumps(line)  # the tenant
    assert "demo" not in json.dumps(line)


@pytest.mark.parametrize(
    ("name", "path", "query", "latency"),
    [("search", "/search", "q=wal", "SearchLatency"), ("context", "/context", "query=wal", "ContextLatency")],
)
def test_a_retrieval_is_timed_and_says_whether_it_was_degraded(app, emitted, name, path, query, latency):
    getattr(app.handlers, name)()(get(path, f"{query}&project=demo"), LambdaContext(name, "1"))
    (healthy,) = emitted()

    class Away:
        def search(self, scope, query):
            raise Unavailable("gone")

        def fits(self):
            return True

    away = app.with_overrides(index=Away())
    getattr(away.handlers, name)()(get(path, f"{query}&project=demo"), LambdaContext(name, "2"))
    (degraded,) = emitted()

    assert healthy[latency][0] > 0
    assert (healthy["Degraded"], degraded["Degraded"]) == ([0.0], [1.0])


def test_what_is_refused_or_measures_nothing_emits_nothing(app, emitted):
    assert app.handlers.save()(post("/observations", {}), SAVE)["statusCode"] == 400
    assert app.handlers.search()(get("/observations/recent", ""), SEARCH)["statusCode"] == 200

    assert emitted() == []


def test_what_fails_has_no_latency(app, emitted):
    class Failing:
        def get_many(self, scope, keys):
            raise Unavailable("the store is away")

        def get(self, scope, key):
            return None

    app = app.with_overrides(table=Failing())
    assert app.handlers.save()(post("/observations", observation()), SAVE)["statusCode"] == 503

    assert emitted() == []


def test_the_index_lag_is_the_age_of_the_oldest_change_in_the_batch(app, clock, emitted):
    now = clock.us
    notes = [change_note_key("PROJECT#demo", "demo", 7, now - ago) for ago in (1_000_000, 5_000_000, 0)]
    app.handlers.indexer()({"Records": [record("local", key) for key in notes]}, INDEXER)

    (line,) = emitted()
    assert line["IndexLag"][0] == pytest.approx(5000, abs=1)
    assert line["RecordsNotDigested"] == [0.0]


def test_changes_that_are_not_processed_are_counted(app, emitted):
    class Failing:
        def write(self, scope, documents, gone=()):
            raise ValueError("no")

    app = app.with_overrides(index=Failing())
    keys = [Key("PROJECT#demo", f"OBS#{number:016d}") for number in (1, 2)]
    app.handlers.indexer()({"Records": [record("local", key) for key in keys]}, INDEXER)

    (line,) = emitted()
    assert line["RecordsNotDigested"] == [2.0]
    assert "IndexLag" not in line


def test_one_machine_emits_nothing_by_default(tmp_path, emitted):
    app = application(tmp_path)
    app.handlers.save()(post("/observations", observation()), SAVE)
    app.close()

    assert emitted() == []


def test_a_line_holds_its_own_invocation_only(capsys):
    metrics = Metrics("prod")
    metrics.count("Saves")
    metrics.flush("save")
    metrics.count("Degraded", 0)
    metrics.flush("search")

    _, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert "Saves" not in second
    assert second["function"] == "search"
