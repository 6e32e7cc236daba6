"""Tells where else a search would find something, when it finds nothing in its project."""

from collections import Counter
from dataclasses import replace

from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.services.search.filters import ObservationFilter
from strata.services.search.hits import ObservationHit, SearchResult
from strata.services.search.search import Searcher

MOST_PROJECTS = 5
_HITS = 50


def found_elsewhere(
    result: SearchResult[ObservationHit],
    searcher: Searcher[ObservationFilter, ObservationHit],
    scope: Scope,
    query: str,
    wanted: ObservationFilter,
    *,
    mode: Mode,
    min_score: float | None = None,
    min_relevance: float = 0.0,
) -> dict[str, int]:
    """The other projects of the caller in which the same search finds something, with the number of hits.

    Up to five, most hits first, of the 50 best hits of all projects. None where `result`, the search in the
    project, has hits or is degraded: then it does not say that the project has nothing.
    """
    if wanted.project is None or result.hits or result.degraded:
        return {}
    anywhere = replace(wanted, project=None)
    found = searcher.search(
        scope,
        query,
        anywhere,
        limit=_HITS,
        mode=mode,
        min_score=min_score,
        min_relevance=min_relevance,
    )
    counts = Counter(hit.project for hit in found.hits)
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:MOST_PROJECTS])
