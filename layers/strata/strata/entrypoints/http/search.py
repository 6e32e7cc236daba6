"""Search and read observations."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query

from strata.domain.errors import SwitchedOff
from strata.domain.retrieval import Mode
from strata.domain.scope import READ, Scope
from strata.domain.wire.fields import MAX_ROWS, Clamped
from strata.domain.wire.observations import Observation, SearchHit, TimelineEntry
from strata.entrypoints.http.api.answers import Reply
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import (
    IdentQuery,
    KindQuery,
    ObservationPath,
    ObservationQuery,
    OwnedFilterQuery,
    ProjectQuery,
    RelevanceQuery,
    RowsQuery,
    ScoreQuery,
    TextQuery,
)
from strata.entrypoints.observing import Observing
from strata.ports.clock import Clock
from strata.services.observations.read import Reader
from strata.services.search.elsewhere import search_or_elsewhere
from strata.services.search.filters import ObservationFilter
from strata.services.search.hits import ObservationHit
from strata.services.search.search import Searcher


def search_handler(
    identify: Caller,
    observing: Observing,
    searcher: Searcher[ObservationFilter, ObservationHit],
    reader: Reader,
    clock: Clock,
    *,
    default_mode: Mode,
    floor: float,
) -> Handler:
    """Routes to search observations, and to read single and recent ones."""
    api = Api(identify, observing)

    @api.route("GET", "/search", READ, answer=list[SearchHit], errors=(409,))
    def search_observations(
        caller: Scope,
        q: TextQuery,
        filters: OwnedFilterQuery,
        project: ProjectQuery = None,
        type: KindQuery = None,
        scope: KindQuery = None,
        limit: RowsQuery = 10,
        mode: Annotated[Mode, Query()] = default_mode,
        min_score: ScoreQuery = None,
        min_relevance: RelevanceQuery = None,
        include_superseded: Annotated[bool, Query()] = False,
        rerank: Annotated[bool, Query()] = False,
    ) -> Reply:
        """Search observations, best first; the tenant's global ones are included.

        What is not relevant is left out, so that a search can come back empty, and so is what was superseded.
        Where nothing is found in the project, the header `Strata-Elsewhere` names other projects in which
        something is, as a JSON object of the numbers of hits.
        With `rerank` the reranker reads the ten best hits of which the rules are unsure, which takes some
        tenths of a second: hits are ordered by the relevance that reading gives, and further ones of which
        the rules are unsure are left out. With a `min_relevance` of 0 nothing is read.
        """
        if rerank and not searcher.has_reranker:
            raise SwitchedOff("rerank: there is no reranker here; strata doctor says what relevance goes by")
        wanted = ObservationFilter(
            project=project,
            type=type,
            scope=scope,
            superseded=include_superseded,
            only=filters.at(clock.now_us()),
        )
        with observing.operation("search", project=project, query=q) as operation:
            result = search_or_elsewhere(
                searcher,
                caller,
                q,
                wanted,
                limit=limit,
                mode=mode,
                min_score=min_score,
                min_relevance=floor if min_relevance is None else min_relevance,
                rerank=rerank,
            )
            operation.found(result.hits, degraded=result.degraded)
        return Reply([_hit(hit) for hit in result.hits], result.degraded, elsewhere=result.elsewhere)

    @api.route("GET", "/observations/recent", READ, answer=list[Observation])
    def recent_observations(
        caller: Scope,
        filters: OwnedFilterQuery,
        project: ProjectQuery = None,
        type: KindQuery = None,
        scope: KindQuery = None,
        limit: RowsQuery = 20,
    ) -> Reply:
        """The newest observations, newest first."""
        behind = project is None and reader.lacks_projects(caller)
        found = reader.recent(
            caller,
            project=project,
            kind=type,
            scope_name=scope,
            limit=limit,
            only=filters.at(clock.now_us()),
        )
        return Reply(found, behind=behind)

    @api.route("GET", "/observations/<id>", READ, answer=Observation, errors=(404,))
    def get_observation(caller: Scope, id: ObservationPath, user_id: IdentQuery = None) -> Observation:
        """One observation; one of another user than the one named is not found."""
        return reader.get(caller, id, user_id)

    @api.route("GET", "/timeline", READ, answer=list[TimelineEntry], errors=(404,))
    def timeline(
        caller: Scope,
        observation_id: ObservationQuery,
        before: Annotated[int, Clamped(MAX_ROWS, least=0), Query()] = 3,
        after: Annotated[int, Clamped(MAX_ROWS, least=0), Query()] = 3,
        user_id: IdentQuery = None,
    ) -> list[TimelineEntry]:
        """An observation among its neighbours in time, oldest first, without other users' if one is named."""
        return reader.timeline(caller, observation_id, before=before, after=after, user_id=user_id)

    return api


def _hit(hit: ObservationHit) -> SearchHit:
    return SearchHit(
        id=hit.id,
        type=hit.type,
        title=hit.title,
        content=hit.content,
        rank=-hit.score,
        method=hit.method,
        relevance=hit.relevance,
        topic_key=hit.topic_key,
        superseded_by=hit.superseded_by,
        metadata=dict(hit.metadata) if hit.metadata else None,
    )
