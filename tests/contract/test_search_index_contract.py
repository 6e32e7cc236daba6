"""The promises of every adapter of the port `SearchIndex`: ranks and membership, never raw scores."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope
from strata.domain.text.analysis import query_terms
from strata.ports.search import Document, SearchIndex, SearchQuery
from support.index_documents import KIND, by_vector, by_words, document, unit

# --- words


def test_any_of_the_words_finds_and_more_of_them_rank_higher(index: SearchIndex, scope: Scope) -> None:
    filler = [document(f"filler{number}", f"nothing of note {number}") for number in range(20)]
    index.write(
        scope,
        [document("one", "the parser is slow"), document("both", "the parser drops a token"), *filler],
    )
    assert by_words(index, scope, "parser token") == ["both", "one"]
    assert by_words(index, scope, "unheard") == []
    assert by_words(index, scope, "") == []


def test_english_words_match_by_their_stem(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document("a", "She was running migrations")])
    assert by_words(index, scope, "migration") == ["a"]
    assert by_words(index, scope, "runs") == ["a"]
    assert by_words(index, scope, "MIGRATE") == ["a"]


@pytest.mark.parametrize(
    ("text", "query", "finds"),
    [
        ("私は東京都に住んでいます", "東京", True),
        ("私は東京都に住んでいます", "京都に", True),
        ("私は東京都に住んでいます", "大阪", False),
        ("会议定于星期五", "星期五", True),
        ("데이터베이스를 옮겼다", "데이터베이스", True),
        ("ฐานข้อมูลช้า", "ข้อมูล", True),
        ("猫 and dog", "猫", True),
        ("Пользователь сменил пароль", "ПАРОЛЬ", True),
        ("غيّر المستخدم كلمة", "كلمة", True),
        ("Le café fermé", "cafe", True),
        ("deployed 🚀 today", "deployed", True),
        ("deployed 🚀 today", "🚀", True),
        ("deployed 🚀 today", "🌧", False),
    ],
)
def test_words_of_any_script_are_found(
    index: SearchIndex, scope: Scope, text: str, query: str, finds: bool
) -> None:
    index.write(scope, [document("a", text)])
    assert by_words(index, scope, query) == (["a"] if finds else [])


def test_titles_and_keywords_are_searched_as_the_text_is(index: SearchIndex, scope: Scope) -> None:
    index.write(
        scope,
        [
            Document("title", KIND, "Zebra crossing", "x"),
            Document("keywords", KIND, "t", "x", keywords="zebra stripes"),
            Document("text", KIND, "t", "a zebra"),
            Document("none", KIND, "t", "x", fields={"project": "zebra"}),
        ],
    )
    assert set(by_words(index, scope, "zebras")) == {"title", "keywords", "text"}


SYNTAX = ['"', '"" OR', "*", "a*", "NEAR(a b)", "AND", "OR", "NOT", "title:x", "{title}", "(", ")", "^a", "-"]
ODD = ["a\0b", "\0", "'; DROP TABLE words; --", "\\", '{"query":1}', "\ud800", "z" * 5000, "", " "]


@pytest.mark.parametrize("term", SYNTAX + ODD, ids=ascii)
def test_any_string_is_a_valid_term(index: SearchIndex, scope: Scope, term: str) -> None:
    index.write(scope, [document("plain", "ordinary words here")])
    query = SearchQuery(KIND, (term, "ordinary"), where=((("project", term), ("p", "q")),))
    assert index.search(scope, query) == []
    assert [each.key for each in index.search(scope, SearchQuery(KIND, (term, "ordinary")))] == ["plain"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=40), value=st.text(max_size=10))
def test_any_text_is_stored_and_any_query_answered(
    index: SearchIndex, scope: Scope, text: str, value: str
) -> None:
    index.write(scope, [Document("a", KIND, text, f"{text} anchor", text, fields={"f": value})])
    assert by_words(index, scope, "anchor", (("f", value),)) == ["a"]
    assert by_words(index, scope, f"{text} anchor") == ["a"]


def test_a_nul_hides_nothing_that_stands_after_it(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document("a", "before\0after")])
    assert by_words(index, scope, "after") == by_words(index, scope, "before") == ["a"]
    (candidate,) = index.search(scope, SearchQuery(KIND, ("after",)))
    assert candidate.text == "before\0after"


def test_a_query_of_very_many_words_is_answered(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document("a", "needle")])
    terms = (*(f"word{number}" for number in range(500)), "needle")
    assert [each.key for each in index.search(scope, SearchQuery(KIND, terms))] == ["a"]


# --- vectors


def test_the_nearest_vectors_come_first(index: SearchIndex, scope: Scope) -> None:
    index.write(
        scope,
        [
            document("far", vector=unit(0, 1)),
            document("near", vector=unit(1, 0.1)),
            document("middle", vector=unit(1, 1)),
            document("opposite", vector=unit(-1)),
            document("without"),
        ],
    )
    assert by_vector(index, scope, unit(1)) == ["near", "middle", "far", "opposite"]
    assert by_vector(index, scope, unit(1), limit=2) == ["near", "middle"]


def test_a_cosine_is_the_cosine(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document("same", vector=unit(1, 2, 3)), document("half", vector=unit(1, 1))])
    found = {each.key: each for each in index.search(scope, SearchQuery(KIND, vector=unit(1, 2, 3)))}
    assert found["same"].cosine == pytest.approx(1, abs=0.01)
    assert found["half"].cosine == pytest.approx(float(unit(1, 1) @ unit(1, 2, 3)), abs=0.01)


def test_a_document_found_by_both_sides_stands_once_with_both_scores(
    index: SearchIndex, scope: Scope
) -> None:
    index.write(
        scope,
        [
            document("both", "needle", unit(1)),
            document("words", "needle"),
            document("near", "hay", unit(1, 0.2)),
        ],
    )
    found = index.search(scope, SearchQuery(KIND, ("needle",), unit(1)))
    sides = {each.key: (each.bm25 is not None, each.cosine is not None) for each in found}
    assert len(found) == 3
    assert sides == {"both": (True, True), "words": (True, False), "near": (False, True)}


def test_each_side_brings_its_own_candidates(index: SearchIndex, scope: Scope) -> None:
    index.write(scope, [document(f"words{number}", "needle " * (9 - number)) for number in range(8)])
    index.write(scope, [document(f"near{number}", "hay", unit(1, 0.1 * number)) for number in range(8)])
    found = index.search(scope, SearchQuery(KIND, ("needle",), unit(1), limit=5))
    assert sum(each.bm25 is not None for each in found) == 5
    assert {each.key for each in found if each.cosine is not None} == {f"near{number}" for number in range(5)}


def test_an_unknown_kind_or_tenant_finds_nothing(index: SearchIndex, scope: Scope) -> None:
    assert index.search(scope, SearchQuery("never", ("needle",), unit(1))) == []
    assert list(index.catalog(scope, "never")) == []


def test_a_candidate_carries_all_that_was_written(index: SearchIndex, scope: Scope) -> None:
    whole = Document(
        "k",
        KIND,
        "Tïtle",
        "Text 文字",
        "tag key",
        2**53 - 1,
        "session",
        "before",
        {"type": "decision"},
        unit(1),
    )
    index.write(scope, [whole])
    (found,) = index.search(scope, SearchQuery(KIND, ("text",)))
    assert found.bm25 is not None
    expected = Candidate("k", "Tïtle", "Text 文字", "tag key", 2**53 - 1, "session", "before", found.bm25)
    expected.fields["type"] = "decision"
    assert found == expected


@pytest.mark.parametrize("strong", ["kept", "left"])
def test_a_search_by_both_sides_finds_the_words_that_a_search_by_words_finds(
    index: SearchIndex, scope: Scope, strong: str
) -> None:
    """Also where most documents pass the filter, and those that do not have more of the words."""
    halves = ["kept"] * 90 + ["left"] * 60
    texts = {"kept": "a needle in the hay", "left": "a needle in the hay"} | {strong: "needle needle"}
    index.write(
        scope,
        [
            document(f"{half}{number}", f"{texts[half]} {number}", unit(1, number), half=half)
            for number, half in enumerate(halves)
        ],
    )
    kept = (("half", "kept"),)
    alone = by_words(index, scope, "needle", kept, limit=10)
    query = SearchQuery(KIND, query_terms("needle"), vector=unit(1), where=(kept,), limit=10)
    both = [each.key for each in index.search(scope, query) if each.bm25 is not None]
    assert sorted(both) == sorted(alone)
    assert len(alone) == 10
    assert all(key.startswith("kept") for key in alone)
