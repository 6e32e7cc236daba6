"""Requests to the engine: filters inside both sides, ids and facets that cannot collide, dialects."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.documents import document_id, facet, source
from strata.adapters.opensearch.mapping import FIRST_MODEL, index_body
from strata.adapters.opensearch.queries import MAX_WORDS, sides
from strata.ports.language import EmbeddingModel
from strata.ports.search import Document, SearchQuery

MODEL = EmbeddingModel(FIRST_MODEL, 8)
TEXT = st.text(max_size=12) | st.text("=#:ab", max_size=6)
CLAUSE = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3).map(tuple)
TERM = st.text(max_size=8) | st.text("abc _'\u0301", max_size=8)


def field() -> str:
    return "vector"


def vector(*values: float) -> Any:
    return np.array(values, np.float32)


# --- both sides


@given(terms=st.lists(TERM, max_size=6).map(tuple), where=st.lists(CLAUSE, max_size=3).map(tuple))
def test_tenant_kind_and_every_clause_stand_inside_both_sides(
    terms: tuple[str, ...], where: tuple[tuple[tuple[str, str], ...], ...]
) -> None:
    asked = dict(sides(Dialect(), "acme", SearchQuery("k", terms, vector(1, 0), where), field))
    within = [body["query"]["bool"]["filter"] for side, body in asked.items() if side == "bm25"]
    within.append(asked["knn"]["query"]["knn"]["vector"]["filter"]["bool"]["filter"])
    for filters in within:
        assert filters[:2] == [{"term": {"tenant": "acme"}}, {"term": {"kind": "k"}}]
        assert [set(each["terms"]["facets"]) for each in filters[2:]] == [
            {facet(*pair) for pair in clause} for clause in where
        ]
    assert json.loads(json.dumps(asked).encode()) == asked


def test_what_cannot_match_is_not_asked() -> None:
    def names(query: SearchQuery) -> list[str]:
        return [side for side, _ in sides(Dialect(), "acme", query, field)]

    assert names(SearchQuery("k", ("needle",), vector(1, 0))) == ["bm25", "knn"]
    assert names(SearchQuery("k", ("needle",), vector(0, 0))) == ["bm25"]
    assert names(SearchQuery("k", ("", "*", "!?"), vector(1, 0))) == ["knn"]
    assert names(SearchQuery("k", ("needle",), where=((),))) == []
    assert names(SearchQuery("k", ("needle",), limit=0)) == []


@given(st.lists(st.text("ab _", min_size=1, max_size=2000), max_size=40))
def test_no_query_has_more_words_than_the_engine_takes(terms: list[str]) -> None:
    for _, body in sides(Dialect(), "acme", SearchQuery("k", (*terms, *("w",) * 2000)), field):
        matches = [each["match"]["words"]["query"] for each in body["query"]["bool"]["should"]]
        assert sum(len(match.replace("_", " ").split()) for match in matches) <= MAX_WORDS


def test_neighbours_are_looked_for_widely_even_if_few_are_wanted() -> None:
    ((_, body),) = sides(Dialect(), "acme", SearchQuery("k", vector=vector(1, 0), limit=3), field)
    assert body["size"] == 3
    assert body["query"]["knn"]["vector"]["k"] == 100


# --- ids and facets


@given(st.tuples(TEXT, TEXT), st.tuples(TEXT, TEXT))
def test_facets_of_different_pairs_differ(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (facet(*one) == facet(*other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [(("a=b", "c"), ("a", "b=c")), (("a", "x" * 600), ("a", "x" * 601)), (("a", "\ud800"), ("a", "?"))],
    ids=ascii,
)
def test_facets_that_look_alike_differ(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert facet(*one) != facet(*other)


def test_a_facet_can_be_read_by_an_operator() -> None:
    assert facet("project", "Größe/1 b=c") == "project=Größe/1 b=c"


def test_ids_differ_by_tenant_and_stay_short() -> None:
    assert document_id("acme", "1") != document_id("acme2", "1")
    assert document_id("acme", "2#1") != document_id("acme", "1")
    assert len(document_id("a" * 100, "k" * 5000)) < 512


@given(title=TEXT, text=TEXT, name=TEXT, value=TEXT)
def test_a_document_is_always_valid_json(title: str, text: str, name: str, value: str) -> None:
    made = source(
        "acme", Document("k", "k", title, text, fields={name: value}, vector=vector(0.6, 0.8)), field
    )
    assert json.loads(json.dumps(made, ensure_ascii=False).encode()) == made
    assert made["vector"] == [0.6, 0.8]


def test_a_vector_without_direction_is_left_out() -> None:
    assert "vector" not in source("acme", Document("k", "k", "", "", vector=vector(0, 0)), field)


# --- dialects

SCORES = {
    ("lucene", "cosinesimil"): lambda cosine: (1 + cosine) / 2,
    ("faiss", "cosinesimil"): lambda cosine: (1 + cosine) / 2,
    (None, "cosinesimil"): lambda cosine: (1 + cosine) / 2,
    ("nmslib", "cosinesimil"): lambda cosine: 1 / (1 + (1 - cosine)),
    ("faiss", "innerproduct"): lambda cosine: cosine + 1 if cosine >= 0 else 1 / (1 - cosine),
}
"""The scores of the k-NN documentation."""


@pytest.mark.parametrize("engine", SCORES, ids=str)
@pytest.mark.parametrize("cosine", [-1, -0.4, 0, 0.5, 1])
def test_a_score_is_read_as_the_cosine_it_stands_for(engine: Any, cosine: float) -> None:
    dialect = Dialect(engine=engine[0], space=engine[1])
    assert dialect.cosine(SCORES[engine](cosine)) == pytest.approx(cosine)


def test_a_nextgen_collection_is_told_neither_engine_nor_shards_nor_intervals() -> None:
    body = index_body(Dialect.nextgen(), MODEL)
    field = body["mappings"]["properties"]["vector"]
    assert "engine" not in field["method"]
    assert field["compression_level"] == "1x"
    assert set(body["settings"]["index"]) == {"knn", "similarity"}


def test_a_domain_is_told_what_was_set() -> None:
    body = index_body(Dialect(engine="faiss", m=24, ef_construction=200, shards=3, k1=1.2, b=0.75), MODEL)
    assert body["mappings"]["properties"]["vector"]["dimension"] == 8
    method = body["mappings"]["properties"]["vector"]["method"]
    assert (method["engine"], method["parameters"]) == ("faiss", {"m": 24, "ef_construction": 200})
    settings = body["settings"]["index"]
    assert (settings["number_of_shards"], settings["number_of_replicas"]) == (3, 1)
    assert settings["similarity"]["bm25"] == {"type": "BM25", "k1": 1.2, "b": 0.75}


def test_the_width_of_a_search_is_told_to_engines_that_take_one() -> None:
    query = SearchQuery("k", vector=vector(1, 0))
    engines: dict[Any, Any] = {"lucene": None, "faiss": {"ef_search": 256}}
    for engine, told in engines.items():
        dialect = replace(Dialect(), engine=engine, ef_search=256)
        ((_, body),) = sides(dialect, "acme", query, field)
        assert body["query"]["knn"]["vector"].get("method_parameters") == told
