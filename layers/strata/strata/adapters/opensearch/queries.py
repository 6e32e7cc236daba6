"""The requests of a search."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from strata.adapters.opensearch.dialect import MAX_HITS, Dialect
from strata.adapters.opensearch.documents import facet, label, rounded
from strata.domain.text.strings import encodable
from strata.ports.search import Narrowing, SearchQuery

MAX_WORDS = 1000
"""Words of a text search; the engine rejects more than 1 024 clauses."""

_WORD = re.compile(r"[^\W_]+")
_FETCHED = ["key", "memory"]


def sides(
    dialect: Dialect, tenant: str, query: SearchQuery, field: Callable[[], str]
) -> list[tuple[str, dict[str, Any]]]:
    """The searches of the query, each as (`bm25` or `knn`, body); none when nothing can match.

    `field` holds the vectors.
    """
    if query.limit < 1 or not all(query.where) or not all(query.narrowing.labels):
        return []
    limit = min(query.limit, MAX_HITS)
    chosen = [*filters(tenant, query.kind, query.where), *_narrowed(query.narrowing)]
    within = {"bool": {"filter": chosen}}
    asked: list[tuple[str, dict[str, Any]]] = []
    if clauses := _any_word(query.terms):
        by_words = {"bool": {"should": clauses, "minimum_should_match": 1, **within["bool"]}}
        asked.append(("bm25", _body(by_words, limit)))
    if query.vector is not None and query.vector.any():
        asked.append(("knn", _body(dialect.knn(field(), rounded(query.vector), limit, within), limit)))
    return asked


def any_vector(dialect: Dialect, field: str, dimensions: int) -> dict[str, Any]:
    """A search that matches nothing, and fails if the vector field is missing."""
    within: dict[str, Any] = {"bool": {"filter": filters("#", "#", ())}}
    return _body(dialect.knn(field, [1.0] + [0.0] * (dimensions - 1), 1, within), 0)


def counting(tenant: str, kind: str) -> dict[str, Any]:
    """A search that only counts the documents of a kind."""
    return {"size": 0, "query": {"bool": {"filter": filters(tenant, kind, ())}}, "track_total_hits": True}


def page_of_versions(
    tenant: str, kind: str, keys: Sequence[str] | None, after: str | None, size: int
) -> dict[str, Any]:
    """A page of keys and versions of a kind, or of those among `keys`, by key."""
    within: list[dict[str, Any]] = filters(tenant, kind, ())
    if keys is not None:
        within.append({"terms": {"key": [encodable(key) for key in keys]}})
    body: dict[str, Any] = {
        "size": size,
        "query": {"bool": {"filter": within}},
        "sort": [{"key": "asc"}],
        "_source": ["memory.version"],
        "track_total_hits": False,
    }
    if after is not None:
        body["search_after"] = [after]
    return body


def filters(
    tenant: str, kind: str, where: Iterable[Iterable[tuple[str, str]]]
) -> list[dict[str, dict[str, Any]]]:
    """Filters by tenant, kind, and one of each clause's facets."""
    return [
        {"term": {"tenant": tenant}},
        {"term": {"kind": encodable(kind)}},
        *({"terms": {"facets": [facet(*each) for each in clause]}} for clause in where),
    ]


def _narrowed(narrowing: Narrowing) -> Iterator[dict[str, Any]]:
    """Filters by one of each clause's labels, and by times."""
    for clause in narrowing.labels:
        exact = [label(each.name, each.value) for each in clause if not each.prefix]
        prefixes = [label(each.name, each.value) for each in clause if each.prefix]
        either: list[dict[str, Any]] = [{"prefix": {"facets": each}} for each in prefixes]
        either += [{"terms": {"facets": exact}}] if exact else []
        yield {"bool": {"should": either, "minimum_should_match": 1}}
    for span in narrowing.spans:
        ends = {"gte": span.first, "lt": span.end}
        yield {"range": {span.name: {name: end for name, end in ends.items() if end is not None}}}


def _any_word(terms: Iterable[str]) -> list[dict[str, Any]]:
    """A clause for all terms of one word each, and one for each term whose several words must all be there.

    `match` has no syntax: a term is always plain text.
    """
    single: list[str] = []
    clauses: list[dict[str, Any]] = []
    left = MAX_WORDS
    for term in map(encodable, terms):
        words = 1 if term.isalnum() else len(_WORD.findall(term))
        if words == 0 or words > left:
            continue
        left -= words
        if term.isalnum():
            single.append(term)
        else:
            clauses.append({"match": {"words": {"query": term, "operator": "and"}}})
    if single:
        clauses.append({"match": {"words": {"query": " ".join(single)}}})
    return clauses


def _body(query: dict[str, Any], limit: int) -> dict[str, Any]:
    return {"size": limit, "query": query, "_source": _FETCHED, "track_total_hits": False}
