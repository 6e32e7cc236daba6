"""The adapter's handling of an engine that fails, hangs, is full, or is no OpenSearch at all."""

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from strata.adapters.circuit import Circuit
from strata.adapters.opensearch.bulk import CHUNK_DOCUMENTS, Bulk, Operation
from strata.adapters.opensearch.connection import Connection
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.errors import UnusableEndpoint
from strata.adapters.opensearch.mapping import FIRST_MODEL
from strata.adapters.opensearch.search_index import OpenSearchIndex
from strata.domain.errors import Throttled, Unavailable
from strata.domain.faults import reason
from strata.domain.scope import Scope
from strata.ports.language import EmbeddingModel
from strata.ports.search import Document, DocumentsRefused, NoIndex, SearchQuery
from support.scripted_engine import DRIP, HANG, HANG_UP, Asked, ScriptedEngine, scripted_engine

SCOPE = Scope("acme")
QUERY = SearchQuery("k", ("needle",))
NO_HITS = {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": []}}
ONE_HIT = NO_HITS | {
    "hits": {
        "hits": [
            {
                "_id": "1",
                "_score": 1.5,
                "_source": {
                    "key": "found",
                    "memory": {
                        "title": "t",
                        "text": "needle",
                        "keywords": "",
                        "order": 1,
                        "session_id": None,
                        "previous": None,
                        "fields": {},
                    },
                },
            }
        ]
    }
}


@pytest.fixture
def engine() -> Iterator[ScriptedEngine]:
    with scripted_engine() as engine:
        yield engine


@pytest.fixture
def index(engine: ScriptedEngine) -> Iterator[OpenSearchIndex]:
    with closing(opened(engine.url)) as index:
        yield index


def opened(url: str, *, pause: float = 0, **options: Any) -> OpenSearchIndex:
    return OpenSearchIndex(
        Connection(url, pause=pause),
        lambda: EmbeddingModel(FIRST_MODEL, 4),
        **{"search_seconds": 0.3, "write_seconds": 0.6, **options},
    )


def written(asked: Asked, **outcomes: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """The answer to a bulk request; `outcomes` by the document's key, 201 for all others."""
    items = []
    lines = iter(asked.lines)
    for action in lines:
        ((operation, _about),) = action.items()
        key = next(lines)["key"] if operation == "index" else ""
        items.append({operation: outcomes.get(key, {"status": 201})})
    return 200, {"errors": bool(outcomes), "items": items}


def failing(status: int, kind: str, reason: str = "r", **more: Any) -> dict[str, Any]:
    return {"status": status, "error": {"type": kind, "reason": reason, **more}}


def alias_there(asked: Asked) -> tuple[int, dict[str, Any]] | None:
    return (200, {"strata-v1": {}}) if asked.path == "/_alias/strata" else None


# --- writes

FULL = failing(429, "rejected_execution_exception")
UNFIT = failing(400, "mapper_parsing_exception", "failed to parse", caused_by={"reason": "no such number"})


def test_a_refused_document_is_named_after_the_others_were_written(
    engine: ScriptedEngine, index: OpenSearchIndex
) -> None:
    engine.answer = lambda asked: alias_there(asked) or written(asked, bad=UNFIT)
    with pytest.raises(DocumentsRefused) as raised:
        index.write(SCOPE, [Document(key, "k", "", "") for key in ("a", "bad", "b")], ["gone"])
    assert raised.value.reasons == {"bad": "mapper_parsing_exception: no such number"}
    assert len(engine.asked[-1].lines) == 7


def test_only_what_the_engine_had_no_room_for_is_sent_again(
    engine: ScriptedEngine, index: OpenSearchIndex
) -> None:
    bulks: list[list[str]] = []

    def answer(asked: Asked) -> Any:
        if there := alias_there(asked):
            return there
        bulks.append([line["key"] for line in asked.lines if "key" in line])
        if len(bulks) == 1:
            return written(asked, full=FULL, moving=failing(503, "unavailable_shards_exception"), bad=UNFIT)
        return (429, {"error": "later", "status": 429}) if len(bulks) == 2 else written(asked)

    engine.answer = answer
    with pytest.raises(DocumentsRefused, match="bad"):
        index.write(SCOPE, [Document(key, "k", "", "") for key in ("a", "full", "bad", "moving")])
    assert bulks == [["a", "full", "bad", "moving"], ["full", "moving"], ["full", "moving"]]


BLOCKED = failing(
    403, "cluster_block_exception", "index [strata-v1] blocked by: [FORBIDDEN/8/index write (api)];"
)
FLOODED = failing(
    429,
    "cluster_block_exception",
    "index [strata-v1] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has"
    " read-only-allow-delete block];",
)
CLOSED = failing(400, "index_closed_exception", "closed")
FORBIDDEN = failing(403, "security_exception", "no permissions for [indices:data/write/bulk[s]]")


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (BLOCKED, "blocked: lift its block"),
        (FLOODED, "disk is nearly full"),
        (CLOSED, "is closed: open it"),
    ],
    ids=str,
)
def test_a_write_that_the_state_of_the_index_refuses_waits_and_is_no_documents_fault(
    engine: ScriptedEngine, index: OpenSearchIndex, outcome: dict[str, Any], told: str
) -> None:
    engine.answer = lambda asked: alias_there(asked) or written(asked, a=outcome, b=outcome, bad=UNFIT)
    with pytest.raises(Unavailable, match=told):
        index.write(SCOPE, [Document(key, "k", "", "") for key in ("bad", "a", "b")])
    assert len(engine.asked) == 1  # no pause would help


def test_what_was_refused_before_a_write_fails_is_told_in_the_log_without_its_words(
    engine: ScriptedEngine, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(asked: Asked) -> Any:
        return alias_there(asked) or written(asked, bad=UNFIT, a=BLOCKED, worse=UNFIT)

    engine.answer = answer
    with closing(opened(engine.url, write_seconds=30)) as index:
        filling = [Document(str(n), "k", "", "") for n in range(CHUNK_DOCUMENTS - 1)]
        documents = [Document("bad", "k", "", ""), *filling]  # a request of its own
        with pytest.raises(Unavailable, match="blocked: lift its block"):
            index.write(SCOPE, [*documents, Document("a", "k", "", ""), Document("worse", "k", "", "")])
    (record,) = [each for each in caplog.records if each.name.startswith("strata.")]
    assert record.getMessage().startswith("2 documents of a write that fails are refused, too: ")
    assert "mapper_parsing_exception" in record.getMessage()
    assert "no such number" not in record.getMessage()


@pytest.mark.parametrize("outcome", [FORBIDDEN, failing(401, "security_exception")], ids=str)
def test_credentials_are_to_blame_where_every_document_of_a_request_is_denied(
    engine: ScriptedEngine, index: OpenSearchIndex, outcome: dict[str, Any]
) -> None:
    engine.answer = lambda asked: alias_there(asked) or written(asked, a=outcome, b=outcome)
    two = [Document(key, "k", "", "") for key in ("a", "b")]
    with pytest.raises(UnusableEndpoint, match="refuses these credentials"):
        index.write(SCOPE, two)
    with pytest.raises(DocumentsRefused) as raised:
        index.write(SCOPE, [*two, Document("c", "k", "", "")])
    assert set(raised.value.reasons) == {"a", "b"}
    with pytest.raises(DocumentsRefused, match="security_exception"):
        index.write(SCOPE, two[:1])  # alone, as a batch that failed is split
    index.write(SCOPE, [Document("c", "k", "", "")])


def test_a_block_of_reads_is_told_as_one(engine: ScriptedEngine, index: OpenSearchIndex) -> None:
    block = {"error": {"type": "cluster_block_exception", "reason": "blocked by: [FORBIDDEN/7/index read]"}}
    for answer in ((403, block | {"status": 403}), (200, {"responses": [block | {"status": 403}]})):
        engine.answer = lambda asked, answer=answer: answer  # type: ignore[misc]
        with pytest.raises(Unavailable, match="blocked: lift its block"):
            index.search(SCOPE, QUERY)


def test_a_refusal_names_the_kinds_of_its_errors_and_quotes_nothing() -> None:
    refused = DocumentsRefused({"a": "mapper_parsing_exception: can't parse [heron]", "b": "x_exception: b"})
    assert refused.kind == "mapper_parsing_exception, x_exception"
    assert reason(refused) == "DocumentsRefused (mapper_parsing_exception, x_exception)"
    assert reason(DocumentsRefused({"a": "no heron here"})) == "DocumentsRefused"


def test_an_engine_that_stays_full_is_told_of_when_time_is_up(
    engine: ScriptedEngine, index: OpenSearchIndex
) -> None:
    engine.answer = lambda asked: alias_there(asked) or written(asked, a=FULL)
    with pytest.raises(Throttled):
        index.write(SCOPE, [Document("a", "k", "", "")])


class FullEngine(Connection):
    """Refuses every document for want of room, in no time at all."""

    def __init__(self) -> None:
        super().__init__("http://localhost")
        self.asked = 0

    def request(self, *_: Any, **__: Any) -> Any:
        self.asked += 1
        return {"errors": True, "items": [{"index": FULL}]}


def test_pauses_between_tries_grow_and_end_with_the_time() -> None:
    now, pauses = [0.0], []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    engine = FullEngine()
    bulk = Bulk(engine, Dialect(), seconds=10, clock=lambda: now[0], sleep=sleep)
    with pytest.raises(Throttled):
        bulk.send("strata", "acme", [Operation("a", "1", {"key": "a"})])
    assert sum(pauses) < 10
    assert pauses[0] <= 0.1
    assert max(pauses) > 0.5
    assert engine.asked == len(pauses) + 1


def test_a_large_write_goes_in_parts(engine: ScriptedEngine) -> None:
    engine.answer = lambda asked: alias_there(asked) or written(asked)
    with closing(opened(engine.url, write_seconds=30)) as index:
        index.write(SCOPE, [Document(str(n), "k", "", "x" * 100_000) for n in range(90)])
    bulks = [asked for asked in engine.asked if "_bulk" in asked.path]
    assert len(bulks) > 2
    assert sum(len(asked.lines) for asked in bulks) == 180


def test_a_write_into_a_lost_index_makes_none(engine: ScriptedEngine, index: OpenSearchIndex) -> None:
    engine.answer = lambda asked: (404, {"error": {"type": "index_not_found_exception"}, "status": 404})
    with pytest.raises(NoIndex, match="strata reindex"):
        index.write(SCOPE, [Document("a", "k", "", "")])
    assert [each.method for each in engine.asked] == ["POST"]
    assert "require_alias=true" in engine.asked[0].path


def test_a_collection_is_asked_for_its_alias_before_a_write_could_make_an_index_of_that_name(
    engine: ScriptedEngine,
) -> None:
    engine.answer = lambda asked: (404, {"error": "none"})
    with closing(opened(engine.url, dialect=Dialect.nextgen())) as index, pytest.raises(NoIndex):
        index.write(SCOPE, [Document("a", "k", "", "")])
    assert engine.paths() == ["GET /_alias/strata"]


# --- searches


@pytest.mark.parametrize("trouble", [HANG, DRIP], ids=["hangs", "drips"])
def test_a_hanging_engine_costs_one_wait_and_then_none(engine: ScriptedEngine, trouble: object) -> None:
    engine.answer = lambda asked: trouble
    started = time.monotonic()
    with closing(opened(engine.url, pause=60)) as index:
        for _ in range(5):
            with pytest.raises(Unavailable):
                index.search(SCOPE, QUERY)
        with pytest.raises(Unavailable):
            index.write(SCOPE, [Document("a", "k", "", "")])
    assert len(engine.asked) == 1
    assert time.monotonic() - started < 2


def test_searches_go_on_once_the_engine_answers_again(engine: ScriptedEngine, index: OpenSearchIndex) -> None:
    engine.answer = lambda asked: HANG
    with pytest.raises(Unavailable):
        index.search(SCOPE, QUERY)
    engine.answer = lambda asked: (200, {"responses": [ONE_HIT]})
    assert [each.key for each in index.search(SCOPE, QUERY)] == ["found"]


def test_nobody_there_is_unavailable() -> None:
    with scripted_engine() as gone:
        url = gone.url
    with closing(opened(url)) as index, pytest.raises(Unavailable, match="cannot be reached"):
        index.search(SCOPE, QUERY)


def test_a_connection_that_was_closed_meanwhile_is_opened_again(
    engine: ScriptedEngine, index: OpenSearchIndex
) -> None:
    told = iter([(200, {"responses": [ONE_HIT]}), HANG_UP, (200, {"responses": [ONE_HIT]})])
    engine.answer = lambda asked: next(told)
    for _ in range(2):
        assert [each.key for each in index.search(SCOPE, QUERY)] == ["found"]


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"<html>welcome</html>"),
        (200, b'{"responses": ['),
        (200, b"\xff\xfe"),
        (200, []),
        (200, {}),
        (200, {"responses": []}),
        (200, {"responses": [None]}),
        (200, {"responses": [{"hits": {"hits": [{}]}}]}),
        (200, {"responses": [{**ONE_HIT, "hits": {"hits": [{"_id": "1", "_score": 1, "_source": {}}]}}]}),
        (200, {"responses": [NO_HITS | {"timed_out": True}]}),
        (200, {"responses": [NO_HITS | {"_shards": {"failed": 1}}]}),
        (200, {"responses": [failing(503, "search_phase_execution_exception", "all shards failed")]}),
        (200, {"responses": [failing(400, "query_shard_exception")]}),
        (400, {"error": {"type": "illegal_argument_exception", "reason": "r"}, "status": 400}),
        (401, {"message": "no"}),
        (403, b"Forbidden"),
        (500, b""),
        (502, b"<html>Bad gateway</html>"),
        (503, {"error": "busy"}),
    ],
    ids=str,
)
def test_an_answer_that_cannot_be_used_is_unavailable(
    engine: ScriptedEngine, index: OpenSearchIndex, answer: tuple[int, Any]
) -> None:
    engine.answer = lambda asked: answer
    with pytest.raises(Unavailable):
        index.search(SCOPE, QUERY)


@pytest.mark.parametrize("answer", [(429, {}), (200, {"responses": [FULL]})], ids=["whole", "part"])
def test_being_asked_to_slow_down_is_throttled_and_opens_no_circuit(
    engine: ScriptedEngine, answer: tuple[int, Any]
) -> None:
    engine.answer = lambda asked: answer
    with closing(opened(engine.url, pause=60)) as index:
        for _ in range(2):
            with pytest.raises(Throttled):
                index.search(SCOPE, QUERY)
    assert len(engine.asked) == 2


def test_a_lost_index_is_never_taken_for_an_empty_one(engine: ScriptedEngine, index: OpenSearchIndex) -> None:
    engine.answer = lambda asked: (200, {"responses": [failing(404, "index_not_found_exception")]})
    with pytest.raises(NoIndex, match="strata reindex"):
        index.search(SCOPE, QUERY)
    assert {each.method for each in engine.asked} == {"POST"}


# --- endpoints that cannot serve


def test_a_collection_without_ids_of_ones_own_is_refused_with_a_way_out(engine: ScriptedEngine) -> None:
    def answer(asked: Asked) -> Any:
        if asked.path == "/_alias/strata":
            return 404, {"error": "none"}
        if "/_doc/" in asked.path:
            reason = "Document ID is not supported in create/index operation request"
            return 400, {"error": {"type": "illegal_argument_exception", "reason": reason}}
        return 200, {}

    engine.answer = answer
    collection = opened(engine.url, dialect=Dialect.nextgen())
    with closing(collection) as index, pytest.raises(UnusableEndpoint, match="NextGen"):
        index.create()
    assert engine.paths()[-1] == "DELETE /strata-v1"
    assert not any(each.path == "/" for each in engine.asked)


def test_a_collection_that_takes_ids_no_more_is_refused_too(
    engine: ScriptedEngine, index: OpenSearchIndex
) -> None:
    unsupported = failing(400, "illegal_argument_exception", "Document ID is not supported in create/index")
    engine.answer = lambda asked: alias_there(asked) or written(asked, a=unsupported)
    with pytest.raises(UnusableEndpoint, match="NextGen"):
        index.write(SCOPE, [Document("a", "k", "", "")])


@pytest.mark.parametrize(
    ("about", "told"),
    [
        ((404, {}), "STRATA_OPENSEARCH_SERVICE=aoss"),
        ((200, {"version": {"number": "7.10.2"}}), "OpenSearch 2.9 or later"),
        ((200, {"version": {"number": "1.3.0", "distribution": "opensearch"}}), "OpenSearch 2.9 or later"),
        ((200, {"version": {"number": "2.8.0", "distribution": "opensearch"}}), "OpenSearch 2.9 or later"),
    ],
)
def test_another_kind_of_engine_is_refused_with_a_sentence(
    engine: ScriptedEngine, index: OpenSearchIndex, about: tuple[int, Any], told: str
) -> None:
    engine.answer = lambda asked: about if asked.path == "/" else (404, {"error": "none"})
    with pytest.raises(UnusableEndpoint, match=told):
        index.create()


def test_an_engine_that_refuses_the_mapping_is_told_of_with_its_reason(
    engine: ScriptedEngine, index: OpenSearchIndex
) -> None:
    def answer(asked: Asked) -> Any:
        if asked.path == "/":
            return 200, {"version": {"distribution": "opensearch", "number": "3.0.0"}}
        if asked.method == "PUT":
            return 400, {"error": {"type": "mapper_parsing_exception", "reason": "[engine] is rejected"}}
        return 404, {"error": "none"}

    engine.answer = answer
    with pytest.raises(UnusableEndpoint, match=r"\[engine\] is rejected"):
        index.create()


# --- the circuit by itself


def test_one_probe_goes_through_after_the_pause_and_decides() -> None:
    now = [0.0]
    circuit = Circuit(3, lambda: now[0])
    circuit.admit()
    circuit.failed()
    with pytest.raises(Unavailable) as refused:
        circuit.admit()
    assert refused.value.retry_after == 3
    now[0] = 3.1
    circuit.admit()
    with pytest.raises(Unavailable):
        circuit.admit()  # the probe is under way
    circuit.failed()
    now[0] = 6
    with pytest.raises(Unavailable):
        circuit.admit()
    now[0] = 6.2
    circuit.admit()
    circuit.succeeded()
    circuit.admit()
    circuit.admit()
