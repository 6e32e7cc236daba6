"""Searches observations, and tells where else something would be found when a project has nothing."""

from collections import Counter
from dataclasses import replace

from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.services.search.filters import ObservationFilter
from strata.services.search.hits import ObservationHit, SearchResult
from strata.services.search.search import Searcher

MOST_PROJECTS = 5
_HITS = 50


def search_or_elsewhere(
    searcher: Searcher[ObservationFilter, ObservationHit],
    scope: Scope,
    query: str,
    wanted: ObservationFilter,
    *,
    limit: int,
    mode: Mode,
    min_score: float | None = None,
    min_relevance: float,
    rerank: bool = False,
) -> SearchResult[ObservationHit]:
    """Search; where nothing is found in a project, name the others in which the same search finds something.

    `elsewhere` of the result has up to five of the caller's projects, most hits first, of the 50 best hits of
    all projects, of which none is read by the reranker. None where the search in the project has hits or is
    degraded: then it does not say that the project has nothing.
    """

    def found(wanted: ObservationFilter, limit: int, *, rerank: bool) -> SearchResult[ObservationHit]:
        return searcher.search(
            scope,
            query,
            wanted,
            limit=limit,
            mode=mode,
            min_score=min_score,
            min_relevance=min_relevance,
            rerank=rerank,
        )

    result = found(wanted, limit, rerank=rerank)
    if wanted.project is None or result.hits or result.degraded:
        return result
    everywhere = found(replace(wanted, project=None), _HITS, rerank=False).hits
    counts = Counter(hit.project for hit in everywhere if hit.project != wanted.project)
    most = sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:MOST_PROJECTS]
    return replace(result, elsewhere=dict(most))
