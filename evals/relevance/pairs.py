"""Labelled pairs of a query and a hit, with the evidence that the ranking saw."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evals.relevance.examples import LANGUAGES, Examples, Query, Row
from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.ranking.params import measured
from strata.domain.ranking.rank import rank
from strata.domain.relevance.asking import read
from strata.domain.relevance.evidence import FULL, LEXICAL, SENTENCES, Seen, full, lexical, sentences
from strata.domain.retrieval import Candidate
from strata.domain.text.analysis import query_terms, stem, words
from strata.ports.language import Embedder

DEPTH = 10
"""Hits of a query that are taken: those that a search gives by default."""

TITLE_RUNES = 100

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pair:
    """One hit of one query.

    `full`, `lexical` and `sentences` are the evidence; `turn` tells whether the hit is a turn, `helps`
    whether it helps.
    """

    query: Query
    full: Floats
    lexical: Floats
    sentences: Floats
    turn: bool
    helps: bool


class Recorder:
    """Keeps the evidence instead of judging it."""

    def __init__(self) -> None:
        self.found: tuple[Seen, NDArray[np.bool_]] | None = None

    def relevance(self, seen: Seen, turns: NDArray[np.bool_]) -> Floats:
        """Zeros."""
        self.found = seen, turns
        return np.zeros(len(seen.scores))


def title(row: Row) -> str:
    """The title that a row is saved under: a turn's speaker, a note's own or the beginning of its text."""
    return row.speaker or row.title or row.text[:TITLE_RUNES]


def pairs(examples: Examples, purposes: Mapping[str, float], embedder: Embedder) -> Iterator[Pair]:
    """The hits of queries that ask something: each in its projects, and in all of its language together.

    `purposes` has the log odds that a query has anything to look up, by its id.
    """
    lexicon = StaticEmbeddings()
    for language in LANGUAGES:
        projects = examples.projects(language)
        queries = [each for each in examples.queries if each.language == language]
        for name, rows in projects.items():
            fitting = [each for each in queries if each.fits(name)]
            yield from _of_store(rows, fitting, purposes, embedder, lexicon)
        whole = [row for rows in projects.values() for row in rows]
        yield from _of_store(
            whole, [each for each in queries if each.kind != "elsewhere"], purposes, embedder, lexicon
        )


def proposed(
    rows: Sequence[Row], queries: Sequence[Query], embedder: Embedder
) -> Iterator[tuple[Query, list[Candidate]]]:
    """Each query with all rows of a store as an engine would propose them."""
    stored = _candidates(rows)
    vectors = embedder.embed([f"{each.title} {each.text}" for each in stored])
    stems = [{stem(word) for word in words(f"{each.title} {each.text}")} for each in stored]
    for query in queries:
        asked = {stem(term) for term in query_terms(query.text)}
        cosines = vectors @ embedder.embed_query(query.text)
        yield (
            query,
            [
                replace(each, cosine=float(cosine), bm25=float(len(asked & own)) or None)
                for each, cosine, own in zip(stored, cosines, stems, strict=True)
            ],
        )


def _of_store(
    rows: Sequence[Row],
    queries: Sequence[Query],
    purposes: Mapping[str, float],
    embedder: Embedder,
    lexicon: StaticEmbeddings,
) -> Iterator[Pair]:
    params = measured(embedder.model)
    for query, candidates in proposed(rows, queries, embedder):
        recorder = Recorder()
        ranked = rank(query.text, candidates, lexicon=lexicon, params=params, calibration=recorder)
        assert recorder.found is not None
        seen, turns = recorder.found
        seen = replace(seen, purpose=purposes[query.id])
        if not seen.telling().any() or read(query.text).bare:
            continue
        places = {each.key: place for place, each in enumerate(candidates)}
        by_rank, by_words, by_sentences = full(seen), lexical(seen), sentences(seen)
        for hit in ranked[:DEPTH]:
            place = places[hit.key]
            turn = bool(turns[place])
            numbers = by_rank[place], by_words[place], by_sentences[place]
            yield Pair(query, *numbers, turn, hit.key in query.helps)


def _candidates(rows: Sequence[Row]) -> list[Candidate]:
    before: dict[str, str] = defaultdict()
    stored = []
    for order, row in enumerate(rows):
        session = f"{row.project}-{row.session}" if row.kind == "turn" else None
        stored.append(
            Candidate(
                key=row.id,
                title=title(row),
                text=row.text,
                order=order,
                session_id=session,
                previous=before.get(session) if session else None,
            )
        )
        if session:
            before[session] = row.id
    return stored


NAMES = {"full": FULL, "lexical": LEXICAL, "sentences": SENTENCES}
