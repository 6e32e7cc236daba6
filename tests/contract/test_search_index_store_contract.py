"""The promises of every adapter of the port `SearchIndex` about filters, tenants, changes and processes."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from strata.domain.scope import Scope
from strata.ports.search import Document, Label, Narrowing, SearchIndex, SearchQuery, Span
from support.index_documents import KIND, by_vector, by_words, document, keys_of, unit

from .conftest import OpenIndex

# --- filters


def fill(index: SearchIndex, scope: Scope) -> None:
    """Three of project p hidden behind 300 better ones of project q."""
    better = [document(f"q{number}", "needle", unit(1), project="q") for number in range(300)]
    wanted = [
        document(f"p{number}", "a needle in a lot of hay", unit(1, 2), project="p") for number in range(3)
    ]
    index.write(scope, [*better, *wanted])


def test_a_filter_stands_before_the_cut(index: SearchIndex, scope: Scope) -> None:
    fill(index, scope)
    assert set(by_words(index, scope, "needle", (("project", "p"),), limit=3)) == {"p0", "p1", "p2"}
    assert set(by_vector(index, scope, unit(1), (("project", "p"),), limit=3)) == {"p0", "p1", "p2"}


def test_clauses_are_joined_by_and_their_values_by_or(index: SearchIndex, scope: Scope) -> None:
    rows = {"a": ("p", "project"), "b": ("q", "project"), "c": ("q", "global"), "d": ("r", "project")}
    index.write(
        scope,
        [document(key, "needle", unit(1), project=p, scope=s, type="x") for key, (p, s) in rows.items()],
    )
    words, vectors = partial(by_words, index, scope, "needle"), partial(by_vector, index, scope, unit(1))
    for search in (words, vectors):
        assert set(search((("project", "p"), ("scope", "global")))) == {"a", "c"}
        assert set(search((("project", "q"),), (("scope", "global"),))) == {"c"}
        assert set(search((("project", "p"), ("project", "r")), (("type", "x"),))) == {"a", "d"}
        assert search((("project", "p"),), (("type", "y"),)) == []
        assert search((("missing", "p"),)) == []
        assert search(()) == []
        assert len(search()) == 4


@pytest.mark.parametrize(
    "value", ["", "Two Words", "a\0b", 'qu"ote', "日本", "P", "p ", "p-1", "*", "z" * 300]
)
def test_a_facet_matches_exactly(index: SearchIndex, scope: Scope, value: str) -> None:
    index.write(scope, [document("it", "needle", unit(1), f=value), document("p", "needle", unit(1), f="p")])
    assert by_words(index, scope, "needle", (("f", value),)) == ["it"]
    assert by_vector(index, scope, unit(1), (("f", value),)) == ["it"]
    assert by_words(index, scope, "needle", (("g", value),)) == []


# --- tenants and kinds


def test_a_search_sees_its_tenant_and_kind_only(index: SearchIndex, scope: Scope, other_scope: Scope) -> None:
    index.write(
        scope,
        [document("same", "mine needle", unit(1)), Document("e", "episode", "", "needle", vector=unit(1))],
    )
    index.write(other_scope, [document("same", "theirs needle", unit(1))])
    (found,) = index.search(scope, SearchQuery(KIND, ("needle",), unit(1)))
    assert found.text == "mine needle"
    assert [each.key for each in index.search(scope, SearchQuery("episode", ("needle",), unit(1)))] == ["e"]
    assert index.search(other_scope, SearchQuery("episode", ("needle",), unit(1))) == []
    index.write(other_scope, [], ["same", "e"])
    assert by_words(index, scope, "needle") == ["same"]
    assert by_words(index, other_scope, "needle") == []


# --- changes


def test_writing_again_replaces(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document("a", "first words", unit(1), type="x"), document("b", "other", unit(0, 1))])
    assert by_vector(index, scope, unit(1)) == ["a", "b"]
    index.write(scope, [document("a", "second thoughts", unit(-1), type="y")])
    assert by_words(index, scope, "first") == []
    assert by_words(index, scope, "second", (("type", "y"),)) == ["a"]
    assert by_words(index, scope, "second", (("type", "x"),)) == []
    assert by_vector(index, scope, unit(1)) == ["b", "a"]
    assert keys_of(index, scope) == ["a", "b"]


def test_a_deleted_document_is_gone_from_both_sides(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document(key, "needle", unit(1)) for key in "abc"])
    assert len(by_vector(index, scope, unit(1))) == 3
    index.write(scope, [], ["a", "unknown"])
    assert sorted(by_words(index, scope, "needle")) == ["b", "c"]
    assert sorted(by_vector(index, scope, unit(1))) == ["b", "c"]
    assert keys_of(index, scope) == ["b", "c"]


def test_deletions_do_not_shrink_an_answer(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document(f"near{number}", "", unit(1)) for number in range(100)])
    index.write(scope, [document(f"far{number}", "", unit(1, 1)) for number in range(10)])
    assert all(key.startswith("near") for key in by_vector(index, scope, unit(1), limit=10))
    index.write(scope, [], [f"near{number}" for number in range(99)])
    assert by_vector(index, scope, unit(1), limit=5)[0] == "near99"
    assert len(by_vector(index, scope, unit(1), limit=5)) == 5
    assert len(by_vector(index, scope, unit(1), limit=50)) == 11


def test_a_document_may_lose_and_gain_its_vector(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document("a", "needle", unit(1))])
    index.write(scope, [document("a", "needle")])
    assert by_vector(index, scope, unit(1)) == []
    index.write(scope, [document("a", "needle", unit(1))])
    assert by_vector(index, scope, unit(1)) == ["a"]


def test_the_catalog_names_every_document_of_a_kind_once(
    index: SearchIndex, scope: Scope, other_scope: Scope
) -> None:
    index.write(scope, [Document(f"k{number}", KIND, "", "", version=number) for number in range(2500)])
    index.write(scope, [Document("e", "episode", "", "")])
    index.write(other_scope, [document("theirs")])
    found = list(index.catalog(scope, KIND))
    assert len(found) == 2500
    assert dict(found) == {f"k{number}": number for number in range(2500)}


def test_the_catalog_looks_up_the_keys_it_is_asked_for(
    index: SearchIndex, scope: Scope, other_scope: Scope
) -> None:
    versions = {f"k{number}": 2**53 - number for number in range(1000)}
    index.write(scope, [Document(key, KIND, "", "", version=each) for key, each in versions.items()])
    index.write(scope, [Document("e", "episode", "", "", version=3)])
    index.write(other_scope, [document("theirs")])
    assert dict(index.catalog(scope, KIND, list(versions))) == versions
    assert list(index.catalog(scope, KIND, ["k1", "never", "e", "theirs", "k1"])) == [("k1", 2**53 - 1)]
    assert list(index.catalog(scope, KIND, [])) == []
    index.write(scope, [Document("k1", KIND, "", "", version=5)])
    assert list(index.catalog(scope, KIND, ["k1"])) == [("k1", 5)]


def test_a_rebuild_serves_what_was_written_to_it_from_its_end_on(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document("a", "old words", unit(1)), document("b", "old words", unit(1))])
    rebuild = index.begin_rebuild()
    rebuild.index.write(scope, [document("a", "new words", unit(1))], ["b"])
    assert keys_of(rebuild.index, scope) == ["a"]
    rebuild.finish()
    assert keys_of(index, scope) == by_words(index, scope, "new") == by_vector(index, scope, unit(1)) == ["a"]
    index.write(scope, [document("c", "after", unit(1))])
    assert by_words(index, scope, "after") == ["c"]


def test_an_interrupted_rebuild_is_gone_on_with(index: SearchIndex, scope: Scope) -> None:
    index.begin_rebuild().index.write(scope, [Document("a", KIND, "", "kept words", version=7)])
    resumed = index.begin_rebuild(resume=True)
    assert list(resumed.index.catalog(scope, KIND)) == [("a", 7)]
    resumed.finish()
    assert by_words(index, scope, "kept") == ["a"]


# --- models of vectors


def test_vectors_of_two_models_are_never_compared(open_index: OpenIndex, scope: Scope) -> None:
    with open_index("one") as one, open_index("other") as other:
        one.write(scope, [document("old", "needle", unit(1))])
        assert (one.fits(), other.fits()) == (True, False)
        other.write(scope, [document("new", "needle", unit(1)), document("plain", "needle")])
        for index, own in ((one, {"old"}), (other, {"new"})):
            assert set(by_words(index, scope, "needle")) == {"old", "new", "plain"}
            assert set(by_vector(index, scope, unit(1))) <= own
        assert by_vector(one, scope, unit(1)) == ["old"]


def test_a_rebuild_makes_the_index_fit_its_own_model_and_no_longer_the_old_one(
    open_index: OpenIndex, scope: Scope
) -> None:
    with open_index("one") as one, open_index("other") as other:
        one.write(scope, [document("a", "needle", unit(1)), document("b", "needle", unit(0, 1))])
        assert by_vector(one, scope, unit(1)) == ["a", "b"]
        rebuild = other.begin_rebuild()
        rebuild.index.write(scope, [document("a", "needle", unit(1)), document("b", "needle", unit(1, 1))])
        rebuild.finish()
        assert by_vector(other, scope, unit(1)) == ["a", "b"]
        assert by_vector(one, scope, unit(1)) == []
        assert set(by_words(one, scope, "needle")) == {"a", "b"}
        assert not one.fits()
    with open_index("other") as again:
        assert again.fits()


def test_a_rebuild_for_another_model_than_the_interrupted_one_begins_anew(
    open_index: OpenIndex, scope: Scope
) -> None:
    with open_index("one") as one, open_index("other") as other, open_index("third") as third:
        one.write(scope, [document("a", "needle", unit(1))])
        other.begin_rebuild().index.write(scope, [document("a", "needle", unit(1))])
        rebuild = third.begin_rebuild(resume=True)
        rebuild.index.write(scope, [document("a", "needle", unit(1))])
        rebuild.finish()
        assert third.fits()
        assert by_vector(third, scope, unit(1)) == ["a"]


def test_an_empty_index_fits_any_model(open_index: OpenIndex) -> None:
    with open_index("one") as index:
        assert index.fits()


# --- several at once


def test_one_opening_follows_what_another_writes(open_index: OpenIndex, scope: Scope) -> None:
    with open_index() as reader, open_index() as writer:
        writer.write(scope, [document("a", "needle", unit(1)), document("b", "needle", unit(1, 1))])
        assert by_vector(reader, scope, unit(1)) == ["a", "b"]
        writer.write(scope, [document("c", "needle", unit(1, 0.5))], ["a"])
        assert by_vector(reader, scope, unit(1)) == ["c", "b"]
        writer.write(scope, [], ["b", "c"])
        assert by_vector(reader, scope, unit(1)) == []
        writer.write(scope, [document("d", "needle", unit(1))])
        assert by_vector(reader, scope, unit(1)) == by_words(reader, scope, "needle") == ["d"]


def _write_in_a_process(open_index: OpenIndex, scope: Scope, number: int) -> None:
    with open_index() as index:
        for turn in range(25):
            index.write(
                scope, [document(f"{number}-{turn}", "needle", unit(1, number, turn)), document("same", "x")]
            )


def test_processes_and_threads_write_and_search_together(
    index: SearchIndex, open_index: OpenIndex, scope: Scope
) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_write_in_a_process, args=(open_index, scope, n)) for n in range(3)]
    for worker in workers:
        worker.start()

    def look(_: int) -> None:
        found = by_vector(index, scope, unit(1), limit=500)
        assert len(found) == len(set(found))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(look, range(40)))
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    expected = {f"{number}-{turn}" for number in range(3) for turn in range(25)}
    assert set(by_vector(index, scope, unit(1), limit=500)) == expected
    assert set(by_words(index, scope, "needle", limit=500)) == expected
    assert set(keys_of(index, scope)) == expected | {"same"}


def test_ranks_are_those_of_an_exact_search(index: SearchIndex, scope: Scope) -> None:
    vectors = np.random.default_rng(5).standard_normal((500, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    index.write(scope, [document(str(n), vector=each, third=str(n % 3)) for n, each in enumerate(vectors)])
    exact = [str(n) for n in np.argsort(-(vectors @ vectors[7])).tolist()]
    assert by_vector(index, scope, vectors[7], limit=20) == exact[:20]
    thirds = [key for key in exact if int(key) % 3 == 1]
    assert by_vector(index, scope, vectors[7], (("third", "1"),), limit=20) == thirds[:20]


# --- narrowed searches


def _noted(key: str, *labels: tuple[str, str], created: int = 0, updated: int = 0) -> Document:
    times = {"created_at": created, "updated_at": updated}
    return Document(key, KIND, "", "needle", labels=labels, times=times, vector=unit(1, len(key)))


def _narrowed(index: SearchIndex, scope: Scope, narrowing: Narrowing, limit: int = 200) -> list[str]:
    """The documents that both sides find, which must agree."""
    sides = ({"terms": ("needle",)}, {"vector": unit(1)})
    words, near = (
        sorted(
            each.key
            for each in index.search(scope, SearchQuery(KIND, narrowing=narrowing, limit=limit, **side))
        )
        for side in sides
    )
    assert words == near
    return words


def test_a_search_is_narrowed_by_labels_their_prefixes_and_times(index: SearchIndex, scope: Scope) -> None:
    index.write(
        scope,
        [
            _noted("a", ("tag", "x"), ("tag", "y"), ("path", "src/a"), created=10, updated=30),
            _noted("bb", ("tag", "y"), ("tag", "x=y"), ("path", "src"), created=20, updated=20),
            _noted("ccc", ("agent_id", "x"), ("path", "SRC/a"), created=30, updated=30),
            _noted("dddd"),
            Document("older", KIND, "", "needle", vector=unit(1)),
        ],
    )
    x, y, z = (Label("tag", each) for each in "xyz")
    src = Label("path", "src", prefix=True)
    for labels, expected in (
        ((), ["a", "bb", "ccc", "dddd", "older"]),
        (((x,),), ["a"]),
        (((x, y),), ["a", "bb"]),
        (((x,), (y,)), ["a"]),
        (((y, z), (src,)), ["a", "bb"]),
        (((src,),), ["a", "bb"]),
        (((Label("path", "src"),),), ["bb"]),
        (((Label("tag", "x=", prefix=True),),), ["bb"]),
        (((Label("tag", "", prefix=True),),), ["a", "bb"]),
        (((Label("ta", "", prefix=True),),), []),
        (((z,),), []),
        (((),), []),
    ):
        assert _narrowed(index, scope, Narrowing(labels)) == expected, labels
    for spans, expected in (
        ((Span("created_at", 20),), ["bb", "ccc"]),
        ((Span("created_at", 10, 30),), ["a", "bb"]),
        ((Span("created_at", None, 10),), ["dddd"]),
        ((Span("updated_at", 30), Span("created_at", None, 30)), ["a"]),
        ((Span("updated_at", 31),), []),
    ):
        assert _narrowed(index, scope, Narrowing(spans=spans)) == expected, spans
    assert _narrowed(index, scope, Narrowing(((y,),), (Span("created_at", 11),))) == ["bb"]


@pytest.mark.parametrize("value", ["a b", "é", "İ", "\x1f", "a\\u", "*?", "\0", "a\nb", "会", "", "x" * 200])
def test_a_label_matches_exactly_and_its_beginning_by_prefix(
    index: SearchIndex, scope: Scope, value: str
) -> None:
    index.write(scope, [_noted("whole", ("m", value)), _noted("longer", ("m", f"{value}z"))])
    assert _narrowed(index, scope, Narrowing(((Label("m", value),),))) == ["whole"]
    assert _narrowed(index, scope, Narrowing(((Label("m", value, prefix=True),),))) == ["longer", "whole"]


def test_a_narrowing_stands_before_the_cut_and_follows_writes(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [_noted(f"hay{number}", created=number) for number in range(1, 301)])
    index.write(scope, [_noted("needle", ("tag", "x"), created=400)])
    assert _narrowed(index, scope, Narrowing(((Label("tag", "x"),),)), limit=5) == ["needle"]
    assert _narrowed(index, scope, Narrowing(spans=(Span("created_at", 300),)), limit=5) == [
        "hay300",
        "needle",
    ]

    index.write(scope, [_noted("needle", created=1), _noted("hay7", ("tag", "x"))], ["hay300"])
    assert _narrowed(index, scope, Narrowing(((Label("tag", "x"),),))) == ["hay7"]
    assert _narrowed(index, scope, Narrowing(spans=(Span("created_at", 300),))) == []


def test_a_narrowed_search_sees_its_tenant_only(index: SearchIndex, scope: Scope, other_scope: Scope) -> None:
    for each in (scope, other_scope):
        index.write(each, [_noted(each.tenant, ("tag", "x"), created=5)])
    asked = Narrowing(((Label("tag", "x"),),), (Span("created_at", 5, 6),))
    assert _narrowed(index, scope, asked) == [scope.tenant]
    assert _narrowed(index, other_scope, asked) == [other_scope.tenant]
