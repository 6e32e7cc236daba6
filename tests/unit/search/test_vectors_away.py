"""Searching and indexing while vectors can't be had, and while the index holds another model's."""

import pytest

from strata.bootstrap import Overrides
from strata.domain.errors import ModelFailed, Unavailable
from strata.domain.retrieval import Method, Mode
from strata.services.search.filters import ObservationFilter
from support.api import client
from support.clocks import HandClock
from support.faults import away
from support.memory import LOCAL, Memory, application, observation, record
from support.remote_embedder import Remote

DEMO = ObservationFilter(project="demo")


def opened(folder, embedder=None):
    return Memory(application(folder, HandClock(), Overrides(embedder=embedder)))


@pytest.fixture
def remote():
    return Remote()


@pytest.fixture
def memory(tmp_path, remote):
    memory = opened(tmp_path, remote)
    memory.save("the parser drops a token", title="Parser")
    memory.save("the boat is blue", title="Boat")
    memory.follow()
    return memory


def answer(memory, query, mode=Mode.HYBRID):
    found = memory.app.search.observations.search(LOCAL, query, DEMO, limit=10, mode=mode)
    return [(each.title, each.method) for each in found.hits], found.degraded


# --- the embedder is away


@pytest.mark.parametrize("failure", [Unavailable("no answer"), ModelFailed("no")], ids=["away", "refusing"])
@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.VECTOR])
def test_without_vectors_words_find_and_the_answer_says_so(memory, remote, mode, failure):
    assert answer(memory, "parser token", mode)[1] is False
    remote.failure = failure
    assert answer(memory, "parser token", mode) == ([("Parser", Method.BM25)], True)


def test_a_search_by_words_alone_does_not_miss_them(memory, remote):
    remote.failure = Unavailable("no answer")
    assert answer(memory, "parser token", Mode.BM25) == ([("Parser", Method.BM25)], False)


def test_what_was_just_saved_is_found_without_vectors(memory, remote):
    remote.failure = Unavailable("no answer")
    memory.save("a parser of dates", title="Dates")
    for mode in (Mode.HYBRID, Mode.VECTOR):
        found, degraded = answer(memory, "parser", mode)
        assert ({title for title, _ in found}, degraded) == ({"Parser", "Dates"}, True)


def test_the_header_tells_it(memory, remote, tmp_path):
    remote.failure = Unavailable("no answer")
    with client(memory.app) as api:
        assert api.post("/observations", json=observation(content="saved all the same")).status_code == 201
        for path in ("/search?q=parser&project=demo", "/context?query=parser&project=demo"):
            response = api.get(path)
            assert (response.status_code, response.headers["strata-degraded"]) == (200, "index")
            assert "parser" in response.text


def test_saves_wait_for_vectors_and_lose_nothing(memory, remote):
    remote.failure = Unavailable("no answer")
    saved = memory.save("a ferry crosses", title="Ferry")
    handler, log = memory.app.handlers.indexer(), memory.app.stores.change_log
    changes = [record(change.tenant, change.key) for change in log.read(0, 1000)]
    assert handler({"Records": changes}, None)["batchItemFailures"]
    assert str(saved.id) not in dict(memory.app.stores.index.catalog(LOCAL, "observation"))
    remote.failure = None
    assert handler({"Records": changes}, None)["batchItemFailures"] == []
    assert answer(memory, "ferry", Mode.VECTOR)[0][0] == ("Ferry", Method.KNN)


# --- a search must not wait for many vectors


def test_while_the_engine_is_away_rows_are_not_embedded_one_by_one(memory, remote):
    for number in range(40):
        memory.save(f"parser note {number}")
    remote.sent.clear()
    with away(memory):
        for mode in (Mode.HYBRID, Mode.VECTOR):
            found, degraded = answer(memory, "parser", mode)
            assert (len(found), degraded) == (10, True)
    assert remote.sent == [["parser"], ["parser"]]


def test_a_few_fresh_rows_are_embedded_and_found_by_their_meaning(memory, remote):
    memory.save("a dinghy", title="Dinghy")
    remote.sent.clear()
    found, degraded = answer(memory, "dinghy", Mode.VECTOR)
    assert (found[0], degraded) == (("Dinghy", Method.KNN), False)
    assert sorted(map(len, remote.sent)) == [1, 1]


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.VECTOR])
def test_a_fresh_row_that_could_not_be_embedded_is_told(memory, remote, monkeypatch, mode):
    memory.save("a dinghy", title="Dinghy")
    embed = remote.embed

    def of_queries_only(texts, *, soon=False):
        if texts != ["dinghy"]:
            raise Unavailable("no answer")
        return embed(texts)

    monkeypatch.setattr(remote, "embed", of_queries_only)
    assert answer(memory, "dinghy", mode)[1] is True
    assert answer(memory, "dinghy", Mode.BM25) == ([("Dinghy", Method.BM25)], False)


# --- the index holds another model's vectors


@pytest.mark.parametrize("dimensions", [256, 64])
def test_another_models_index_answers_by_words_until_it_is_rebuilt(tmp_path, dimensions):
    first = opened(tmp_path, Remote("remote/1"))
    first.save("the parser drops a token", title="Parser")
    first.follow()
    assert answer(first, "parser", Mode.VECTOR) == ([("Parser", Method.KNN)], False)

    second = opened(tmp_path, Remote("remote/2", dimensions))
    second.save("parser of dates", title="Dates")
    second.follow()
    for mode in (Mode.HYBRID, Mode.VECTOR):
        found, degraded = answer(second, "parser", mode)
        assert ({title for title, _ in found}, degraded) == ({"Parser", "Dates"}, True)
        assert {method for _, method in found} == {Method.BM25}
    assert ["parser"] not in second.app.models.embedder.sent, "a query that can't be compared is not paid for"

    second.app.repair.reindexer.reindex()
    found, degraded = answer(second, "parser", Mode.VECTOR)
    assert ({title for title, _ in found}, degraded) == ({"Parser", "Dates"}, False)
    assert {method for _, method in found} == {Method.KNN}
    assert answer(first, "parser", Mode.VECTOR)[1] is True


def test_health_and_doctor_say_that_vectors_do_not_fit(tmp_path, monkeypatch):
    first = opened(tmp_path, Remote("remote/1"))
    first.save()
    first.follow()
    second = opened(tmp_path, Remote("remote/2"))
    with client(second.app) as api:
        health = api.get("/health").json()
        assert api.get("/api/health").status_code == 503
    assert (health["status"], health["services"]["vectors"]["status"]) == ("degraded", "down")
    assert health["services"]["index"]["status"] == "ok"

    from strata import bootstrap
    from strata.cli.doctor import store

    monkeypatch.setattr(bootstrap, "application", lambda: second.app)
    finding = store.index(second.app.settings)
    assert finding.state == "warn"
    assert "remote/2" in finding.found
    assert finding.advice == "Run strata reindex."
    second.app.repair.reindexer.reindex()
    assert store.index(second.app.settings).state == "ok"


def test_an_erasure_begins_while_the_model_is_away(memory, remote):
    remote.failure = Unavailable("away")
    memory.save("the heron is grey", title="Heron")
    begun = memory.app.privacy.erasures.begin(LOCAL, "ann", "tests")
    memory.follow()
    (message,) = memory.app.queues.named("erasure").receive(10)
    assert message.body == {"tenant": "local", "erasure_id": begun.erasure_id}
