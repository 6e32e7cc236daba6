"""Candidates made from the table's rows, for memories that the index does not show yet."""

import logging
from collections.abc import Callable, Sequence
from heapq import nlargest
from itertools import zip_longest
from typing import TYPE_CHECKING

from strata.domain.errors import ModelFailed, Unavailable
from strata.domain.retrieval import Candidate
from strata.domain.text.analysis import stem, words
from strata.ports.language import Embedder
from strata.ports.rows import Item
from strata.ports.search import SearchQuery
from strata.services.records.kinds import Kind, embedded_text

if TYPE_CHECKING:
    from strata.ports.language import Vectors

MAX_WORDS = 8_192
"""The most distinct words of rows that a search embeds: each word costs some 40 µs, however odd."""

_log = logging.getLogger("strata.search")


def candidates(kind: Kind, rows: Sequence[Item], query: SearchQuery, embedder: Embedder) -> list[Candidate]:
    """The rows as an engine would propose them, found by word, by vector or both.

    The text score only counts the query's words: it shows that words found a row, not how well.
    """
    if not rows:
        return []
    asked = {stem(term) for term in query.terms}
    documents = [kind.document(row) for row in rows]
    texts = [embedded_text(document) for document in documents]
    split = [words(text) for text in texts]
    cosines = _cosines(_beginnings(texts, split), query.vector, embedder)
    previous: dict[str, str] = {}
    before: dict[str, str | None] = {}
    for document in sorted(documents, key=lambda document: document.order):
        if document.session_id is not None:
            before[document.key] = previous.get(document.session_id)
            previous[document.session_id] = document.key
    found = []
    for place, (document, said) in enumerate(zip(documents, split, strict=True)):
        matched = len(asked & {stem(word) for word in said}) if asked else 0
        found.append(
            Candidate(
                key=document.key,
                title=document.title,
                text=document.text,
                keywords=document.keywords,
                order=document.order,
                session_id=document.session_id,
                previous=before.get(document.key),
                bm25=float(matched) if matched else None,
                cosine=float(cosines[place]) if cosines is not None else None,
                fields=dict(document.fields),
            )
        )
    return found


def best(found: Sequence[Candidate], most: int) -> list[Candidate]:
    """The `most` best candidates by words, and by meaning, as an engine gives them; of equals the newer."""
    by_words = nlargest(most, found, key=lambda each: each.bm25 or 0.0)
    by_meaning = nlargest(most, found, key=lambda each: each.cosine or 0.0)
    return list({each.key: each for each in (*by_words, *by_meaning)}.values())


def embedded(make: "Callable[[], Vectors]") -> "Vectors | None":
    """The vectors that an embedder makes; None if it does not answer, since the search must go on."""
    try:
        return make()
    except (ModelFailed, Unavailable) as error:
        _log.warning("searching without vectors: %s", error.message)
        return None


def _beginnings(texts: Sequence[str], split: Sequence[Sequence[str]]) -> Sequence[str]:
    """The texts, given with their words; of too many distinct words, the first of each text."""
    distinct: set[str] = set()
    for most, turn in enumerate(zip_longest(*split)):
        distinct.update(word for word in turn if word is not None)
        if len(distinct) > MAX_WORDS:
            return [
                text[: len(text) * most // len(said)] if len(said) > most else text
                for text, said in zip(texts, split, strict=True)
            ]
    return texts


def _cosines(texts: Sequence[str], vector: "Vectors | None", embedder: Embedder) -> "Vectors | None":
    if vector is None or len(texts) > embedder.at_once:
        return None
    vectors = embedded(lambda: embedder.embed(texts, soon=True))
    return None if vectors is None else vectors @ vector
