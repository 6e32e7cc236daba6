"""The adapter on a real OpenSearch: its life cycle, the operations it needs, words as SQLite finds them."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from strata.adapters.opensearch.connection import Connection
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.errors import UnusableEndpoint
from strata.adapters.opensearch.search_index import OpenSearchIndex
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.search_index import SqliteSearchIndex
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.domain.text.analysis import query_terms
from strata.ports.language import EmbeddingModel
from strata.ports.search import Document, DocumentsRefused, Narrowing, NoIndex, SearchQuery, Span

SCOPE, OTHER = Scope("acme"), Scope("acme2")
NOW = Dialect(refresh="true", replicas=0)
KIND = "observation"
MODEL = EmbeddingModel("tests", 4)

Open = Callable[..., OpenSearchIndex]


@pytest.fixture
def opened(opensearch: str) -> Iterator[Open]:
    """Opens one and the same index again, as another process would."""
    connections: list[Connection] = []
    alias = f"it-{uuid4().hex[:8]}"

    def make(
        dialect: Dialect = NOW, *, model: EmbeddingModel = MODEL, of: type[Connection] = Connection
    ) -> Any:
        connections.append(of(opensearch, pause=0))
        options: dict[str, Any] = {"alias": alias, "search_seconds": 30, "write_seconds": 30}
        return OpenSearchIndex(connections[-1], lambda: model, dialect=dialect, **options)

    yield make
    make().drop()
    for connection in connections:
        connection.close()


@pytest.fixture
def index(opened: Open) -> OpenSearchIndex:
    index = opened()
    index.create()
    return index


def note(key: str, text: str = "needle", *values: float, **fields: str) -> Document:
    vector = np.array([*values, *[0] * (4 - len(values))], np.float32) if values else None
    return Document(key, KIND, "", text, fields=fields, vector=vector)


def found(index: OpenSearchIndex, scope: Scope = SCOPE, text: str = "needle") -> set[str]:
    return {each.key for each in index.search(scope, SearchQuery(KIND, (text,)))}


# --- life cycle


def test_many_processes_may_make_the_index_at_once(opened: Open) -> None:
    indexes = [opened() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda index: index.create(), indexes))
    indexes[0].write(SCOPE, [note("a")])
    assert [found(index) for index in indexes] == [{"a"}] * 8


def test_neither_a_write_nor_a_search_makes_an_index(opened: Open) -> None:
    index = opened()
    for _ in range(2):
        with pytest.raises(NoIndex):
            index.search(SCOPE, SearchQuery(KIND, ("needle",)))
        with pytest.raises(NoIndex):
            index.write(SCOPE, [note("a")])
        with pytest.raises(NoIndex):
            list(index.catalog(SCOPE, KIND))


def test_an_index_is_found_by_its_identity_until_it_is_replaced(index: OpenSearchIndex) -> None:
    index.write(SCOPE, [note("a")])
    before = index.create()
    assert before == index.create()
    assert found(index.at(before)) == {"a"}
    rebuild = index.begin_rebuild()
    assert rebuild.identity != before
    rebuild.finish()
    assert found(index.at(rebuild.identity)) == set()
    for call in (found, lambda gone: gone.write(SCOPE, [note("b")]), lambda gone: gone.fits()):
        with pytest.raises(NoIndex):
            call(index.at(before))
    assert index.count(SCOPE, KIND) == 0


def test_an_index_of_an_earlier_version_gets_an_identity(index: OpenSearchIndex) -> None:
    index.write(SCOPE, [note("a"), note("b")])
    index.write(OTHER, [note("c")])
    identity = index.create()
    actions = {"actions": [{"remove": {"index": "_all", "alias": identity}}]}
    index._connection.request("POST", "/_aliases", actions, timeout=30)
    assert found(index) == {"a", "b"}
    another = index.create()
    assert another != identity
    assert found(index.at(another), OTHER) == {"c"}
    assert (index.count(SCOPE, KIND), index.count(OTHER, KIND), index.count(SCOPE, "episode")) == (2, 1, 0)


@pytest.mark.parametrize("model", [MODEL, EmbeddingModel("another", 4)])
def test_an_index_of_an_earlier_version_gets_the_fields_that_it_lacks(
    opened: Open, monkeypatch: pytest.MonkeyPatch, model: EmbeddingModel
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("strata.adapters.opensearch.mapping.TIMES", {})
        opened().create()
    index = opened(model=model)
    index.write(SCOPE, [note("older", "needle", 1)])
    timed = {
        key: replace(note(key, "needle", 1), times={"created_at": at}) for key, at in (("a", 5), ("b", 9))
    }
    index.write(SCOPE, [*timed.values(), note("c")], ["older"])
    assert found(index) == {"a", "b", "c"}
    late = SearchQuery(KIND, ("needle",), narrowing=Narrowing(spans=(Span("created_at", 6),)))
    assert [each.key for each in index.search(SCOPE, late)] == ["b"]


def test_a_rebuild_shows_all_at_once_when_it_is_finished(index: OpenSearchIndex, opened: Open) -> None:
    index.write(SCOPE, [note("old", "needle", 1)])
    rebuild = index.begin_rebuild()
    rebuild.index.write(SCOPE, [note("new", "needle", 1)])
    rebuild.index.write(OTHER, [note("theirs")])
    assert found(index) == {"old"}
    assert found(rebuild.index) == {"new"}
    rebuild.finish()
    assert found(index) == found(opened()) == {"new"}
    assert found(index, OTHER) == {"theirs"}


def test_an_interrupted_rebuild_begins_anew_or_goes_on(index: OpenSearchIndex, opened: Open) -> None:
    index.begin_rebuild().index.write(SCOPE, [note("half")])
    assert found(opened().begin_rebuild(resume=True).index) == {"half"}
    assert found(opened().begin_rebuild().index) == set()


def test_a_rebuild_may_take_vectors_of_another_length(opened: Open) -> None:
    old, index = opened(model=EmbeddingModel("old", 2)), opened(model=EmbeddingModel("new", 3))
    old.create()
    old.write(SCOPE, [Document("a", KIND, "", "x", vector=np.array([1, 0], np.float32))])
    rebuild = index.begin_rebuild()
    longer = np.array([0, 0.6, 0.8], np.float32)
    rebuild.index.write(SCOPE, [Document("a", KIND, "", "x", vector=longer)])
    rebuild.finish()
    (hit,) = index.search(SCOPE, SearchQuery(KIND, vector=longer))
    assert hit.cosine == pytest.approx(1, abs=1e-3)


def test_a_document_that_lost_its_vector_to_another_models_index_is_known_by_its_version(
    index: OpenSearchIndex, opened: Open
) -> None:
    other = opened(model=EmbeddingModel("other", 4))
    whole = replace(note("a", "needle", 1.0), version=7)
    index.write(SCOPE, [replace(whole, key="own")])
    other.write(SCOPE, [whole, replace(note("plain"), version=8)], ["never"])
    assert dict(index.catalog(SCOPE, KIND)) == {"a": 0, "own": 7, "plain": 8}
    assert found(other) == {"a", "own", "plain"}
    rebuild = other.begin_rebuild()
    rebuild.index.write(SCOPE, [whole])
    rebuild.finish()
    assert dict(other.catalog(SCOPE, KIND)) == {"a": 7}
    assert other.fits()


def test_a_rebuild_whose_index_was_dropped_leaves_nothing_and_takes_nothing(index: OpenSearchIndex) -> None:
    index.write(SCOPE, [note("old")])
    rebuild = index.begin_rebuild()
    for _ in range(2):
        index._versions.drop(rebuild.name)
    assert found(index) == {"old"}
    with pytest.raises(NoIndex):
        rebuild.index.search(SCOPE, SearchQuery(KIND, ("needle",)))


# --- what the engine refuses


def test_a_vector_of_the_wrong_length_is_refused_by_its_key_and_the_rest_is_written(
    index: OpenSearchIndex,
) -> None:
    wrong = Document("wrong", KIND, "", "needle", vector=np.ones(7, np.float32))
    with pytest.raises(DocumentsRefused) as raised:
        index.write(SCOPE, [note("a"), wrong, note("b")])
    assert set(raised.value.reasons) == {"wrong"}
    assert found(index) == {"a", "b"}


@pytest.mark.parametrize(
    ("away", "back"),
    [
        (
            ("PUT", "_settings", {"index.blocks.write": True}),
            ("PUT", "_settings", {"index.blocks.write": False}),
        ),
        (
            ("PUT", "_settings", {"index.blocks.read_only": True}),
            ("PUT", "_settings", {"index.blocks.read_only": False}),
        ),
        (
            ("PUT", "_settings", {"index.blocks.read_only_allow_delete": True}),
            ("PUT", "_settings", {"index.blocks.read_only_allow_delete": None}),
        ),
        (("POST", "_close", None), ("POST", "_open", None)),
    ],
    ids=["write", "read_only", "flood", "closed"],
)
def test_a_blocked_or_closed_index_takes_no_write_and_blames_no_document(
    index: OpenSearchIndex, away: tuple[str, str, Any], back: tuple[str, str, Any]
) -> None:
    def ask(method: str, what: str, body: Any) -> None:
        index._connection.request(method, f"/{index._alias}-v1/{what}", body, timeout=30)

    index.write(SCOPE, [note("before")])
    ask(*away)
    try:
        with pytest.raises(Unavailable, match=r"index is|nearly full"):
            index.write(SCOPE, [note("a"), note("b")], ["before"])
    finally:
        ask(*back)
    index.write(SCOPE, [note("a"), note("b")])
    assert found(index) >= {"a", "b"}


def test_a_search_by_a_vector_of_the_wrong_length_is_unavailable(index: OpenSearchIndex) -> None:
    index.write(SCOPE, [note("a", "needle", 1)])
    with pytest.raises(Unavailable):
        index.search(SCOPE, SearchQuery(KIND, ("needle",), np.ones(7, np.float32)))


def test_a_space_that_the_engine_does_not_have_is_told_of(opened: Open) -> None:
    with pytest.raises(UnusableEndpoint, match="space 'hamming'"):
        opened(replace(NOW, space="hamming")).create()  # type: ignore[arg-type]


def test_a_word_longer_than_the_engine_takes_is_still_indexed(index: OpenSearchIndex) -> None:
    index.write(SCOPE, [note("a", f"needle {'x' * 49_000}")])
    assert found(index) == {"a"}
    assert found(index, text="x" * 49_000) == {"a"}


# --- operations

BOTH_HAVE = {
    "GET /_alias/A",
    "POST /_aliases",
    "PUT /I",
    "DELETE /I",
    "POST /I/_bulk",
    "POST /I/_search",
    "POST /I/_msearch",
}
"""Operations that managed domains and serverless collections both have, by their developer guides."""


class Recording(Connection):
    """Remembers what was asked over the wire."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.asked: list[tuple[str, dict[str, str]]] = []

    def request(self, method: str, path: str, *body: Any, **options: Any) -> Any:
        shape = re.sub(r"^/_alias/it-[\w-]+\*?$", "/_alias/A", re.sub(r"^/it-[\w-]+", "/I", path))
        self.asked.append((f"{method} {shape}", dict(options.get("params") or {})))
        return super().request(method, path, *body, **options)


def live_a_life(index: OpenSearchIndex) -> Recording:
    """Everything that the port and its life cycle can do."""
    index.create()
    index.write(SCOPE, [note("a", "needle", 1), note("b")], ["c"])
    index.search(SCOPE, SearchQuery(KIND, ("needle",), np.array([1, 0, 0, 0], np.float32)))
    list(index.catalog(SCOPE, KIND))
    index.begin_rebuild().finish()
    connection = index._connection
    assert isinstance(connection, Recording)
    return connection


def test_a_domain_is_asked_only_for_what_both_have_and_its_version(opened: Open) -> None:
    asked = live_a_life(opened(of=Recording)).asked
    assert {what for what, _ in asked} <= BOTH_HAVE | {"GET /"}


def test_a_collection_is_asked_only_for_what_collections_have(opened: Open) -> None:
    collection = replace(Dialect.nextgen(), engine="lucene", compression="")
    asked = live_a_life(opened(collection, of=Recording)).asked
    assert {what for what, _ in asked} <= BOTH_HAVE | {"PUT /I/_doc/probe", "DELETE /I/_doc/probe"}
    assert not any(params.keys() & {"refresh", "routing", "require_alias"} for _, params in asked)


def test_both_sides_of_a_search_take_one_round_trip(opened: Open) -> None:
    index = opened(of=Recording)
    index.create()
    connection: Any = index._connection
    connection.asked.clear()
    index.search(SCOPE, SearchQuery(KIND, ("needle",), np.array([1, 0, 0, 0], np.float32)))
    assert [what for what, _ in connection.asked] == ["POST /I/_msearch"]


# --- words as the embedded index finds them

TEXTS = (
    "She was running the migrations; the migration ran. Relational relations are related.",
    "Conditional flies, dying ponies, happily agreed-upon generalizations of hopefulness",
    "user_id=42, e-mail: a.b@c.example and path/to/file.py v2.0.1 don't won't O'Neill's",
    "NAÏVE café Ångström straße ŁÓDŹ ÉCOLE façade Größen",
    "Пользователь сменил пароли и пароль_id",
    "私は東京都に住んでいます。データベース 移行",
    "데이터베이스를 옮겼다 ฐานข้อมูลช้า 会议定于星期五",
    "fully electrically communism probate rating hopping tanned falling controlling roll",
    "0x1F 3.14 1,000 10th 2nd x86_64 C++ node.js",
)


def test_words_are_found_where_the_embedded_index_finds_them(index: OpenSearchIndex, tmp_path: Path) -> None:
    notes = [note(str(number), text) for number, text in enumerate(TEXTS)]
    vocabulary = sorted({term for text in TEXTS for word in text.split() for term in query_terms(word)})
    stems = sorted(
        {word[:length] for word in vocabulary for length in (3, 5, 7)}
        | {w + "s" for w in vocabulary if w.isascii()}
    )
    with closing(SqliteDatabase(tmp_path / "strata.db")) as database:
        embedded = SqliteSearchIndex(database)
        for each in (embedded, index):
            each.write(SCOPE, notes)
        for term in [*vocabulary, *stems]:
            query = SearchQuery(KIND, (term,))
            expected = {each.key for each in embedded.search(SCOPE, query)}
            assert {each.key for each in index.search(SCOPE, query)} == expected, term
