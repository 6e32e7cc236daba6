"""Parses responses to searches."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from strata.adapters.opensearch.documents import candidate
from strata.adapters.opensearch.errors import Missing, blocked
from strata.domain.errors import Throttled, Unavailable
from strata.domain.retrieval import Candidate

Hits = Sequence[Mapping[str, Any]]


def version_of(hit: Mapping[str, Any]) -> tuple[str, int]:
    """Key and version of a document; 0 for one without a version."""
    return hit["sort"][0], hit["_source"].get("memory", {}).get("version", 0)


def hits(response: Mapping[str, Any]) -> Hits:
    """The hits of one search.

    Raises:
        Missing: there is no such index.
        Throttled, Blocked, Unavailable: it failed, or only a part of the index responded.
        KeyError, TypeError: it is not a response of OpenSearch.
    """
    if "error" in response:
        status, error = response.get("status"), response["error"]
        kind = error.get("type") if isinstance(error, dict) else None
        if status == 404:
            raise Missing(_reason(error))
        if block := blocked(int(status or 0), str(kind), _reason(error)):
            raise block
        if status == 429:
            raise Throttled("the search engine asks to slow down")
        # its kind alone, since this is logged: an engine's sentence may quote the query
        raise Unavailable(f"the search failed: {kind or status}")
    if response["timed_out"] or response["_shards"]["failed"]:
        raise Unavailable("only a part of the search index answered")
    found: Hits = response["hits"]["hits"]
    return found


def lacks_field(response: Mapping[str, Any], field: str) -> bool:
    """Whether a search failed because the index has no such field."""
    error = response.get("error")
    causes = [error, *(error.get("root_cause") or ())] if isinstance(error, dict) else []
    return any(isinstance(cause, dict) and f"'{field}'" in str(cause.get("reason")) for cause in causes)


def merged(found: Mapping[str, Hits], cosine: Callable[[float], float]) -> list[Candidate]:
    """One candidate for each document that a side found, with the scores of both.

    `found` holds the hits of the sides `bm25` and `knn`; `cosine` converts the latter's scores.
    """
    texts = {hit["_id"]: hit["_score"] for hit in found.get("bm25", ())}
    cosines = {hit["_id"]: cosine(hit["_score"]) for hit in found.get("knn", ())}
    stored = {hit["_id"]: hit["_source"] for side in found.values() for hit in side}
    return [candidate(held, texts.get(each), cosines.get(each)) for each, held in stored.items()]


def _reason(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error)
    causes = error.get("root_cause") or [error]
    return str(causes[0].get("reason"))
