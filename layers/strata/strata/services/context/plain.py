"""The plain context of AgentOps: recent summaries, and the observations that matter to the turn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from strata.domain.assembly.items import Remembered
from strata.domain.assembly.prompt import as_text
from strata.domain.assembly.restated import echoes, restated
from strata.domain.filters import EVERYTHING, Filters
from strata.domain.retrieval import Method, Mode
from strata.domain.scope import Scope
from strata.domain.text.strings import both_ends, cut
from strata.domain.wire.contexts import (
    CONTEXT_CONTENT_RUNES,
    CONTEXT_QUERY_RUNES,
    Context,
    ContextObservation,
    ContextSession,
)
from strata.ports.rows import Item
from strata.services.context.remembering import of_observation, of_session, with_lines
from strata.services.context.texts import TextRanking
from strata.services.observations.read import Reader
from strata.services.records.sessions import line_of
from strata.services.search.filters import ObservationFilter
from strata.services.search.hits import ObservationHit, SearchResult
from strata.services.search.search import Searcher
from strata.services.sessions.catalog import SessionCatalog
from strata.services.table.parallel import Parallel

MAX_SUMMARIES = 3
MOST_PINNED = 10

CHOSEN_FROM = 30
"""The newest summaries that are ranked by a query."""

LOOKED_AT = 200
"""So many of the newest memories are searched for a user's own, where the query finds too few."""


@dataclass(frozen=True, slots=True)
class PlainAssembly:
    """A context and the hits in it; `degraded` is true when the index did not answer.

    `items` are its memories for `text`, their contents whole.
    """

    context: Context
    hits: list[ObservationHit]
    items: list[Remembered]
    degraded: bool


@dataclass(frozen=True, slots=True)
class PlainAssembler:
    """Assembles the context of one project, or of all."""

    sessions: SessionCatalog
    ranking: TextRanking
    searcher: Searcher[ObservationFilter, ObservationHit]
    reader: Reader
    parallel: Parallel
    pinned_tag: str = ""

    def assemble(
        self,
        scope: Scope,
        *,
        project: str | None,
        scope_name: str | None,
        query: str,
        limit: int,
        min_relevance: float = 0.0,
        fill: bool = True,
        only: Filters = EVERYTHING,
        user_id: str | None = None,
    ) -> PlainAssembly:
        """Ranked hits, then the newest observations, each once, and the newest three sessions (AgentOps).

        Only 500 characters of the query count; each content is cut to 300 characters. Hits below
        `min_relevance` are left out. Without `fill` a query brings what is relevant to it and nothing else,
        also of the sessions. `only` filters both; with `user_id` other users' are left out. Lines that say
        what the observations say are not among the items. Where it is filled, `context` has the summaries
        that AgentOps documents, else the lines of the sessions in `items`, which say what these were about.
        """
        wanted = ObservationFilter(project=project, scope=scope_name, user=user_id, only=only)
        chosen, (newest, sessions) = self.parallel.both(
            lambda: self.observations(
                scope, wanted, query=query, limit=limit, min_relevance=min_relevance, fill=fill
            ),
            lambda: self._sessions_of(scope, wanted, "" if fill else query, min_relevance),
        )
        notes = [of_observation(hit) for hit in chosen.hits]
        items = [*(self._unsaid(sessions, notes, query) if sessions and notes else sessions), *notes]
        lines = [item.content for item in items if item.layer == "sessions"]
        context = Context(
            recent_sessions=[ContextSession(summary=each) for each in (newest if fill else lines)],
            recent_observations=[
                ContextObservation(
                    type=hit.type, title=hit.title, content=cut(hit.content, CONTEXT_CONTENT_RUNES)
                )
                for hit in chosen.hits
            ],
        )
        return PlainAssembly(context, chosen.hits, items, chosen.degraded)

    def _unsaid(
        self, sessions: Sequence[Remembered], notes: Sequence[Remembered], query: str
    ) -> list[Remembered]:
        """The sessions without those whose line says, or was found by, what the observations say."""
        passages = self.ranking.passages(both_ends(query, CONTEXT_QUERY_RUNES))
        given = [passages.shown(item) for item in (*sessions, *notes)]
        said = {item.key for item in (*restated(given), *echoes(given, passages.best))}
        return [item for item in sessions if item.key not in said]

    def text(self, items: Iterable[Remembered], query: str, project: str | None) -> str:
        """The items for a prompt: of long ones the passages that answer the query."""
        passages = self.ranking.passages(both_ends(query, CONTEXT_QUERY_RUNES))
        return as_text([passages.shown(item) for item in items], project)

    def observations(
        self,
        scope: Scope,
        wanted: ObservationFilter,
        *,
        query: str,
        limit: int,
        min_relevance: float,
        fill: bool,
    ) -> SearchResult[ObservationHit]:
        """The observations of a context: ranked hits, then the newest; without a query, the newest."""
        filled = fill or not query.strip()
        result, names = self.parallel.both(
            lambda: self.searcher.search(
                scope,
                both_ends(query, CONTEXT_QUERY_RUNES),
                wanted,
                limit=limit,
                min_relevance=min_relevance,
                rerank=True,
            ),
            lambda: self.reader.projects(scope) if filled and wanted.project is None else None,
        )
        hits = self._with_pinned(scope, wanted, result.hits, limit)
        if filled and len(hits) < limit:
            recent = self._recent(scope, wanted, limit, names)
            if (wanted.user is not None or wanted.without) and len(recent) < limit < LOOKED_AT:
                recent = self._recent(scope, wanted, LOOKED_AT, names)
            known = {hit.id for hit in hits}
            others = (row for row in recent if row["id"] not in known)
            hits = [*hits, *(ObservationHit.of(row) for row in islice(others, limit - len(hits)))]
        return SearchResult(hits, result.degraded)

    def _with_pinned(
        self, scope: Scope, wanted: ObservationFilter, hits: list[ObservationHit], limit: int
    ) -> list[ObservationHit]:
        """The hits after the pinned memories, which are given whatever is asked."""
        tag = self.pinned_tag
        if not tag or not limit:
            return hits
        tagged = self.searcher.search(scope, tag, wanted, limit=MOST_PINNED, mode=Mode.BM25).hits
        known = {hit.id: hit for hit in hits}
        pinned = [
            known.get(hit.id) or replace(hit, score=0.0, relevance=0.0, method=Method.RECENCY)
            for hit in tagged
            if tag in hit.tags
        ]
        ids = {hit.id for hit in pinned}
        return [*pinned, *(hit for hit in hits if hit.id not in ids)][:limit]

    def _sessions_of(
        self,
        scope: Scope,
        wanted: ObservationFilter,
        query: str,
        min_relevance: float,
    ) -> tuple[list[str], list[Remembered]]:
        """The summaries of a project's newest sessions, as their ends gave them, and items of the newest.

        With a query the items are those relevant to it, best first.
        """
        if wanted.project is None:
            return [], []
        most = LOOKED_AT if wanted.only or wanted.user else CHOSEN_FROM
        newest = self.sessions.summarized(scope, wanted.project, most)
        newest = [row for row in newest if passes(row, wanted.only, wanted.user)][:CHOSEN_FROM]
        rows = with_lines(newest)
        if query.strip():
            known = {row["id"]: row for row in rows}
            texts = [(row["id"], line_of(row), row["started_at"]) for row in rows]
            ranked = self.ranking.ranked(both_ends(query, CONTEXT_QUERY_RUNES), texts, min_relevance)
            items = [of_session(known[key], found) for key, found in ranked.items()]
        else:
            items = [of_session(row, None) for row in rows]
        return [row["summary"] for row in newest[:MAX_SUMMARIES]], items[:MAX_SUMMARIES]

    def _recent(
        self, scope: Scope, wanted: ObservationFilter, most: int, names: Sequence[str] | None
    ) -> list[Item]:
        """The newest observations that the filter admits, newest first."""
        newest = self.reader.newest(
            scope,
            project=wanted.project,
            scope_name=wanted.scope,
            limit=most,
            names=names,
            only=wanted.only,
        )
        return [row for row in newest if wanted.admits(row)]


def passes(session: Item, only: Filters, user_id: str | None) -> bool:
    """Whether a session passes the filters and is no other user's.

    It is made when it starts, and changes when it ends.
    """
    if user_id is not None and session.get("user_id") not in (None, user_id):
        return False
    ended = session.get("ended_at") or session["started_at"]
    times = {"created_at": session["started_at"], "updated_at": ended}
    return not only or only.admits(session | {"session_id": session["id"]} | times)
