"""The layer of episodes: summaries of an agent's conversations with one user."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from strata.domain.assembly.items import Remembered
from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope
from strata.domain.summary import only_counts
from strata.domain.wire.episodes import RESPONSE_INGEST
from strata.ports.rows import Item
from strata.ports.table import Table
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from strata.services.context.plain import LOOKED_AT
from strata.services.episodes.recent import RecentEpisodes
from strata.services.people.consent import of_willing, refusing
from strata.services.records.episodes import episode_id, episode_key, episode_number, project_of
from strata.services.records.kinds import DERIVED
from strata.services.search.filters import EpisodeFilter
from strata.services.search.hits import EpisodeHit
from strata.services.search.search import Searcher
from strata.services.table.parallel import Parallel


@dataclass(frozen=True, slots=True)
class EpisodeLayer:
    """The user's episodes with this agent and with none: those relevant to the query, or the newest.

    Of who refuses none that was derived from their words.
    """

    name = "episodes"

    searcher: Searcher[EpisodeFilter, EpisodeHit]
    recent: RecentEpisodes
    table: Table
    parallel: Parallel

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        wanted = _wanted(query)
        result, silent = self.parallel.both(
            lambda: self.searcher.search(
                scope,
                query.text,
                wanted,
                limit=query.limit,
                min_relevance=query.min_relevance,
                rerank=True,
                read=_as_given,
            ),
            lambda: self._silent(scope, query),
        )
        hits = [hit for hit in result.hits if not (silent and hit.row.get("derived"))]
        if len(hits) < query.limit and (query.fill or not query.text.strip()):
            known = {hit.row["id"] for hit in hits}
            most = LOOKED_AT if query.only else min(query.limit + len(known) + len(wanted.without), LOOKED_AT)
            newest = [row for row in self.recent.newest_wanted(scope, wanted, most) if wanted.admits(row)]
            new = [row for row in newest if row["id"] not in known and not (silent and row.get("derived"))]
            hits = [*hits, *map(EpisodeHit, new)]
        return LayerAnswer([_item(hit) for hit in hits if _line(hit.row)][: query.limit], result.degraded)

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        wanted = _wanted(query)
        keys = [episode_key(query.owner, number) for number in _numbers(ids)]
        rows = self.table.get_many(scope, keys) if keys else {}
        given = of_willing(self.table, scope, list(rows.values()))
        return [_item(EpisodeHit(row)) for row in given if wanted.admits(row) and _line(row)]

    def _silent(self, scope: Scope, query: ContextQuery) -> bool:
        return bool(refusing(self.table, scope, [query.owner]))


def _wanted(query: ContextQuery) -> EpisodeFilter:
    return EpisodeFilter(
        agent_id=query.agent_id,
        owner=query.owner,
        or_of_none=True,
        project=query.project,
        only=query.only,
        without=frozenset(_numbers(query.given_of(EpisodeLayer.name))),
    )


def _numbers(ids: Iterable[str]) -> list[int]:
    return [number for each in ids if (number := episode_number(each)) is not None]


def _line(row: Item) -> str:
    """The text of an episode; "" for one whose conversation only had its messages counted."""
    return "" if row.get("derived") and only_counts(row["summary"]) else str(row["summary"])


def _as_given(candidate: Candidate) -> Candidate:
    """A derived episode without its topic and keywords, which are of more than the summary that it gives."""
    return replace(candidate, title="", keywords="") if candidate.fields.get(DERIVED) else candidate


def _item(hit: EpisodeHit) -> Remembered:
    row = hit.row
    session = row.get("session_id") if row.get("derived") else None
    has_line = session is not None and row["type"] != RESPONSE_INGEST  # an answer alone is not its session
    return Remembered(
        layer=EpisodeLayer.name,
        id=episode_id(row["id"]),
        content=_line(row),
        order=row["created_at"],
        relevance=hit.relevance,
        method=hit.method,
        importance=row["importance"],
        source=f"session:{session}" if has_line else None,
        twin=f"sessions:{session}" if has_line else None,
        session_id=session,
        type=row["type"],
        project=project_of(row) or "",
        title=row.get("topic") or "",
    )
