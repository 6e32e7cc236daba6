"""The documents that hold a query's words, by FTS5."""

import sqlite3

from strata.adapters.sqlite.documents import Columns, Space, fetch, has_facets
from strata.adapters.sqlite.match import Where, match_expression
from strata.adapters.sqlite.narrow import condition
from strata.ports.search import SearchQuery

# The weights are those of title, text, keywords and facets. Facets only filter; how much more a title counts
# than a text is the ranking's matter. Ordered by the function, SQLite keeps the best rows only; ordered by
# FTS5's column `rank` it would sort all that match, which takes twice as long.
_BY_WORDS = (
    "SELECT rowid, bm25(words, 1.0, 1.0, 1.0, 0.0) AS score FROM words WHERE words MATCH ?"
    " AND rowid BETWEEN ? AND ?{} ORDER BY score, rowid LIMIT ?"
)
_NARROWED = " AND EXISTS (SELECT 1 FROM narrowings WHERE id = words.rowid AND {})"

_MOST = 0.5
"""From this share of the documents on, a filter is applied to what the words find."""

_SPARE = 20


def by_words(
    connection: sqlite3.Connection, space: Space, query: SearchQuery, share: float, found: dict[int, Columns]
) -> dict[int, float]:
    """Scores by id of the documents that hold any of the terms, best first; higher is better.

    A facet in FTS5's expression costs time with every row that matches, so a filter that most documents pass
    is applied to the best rows afterwards, which are the same ones.

    Args:
        connection: with a snapshot.
        space: where to search.
        query: the terms, the filter and the limit.
        share: the share of the documents that pass the filter, as far as it is known; else 0.
        found: documents that were read; others that are read are added.
    """
    if query.where and share > _MOST:
        enough = query.limit if share == 1 else int(query.limit / share * 1.2) + _SPARE
        best = _best(connection, space, query, (), enough)
        found |= fetch(connection, [number for number, _ in best if number not in found])
        passed = [(number, score) for number, score in best if has_facets(found[number], query.where)]
        if len(passed) >= query.limit or len(best) < enough:
            return dict(passed[: query.limit])
    best = _best(connection, space, query, query.where, query.limit)
    found |= fetch(connection, [number for number, _ in best if number not in found])
    return dict(best)


def _best(
    connection: sqlite3.Connection, space: Space, query: SearchQuery, where: Where, limit: int
) -> list[tuple[int, float]]:
    expression = match_expression(query.terms, where)
    if expression is None:
        return []
    sql, parameters = condition(query.narrowing)
    statement = _BY_WORDS.format(_NARROWED.format(sql) if sql else "")
    rows = connection.execute(statement, (expression, space.first, space.last, *parameters, limit))
    return [(number, -score) for number, score in rows]
