"""Episodes: AEGIS's routes, by agent and conversation, and agtOS's routes, by user."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import TypeAdapter

from strata.domain.retrieval import Mode
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.episodes import (
    ConversationEpisodes,
    Episode,
    EpisodeQuery,
    ForgottenEpisode,
    Ingested,
    MatchingEpisodes,
    NewEpisode,
    NewIngest,
    RecentEpisodes,
    SimilarEpisodes,
    StoredEpisode,
)
from strata.domain.wire.fields import Clamped
from strata.entrypoints.http.api.answers import Reply, fitting
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.identity import owner_of
from strata.entrypoints.http.api.parameters import IdentPath, OneUserQuery, RelevanceQuery, SomeTextQuery
from strata.entrypoints.observing import Observing
from strata.services.episodes.catalog import EpisodeCatalog
from strata.services.episodes.find import EpisodeFinder
from strata.services.episodes.ingest import Ingester

_dump = TypeAdapter(list[Episode]).dump_json


def episodes_handler(
    identify: Caller,
    observing: Observing,
    catalog: EpisodeCatalog,
    finder: EpisodeFinder,
    ingester: Ingester,
    *,
    default_mode: Mode,
    floor: float,
) -> Handler:
    """Routes to store, list, search and delete episodes."""
    api = Api(identify, observing)

    @api.route("POST", "/episodic/store", WRITE, answer=StoredEpisode, status=201)
    def store_episode(caller: Scope, new: Annotated[NewEpisode, Body()]) -> StoredEpisode:
        """Store what happened in a conversation; it is kept forever unless `ttl_days` is given."""
        return StoredEpisode(id=catalog.store(caller, new))

    @api.route("POST", "/episodic/search", READ, answer=SimilarEpisodes)
    def search_similar_episodes(caller: Scope, asked: Annotated[EpisodeQuery, Body()]) -> Reply:
        """Search an agent's episodes by cosine similarity, best first."""
        found = finder.similar(caller, asked)
        return Reply(SimilarEpisodes(results=found.results), found.degraded)

    @api.route("GET", "/episodic/<conversation_id>", READ, answer=ConversationEpisodes)
    def conversation_episodes(caller: Scope, conversation_id: IdentPath) -> Reply:
        """List the episodes of a conversation, oldest first."""
        newest = finder.of_conversation(caller, conversation_id)[::-1]
        _, left_out = fitting(newest, _dump)
        kept = newest[: len(newest) - left_out][::-1]
        return Reply(ConversationEpisodes(episodes=kept), left_out=left_out)

    @api.route("GET", "/api/memory/episodes", READ, answer=RecentEpisodes)
    def recent_episodes(
        caller: Scope, limit: Annotated[int, Clamped(100), Query()] = 20, user_id: OneUserQuery = None
    ) -> RecentEpisodes:
        """List a user's newest episodes, newest first."""
        recent, available = finder.recent(caller, owner_of(caller, user_id), limit)
        return RecentEpisodes(episodes=recent, count=len(recent), available=available)

    @api.route("GET", "/api/memory/search", READ, answer=MatchingEpisodes)
    def search_episodes(
        caller: Scope,
        q: SomeTextQuery,
        limit: Annotated[int, Clamped(50), Query()] = 10,
        mode: Annotated[Mode, Query()] = default_mode,
        user_id: OneUserQuery = None,
        min_relevance: RelevanceQuery = None,
    ) -> Reply:
        """Search a user's episodes by words, meaning or both, best first, without irrelevant ones."""
        least = floor if min_relevance is None else min_relevance
        owner = owner_of(caller, user_id)
        found = finder.matching(caller, owner, q, limit=limit, mode=mode, min_relevance=least)
        answer = MatchingEpisodes(query=q, results=found.results, count=len(found.results))
        return Reply(answer, found.degraded)

    @api.route("DELETE", "/api/memory/episodes/<id>", WRITE, answer=ForgottenEpisode, errors=(404,))
    def forget_episode(caller: Scope, id: IdentPath, user_id: OneUserQuery = None) -> ForgottenEpisode:
        """Delete one of a user's episodes."""
        catalog.forget(caller, owner_of(caller, user_id), id)
        return ForgottenEpisode(deleted=True, episode_id=id)

    @api.route("POST", "/api/memory/ingest", WRITE, answer=Ingested)
    def ingest_response(caller: Scope, new: Annotated[NewIngest, Body()]) -> Ingested:
        """Store an agent's response as an episode if it is worth remembering."""
        return ingester.ingest(caller, new, user=owner_of(caller, None))

    return api
