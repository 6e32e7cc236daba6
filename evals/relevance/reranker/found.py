"""Searches of the labelled stores, with their candidates as the reranker reads them."""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evals.relevance import messages
from evals.relevance.examples import LANGUAGES, Examples, Query, load
from evals.relevance.pairs import proposed
from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.assembly.passages import Passages
from strata.domain.ranking.rank import rank
from strata.domain.relevance.asking import asks_something, read
from strata.domain.relevance.model import CALIBRATED
from strata.domain.retrieval import Candidate, Ranked
from strata.ports.reranker import Passage
from strata.services.search.reranking import passage_of

DEPTH = 20
"""The candidates of a query that are looked at, of those that the rules rank best."""

_STORES = 2
"""The stores that a query is asked of which no store helps with."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate of a query.

    Attributes:
        key: of the row.
        passage: it, as the reranker reads it.
        helps: whether it helps.
    """

    key: str
    passage: Passage
    helps: bool


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates of a query in one store, best first; the further rows that help follow."""

    query: Query
    hits: Sequence[Hit]


def author(name: str) -> str:
    """The author of a row or a query of `learn`, by its id; of other parts the beginning of the id."""
    return name.partition("-")[0]


def further_queries() -> list[Query]:
    """The messages as queries, with which no store helps."""
    kinds = {"ask": "missing"}
    return [
        Query(each.id, each.language, kinds.get(each.label, each.label), each.text)
        for each in messages.messages()
    ]


def found(
    parts: Iterable[str], further: Sequence[Query] = (), *, without: Collection[str] = (), seed: int = 0
) -> list[Found]:
    """The searches of these parts: answerable and missing queries in their project, others in two stores.

    `without` names authors whose stores and queries are left out.

    Queries that ask nothing, or are a few common words, are left out: nothing is read for them.
    """
    draw, embedder = random.Random(seed), StaticEmbeddings()
    examples = load(parts)
    examples = replace(
        examples,
        rows=tuple(each for each in examples.rows if author(each.id) not in without),
        queries=(*(each for each in examples.queries if author(each.id) not in without), *further),
    )
    return [each for language in LANGUAGES for each in _of(examples, language, draw, embedder)]


def _of(
    examples: Examples, language: str, draw: random.Random, embedder: StaticEmbeddings
) -> Iterator[Found]:
    projects = examples.projects(language)
    asked: dict[str, list[Query]] = {name: [] for name in projects}
    for query in examples.queries:
        if query.language != language or not asks_something(query.text) or read(query.text).bare:
            continue
        fitting = [name for name in projects if query.fits(name)]
        for name in draw.sample(fitting, min(_STORES, len(fitting))):
            asked[name].append(query)
    for name, queries in asked.items():
        for query, candidates in proposed(projects[name], queries, embedder):
            ranked = rank(query.text, candidates, lexicon=embedder, calibration=CALIBRATED[embedder.model])
            yield Found(query, _hits(query, ranked, candidates, embedder))


def _hits(
    query: Query, ranked: Sequence[Ranked], candidates: Sequence[Candidate], lexicon: StaticEmbeddings
) -> list[Hit]:
    texts: Mapping[str, Candidate] = {each.key: each for each in candidates}
    passages = Passages(query.text, lexicon)
    return [
        Hit(each.key, passage_of(each, texts, passages), each.key in query.helps)
        for place, each in enumerate(ranked)
        if place < DEPTH or each.key in query.helps
    ]
