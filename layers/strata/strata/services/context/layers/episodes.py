"""The layer of episodes: summaries of an agent's conversations with one user."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from strata.domain.assembly.items import Remembered
from strata.domain.scope import Scope
from strata.domain.summary import only_counts
from strata.ports.rows import Item
from strata.ports.table import Table
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from strata.services.context.plain import LOOKED_AT
from strata.services.episodes.recent import RecentEpisodes
from strata.services.records.episodes import episode_id, episode_key, episode_number, project_of
from strata.services.search.filters import EpisodeFilter
from strata.services.search.hits import EpisodeHit
from strata.services.search.search import Searcher


@dataclass(frozen=True, slots=True)
class EpisodeLayer:
    """The user's episodes with this agent and with none: those relevant to the query, or the newest."""

    name = "episodes"

    searcher: Searcher[EpisodeFilter, EpisodeHit]
    recent: RecentEpisodes
    table: Table

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        wanted = _wanted(query)
        result = self.searcher.search(
            scope, query.text, wanted, limit=query.limit, min_relevance=query.min_relevance, rerank=True
        )
        hits = result.hits
        if len(hits) < query.limit and (query.fill or not query.text.strip()):
            known = {hit.row["id"] for hit in hits}
            most = LOOKED_AT if query.only else min(query.limit + len(known) + len(wanted.without), LOOKED_AT)
            newest = [row for row in self.recent.newest_wanted(scope, wanted, most) if wanted.admits(row)]
            hits = [*hits, *(EpisodeHit(row) for row in newest if row["id"] not in known)]
        return LayerAnswer([_item(hit) for hit in hits if _line(hit.row)][: query.limit], result.degraded)

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        wanted = _wanted(query)
        keys = [episode_key(query.owner, number) for number in _numbers(ids)]
        rows = self.table.get_many(scope, keys) if keys else {}
        return [_item(EpisodeHit(row)) for row in rows.values() if wanted.admits(row) and _line(row)]


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


def _item(hit: EpisodeHit) -> Remembered:
    row = hit.row
    session = row.get("session_id")
    return Remembered(
        layer=EpisodeLayer.name,
        id=episode_id(row["id"]),
        content=_line(row),
        order=row["created_at"],
        relevance=hit.relevance,
        method=hit.method,
        importance=row["importance"],
        source=f"session:{session}" if row.get("derived") else None,
        type=row["type"],
        project=project_of(row) or "",
        title=row.get("topic") or "",
    )
