"""Candidates straight from the table's rows, for what the index does not show or cannot answer."""

from collections.abc import Sequence

from strata.domain.analysis import stem, words
from strata.domain.retrieval import Candidate
from strata.ports import Embedder, Item, SearchQuery
from strata.services.indexing import embedded_text, fields, keywords


def candidates(rows: Sequence[Item], query: SearchQuery, embedder: Embedder) -> list[Candidate]:
    """The rows as an engine would propose them, found by word, by vector or both.

    The text score only counts the query's words: it tells that words found a row, not how well.
    """
    if not rows:
        return []
    asked = {stem(term) for term in query.terms}
    cosines = (
        embedder.embed([embedded_text(row) for row in rows]) @ query.vector
        if query.vector is not None
        else None
    )
    previous: dict[str, str] = {}
    before: dict[int, str | None] = {}
    for row in sorted(rows, key=lambda row: row["id"]):
        before[row["id"]] = previous.get(row["session_id"])
        previous[row["session_id"]] = str(row["id"])
    found = []
    for place, row in enumerate(rows):
        matched = len(asked & {stem(word) for word in words(embedded_text(row))}) if asked else 0
        found.append(
            Candidate(
                key=str(row["id"]),
                title=row["title"],
                text=row["content"],
                keywords=keywords(row),
                order=row["id"],
                session_id=row["session_id"],
                previous=before[row["id"]],
                bm25=float(matched) if matched else None,
                cosine=float(cosines[place]) if cosines is not None else None,
                fields=fields(row),
            )
        )
    return found
