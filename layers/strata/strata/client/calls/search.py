"""Search of observations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from strata.client.call import Call, model
from strata.client.calls.filters import Filters, filter_params
from strata.client.calls.parts import Later, params

if TYPE_CHECKING:
    from strata.domain.wire import observations
else:
    observations = Later("strata.domain.wire.observations")


def search(
    query: str,
    *,
    project: str | None = None,
    type: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
    mode: str | None = None,
    min_score: float | None = None,
    min_relevance: float | None = None,
    include_superseded: bool | None = None,
    rerank: bool | None = None,
    **filters: Unpack[Filters],
) -> Call[list[observations.SearchHit]]:
    """The observations that answer a question best; `mode` is hybrid, bm25 or vector.

    `GET /search`. What is not relevant is left out: `min_relevance` 0 brings the nearest, however far. What a
    newer observation superseded is left out unless `include_superseded` is true. Where nothing is found in
    the project, the header `Strata-Elsewhere` of the reply names other projects in which something is.
    With `rerank` the reranker reads the best ones.
    """
    given = params(
        q=query,
        project=project,
        type=type,
        scope=scope,
        limit=limit,
        mode=mode,
        min_score=min_score,
        min_relevance=min_relevance,
        include_superseded=include_superseded,
        rerank=rerank,
    )
    return Call("GET", "/search", model(lambda: list[observations.SearchHit]), given | filter_params(filters))


def timeline(
    observation_id: int,
    *,
    before: int | None = None,
    after: int | None = None,
    user_id: str | None = None,
) -> Call[list[observations.TimelineEntry]]:
    """An observation among those saved before and after it, oldest first, without those of other users.

    `GET /timeline`. All are given without `user_id`.
    """
    given = params(observation_id=observation_id, before=before, after=after, user_id=user_id)
    return Call("GET", "/timeline", model(lambda: list[observations.TimelineEntry]), given)
