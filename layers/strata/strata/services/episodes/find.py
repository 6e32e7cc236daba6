"""Finding episodes: of a conversation, the newest of a user, and those that match a query.

What was derived from the words of somebody who refuses is not found.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from strata.domain.errors import Unavailable
from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.domain.wire.episodes import (
    DEFAULT_OWNER,
    Episode,
    EpisodeQuery,
    MatchingEpisode,
    SimilarEpisode,
    match_type,
)
from strata.ports.search import SearchIndex, SearchQuery
from strata.ports.table import Table
from strata.services.episodes.recent import RecentEpisodes
from strata.services.people.consent import of_willing
from strata.services.records.episodes import EPISODE_KIND, episodes_pk, to_episode
from strata.services.records.kinds import EPISODES
from strata.services.records.sessions import session_key
from strata.services.search.change_notes import ChangeNotes
from strata.services.search.filters import EpisodeFilter
from strata.services.search.hits import EpisodeHit, SearchResult
from strata.services.search.search import Searcher
from strata.services.table.parallel import Parallel

MOST_OF_A_CONVERSATION = 1000

E = TypeVar("E", bound=Episode)


@dataclass(frozen=True, slots=True)
class EpisodeHits(Generic[E]):
    """The result of a search, best first; `degraded` where the index did not answer."""

    results: list[E]
    degraded: bool


@dataclass(frozen=True, slots=True)
class EpisodeFinder:
    """Lists and searches episodes."""

    table: Table
    index: SearchIndex
    change_notes: ChangeNotes
    parallel: Parallel
    searcher: Searcher[EpisodeFilter, EpisodeHit]
    newest: RecentEpisodes

    def of_conversation(self, scope: Scope, conversation_id: str) -> list[Episode]:
        """Return the newest thousand episodes of a conversation, oldest first.

        The table's index may lag by moments; change notes name the episodes it does not show yet.
        """
        session = self.table.get(scope, session_key(conversation_id)) or {}
        owners = dict.fromkeys(filter(None, (DEFAULT_OWNER, session.get("user_id"))))
        listed, changed = self.parallel.both(
            lambda: self.newest.of_session(scope, conversation_id, MOST_OF_A_CONVERSATION),
            lambda: self.change_notes.changed(scope, [episodes_pk(owner) for owner in owners], EPISODES),
        )
        rows = {EPISODES.row_key(row): row for row in listed}
        if changed.rows:
            now = self.table.get_many(scope, changed.rows)
            rows = {key: row for key, row in rows.items() if key not in changed.rows} | {
                key: row
                for key, row in now.items()
                if row.get("session_id") == conversation_id and EPISODES.is_whole(row)
            }
        ordered = sorted(rows.values(), key=lambda row: row["id"])
        given = of_willing(self.table, scope, ordered[-MOST_OF_A_CONVERSATION:])
        return [to_episode(row) for row in given]

    def recent(self, scope: Scope, user: str, limit: int) -> tuple[list[Episode], bool]:
        """Return a user's newest episodes, newest first, and whether the search index answers."""
        rows, available = self.parallel.both(
            lambda: self.newest.newest_wanted(scope, EpisodeFilter(owner=user), limit),
            lambda: self._answers(scope),
        )
        given = of_willing(self.table, scope, rows)
        if len(given) < len(rows):  # those that a client stored are behind those that are not told
            every = self.newest.newest_wanted(scope, EpisodeFilter(owner=user), MOST_OF_A_CONVERSATION)
            given = of_willing(self.table, scope, every)[:limit]
        return [to_episode(row) for row in given], available

    def _answers(self, scope: Scope) -> bool:
        try:
            self.index.search(scope, SearchQuery(EPISODE_KIND, terms=("probe",), limit=1))
        except Unavailable:
            return False
        return True

    def similar(self, scope: Scope, asked: EpisodeQuery) -> EpisodeHits[SimilarEpisode]:
        """Search an agent's episodes by cosine similarity to the query, best first (AEGIS)."""
        wanted = EpisodeFilter(agent_id=asked.agent_id, owner=asked.user_id, project=asked.project)
        answer = self._searched(scope, asked.query, wanted, asked.top_k, Mode.VECTOR)
        results = [
            SimilarEpisode(**dict(to_episode(hit.row)), similarity=min(1.0, max(-1.0, hit.score)))
            for hit in answer.hits
        ]
        return EpisodeHits(results, answer.degraded)

    def matching(
        self, scope: Scope, user: str, query: str, *, limit: int, mode: Mode, min_relevance: float = 0.0
    ) -> EpisodeHits[MatchingEpisode]:
        """Search a user's episodes by words, meaning or both, best first (agtOS).

        Less relevant ones than `min_relevance` are left out.
        """
        answer = self._searched(scope, query, EpisodeFilter(owner=user), limit, mode, min_relevance)
        results = [
            MatchingEpisode(**dict(to_episode(hit.row)), score=hit.score, match_type=match_type(hit.method))
            for hit in answer.hits
        ]
        return EpisodeHits(results, answer.degraded)

    def _searched(
        self,
        scope: Scope,
        query: str,
        wanted: EpisodeFilter,
        limit: int,
        mode: Mode,
        min_relevance: float = 0.0,
    ) -> SearchResult[EpisodeHit]:
        """The best `limit` episodes that may be told, however many better ones may not."""
        most = limit
        while True:
            answer = self.searcher.search(
                scope, query, wanted, limit=most, mode=mode, min_relevance=min_relevance
            )
            told = {row["id"] for row in of_willing(self.table, scope, [hit.row for hit in answer.hits])}
            given = [hit for hit in answer.hits if hit.row["id"] in told][:limit]
            if len(given) == limit or len(answer.hits) < most or most >= MOST_OF_A_CONVERSATION:
                return SearchResult(given, answer.degraded)
            most = min(most * 5, MOST_OF_A_CONVERSATION)
