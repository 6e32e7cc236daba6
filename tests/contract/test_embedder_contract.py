"""The promises of every adapter of the port `Embedder`, also while a server over the network fails."""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from servers.tables import CREDENTIALS
from strata.adapters.e5_embeddings import E5Embeddings, lacking
from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.errors import ModelFailed, Throttled, Unavailable
from strata.ports.language import Embedder
from support.model_adapters import DIMENSIONS, WAYS, Way
from support.model_server import HANG, ModelServer, Told, as_json, model_server, vector_of

REMOTE = sorted(WAYS)


@pytest.fixture(scope="module")
def shared_server() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture
def server(shared_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    shared_server.asked.clear()
    return shared_server


def _static(server: ModelServer) -> Embedder:
    return StaticEmbeddings()


def _over(name: str) -> Callable[[ModelServer], Embedder]:
    def made(server: ModelServer) -> Embedder:
        WAYS[name].embeds(server)
        return WAYS[name].embedder(server)

    return made


def _e5(server: ModelServer) -> Embedder:
    if why := lacking():
        pytest.skip(why)
    return E5Embeddings()


EMBEDDERS = {"static": _static, "e5": _e5} | {name: _over(name) for name in REMOTE}


@pytest.fixture(params=sorted(EMBEDDERS))
def embedder(request: pytest.FixtureRequest, server: ModelServer) -> Embedder:
    return EMBEDDERS[request.param](server)


@pytest.fixture(params=REMOTE)
def way(request: pytest.FixtureRequest) -> Way:
    return WAYS[request.param]


# --- every embedder


def test_every_text_has_a_unit_row_of_its_own(embedder: Embedder) -> None:
    texts = ["the river", "a tax form", "the river", "Ann's sister"]
    vectors = embedder.embed(texts)
    assert (vectors.shape, vectors.dtype) == ((4, embedder.dimensions), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[2])
    assert vectors[0] @ vectors[1] < 0.99
    for text, vector in zip(texts, vectors, strict=True):
        assert np.allclose(embedder.embed([text])[0], vector, atol=1e-6)


def test_no_texts_are_no_rows_and_blank_ones_are_zeros(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)
    vectors = embedder.embed(["", " \n\t", "word"])
    assert not vectors[:2].any()
    assert vectors[2].any()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=40) | st.just("half \ud83d"), max_size=4))
def test_any_text_is_embedded(embedder: Embedder, texts: list[str]) -> None:
    vectors = embedder.embed(texts)
    assert vectors.shape == (len(texts), embedder.dimensions)
    assert np.isfinite(vectors).all()


def test_many_and_long_texts_keep_their_order(embedder: Embedder) -> None:
    texts = [f"memory number {place} of the day" for place in range(300)] + ["long " * 20_000]
    vectors = embedder.embed(texts)
    for place in (0, 150, 299, 300):
        assert np.allclose(vectors[place], embedder.embed([texts[place]])[0], atol=1e-6)


def test_threads_get_their_own_texts_rows(embedder: Embedder) -> None:
    texts = [f"note {place}" for place in range(40)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda text: embedder.embed([text])[0], texts))
    assert np.allclose(np.stack(found), embedder.embed(texts), atol=1e-6)


def test_a_query_has_a_unit_vector_that_is_nearest_to_its_own_words(embedder: Embedder) -> None:
    texts = ["the river rises in spring", "a tax form", "Ann's sister"]
    query = embedder.embed_query("the river in spring")
    assert (query.shape, query.dtype) == ((embedder.dimensions,), np.float32)
    assert np.isclose(np.linalg.norm(query), 1, atol=1e-5)
    assert np.argmax(embedder.embed(texts) @ query) == 0


# --- over a network


def test_the_servers_vectors_come_in_the_order_of_the_texts(way: Way, server: ModelServer) -> None:
    way.embeds(server)
    texts = [f"text {place}" for place in range(10)]
    expected = np.array([vector_of(text, DIMENSIONS) for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(way.embedder(server).embed(texts), expected, atol=1e-5)


def test_texts_are_sent_in_batches_and_never_twice(way: Way, server: ModelServer) -> None:
    way.embeds(server)
    embedder = way.embedder(server)
    texts = [f"text {place}" for place in range(200)]
    embedder.embed([*texts, *texts])
    sent = [text for asked in server.asked for text in way.speaks.texts(asked)]
    assert sorted(sent) == sorted(texts)
    most = {"openai": 2, "ollama": 4, "bedrock": 200}
    assert len(server.asked) == next(most[name] for name, each in WAYS.items() if each is way)
    embedder.embed(texts[::-1])
    assert len(server.asked) == next(most[name] for name, each in WAYS.items() if each is way)


def test_only_so_many_vectors_are_kept(way: Way, server: ModelServer) -> None:
    way.embeds(server)
    embedder = way.embedder(server, kept=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        embedder.embed([text])
    assert [way.speaks.texts(asked) for asked in server.asked] == [["a"], ["b"], ["c"], ["b"]]


def test_of_a_long_text_no_more_is_sent_than_any_model_takes(way: Way, server: ModelServer) -> None:
    way.embeds(server)
    way.embedder(server).embed(["я" * 50_000])
    assert [len(text.encode()) for text in way.speaks.texts(server.asked[0])] == [8_000]


def test_a_server_that_fails_for_a_moment_is_asked_again(way: Way, server: ModelServer) -> None:
    server.script(way.speaks.fails(500), way.speaks.fails(429), way.speaks.vectors([[1.0] * DIMENSIONS]))
    assert way.embedder(server).embed(["a"])[0].any()


def refused(way: Way, server: ModelServer, kind: type[Exception], **options: Any) -> str:
    with pytest.raises(kind) as raised:
        way.embedder(server, **{"seconds": 0.4} | options).embed(["my sister Ann drinks"])
    assert "Ann" not in str(raised.value)
    assert "SECRET" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize(
    "told",
    [HANG, Told(body=b"{", length=10_000, forever=b" ", pause=0.02), Told(body=b"[" * 99_999), as_json({})],
    ids=["silence", "drips", "deep", "nothing"],
)
def test_no_answer_is_unavailable(
    way: Way, server: ModelServer, told: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="strata")
    server.script(told)
    refused(way, server, Unavailable)
    assert "Ann" not in caplog.text


def test_after_silence_calls_fail_at_once_for_a_while(way: Way, server: ModelServer) -> None:
    server.script(HANG)
    embedder = way.embedder(server, seconds=0.3)
    with pytest.raises(Unavailable):
        embedder.embed(["a"])
    asked = len(server.asked)
    for _ in range(20):
        with pytest.raises(Unavailable, match="a moment ago"):
            embedder.embed(["b"])
    assert len(server.asked) == asked


def test_a_caller_who_waits_waits_for_several_texts_as_long_as_for_one(way: Way, server: ModelServer) -> None:
    server.script(HANG)
    embedder = way.embedder(server, seconds=0.3, batch_seconds=5)
    started = time.monotonic()
    with pytest.raises(Unavailable):
        embedder.embed(["a", "b"], soon=True)
    assert time.monotonic() - started < 2
    asked = len(server.asked)
    with pytest.raises(Unavailable, match="a moment ago"):
        embedder.embed(["c", "d"], soon=True)
    assert len(server.asked) == asked
    way.embeds(server)  # two texts may have been too many for that time: others have more
    assert len(embedder.embed(["c", "d"])) == 2


def test_one_silent_batch_of_many_fails_them_all(way: Way, server: ModelServer) -> None:
    def one_hangs(asked: Any) -> Any:
        texts = way.speaks.texts(asked)
        return HANG if "text 7" in texts else way.speaks.vectors([[1.0] * DIMENSIONS for _ in texts])

    server.answer = one_hangs
    with pytest.raises(Unavailable):
        way.embedder(server, batch_seconds=0.5).embed([f"text {place}" for place in range(300)])


def test_a_text_that_is_not_taken_is_a_failure_of_its_own(way: Way, server: ModelServer) -> None:
    server.script(way.speaks.fails(400))
    refused(way, server, ModelFailed)
    asked = [each for each in server.asked if "Ann" in str(each.body)]  # threads of other tests may ask
    assert len(asked) == 1


def test_being_asked_to_wait_longer_than_there_is_time_is_told(way: Way, server: ModelServer) -> None:
    server.script(way.speaks.fails(429, retry_after="100"))
    refused(way, server, Throttled)


@pytest.mark.parametrize(
    "vectors",
    [
        [[1.0, float("nan")] * (DIMENSIONS // 2)],
        [[float("inf")] * DIMENSIONS],
        [["one"] * DIMENSIONS],
        [[[1.0]] * DIMENSIONS],
        [None],
        [[]],
    ],
    ids=["nan", "infinite", "words", "nested", "null", "empty"],
)
def test_what_is_no_vector_is_refused(way: Way, server: ModelServer, vectors: list[Any]) -> None:
    server.script(way.speaks.vectors(vectors))
    refused(way, server, Unavailable)


def test_vectors_of_another_length_are_refused_with_advice(way: Way, server: ModelServer) -> None:
    server.script(way.speaks.vectors([[1.0] * 10]))
    assert "STRATA_EMBEDDING_DIMENSIONS" in refused(way, server, Unavailable)


@pytest.mark.parametrize("name", ["ollama", "openai"])
def test_too_few_and_too_many_vectors_are_refused(name: str, server: ModelServer) -> None:
    way = WAYS[name]
    for count in (1, 3):
        server.script(way.speaks.vectors([[1.0] * DIMENSIONS] * count))
        if (name, count) == ("openai", 3):
            continue  # each says whose it is, so one too many does no harm
        with pytest.raises(Unavailable):
            way.embedder(server).embed(["a", "b"])
