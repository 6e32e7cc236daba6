"""Episodes: what an agent lived through with one user."""

from collections.abc import Iterable, Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.retrieval import Method
from strata.domain.scope import Scope
from strata.ports import Table
from strata.services.context.layers.layer import Asked, Recalled, told
from strata.services.context.plain import LOOKED_AT
from strata.services.episodes.recent import RecentEpisodes
from strata.services.records.episodes import episode_id, episode_key, episode_number
from strata.services.search.filters import EpisodeFilter
from strata.services.search.search import Found, Searcher


class EpisodeLayer:
    """The user's episodes, with this agent and with none in particular: what answers the query, then the
    newest."""

    name = "episodes"

    def __init__(self, searching: Searcher[EpisodeFilter], recent: RecentEpisodes, table: Table) -> None:
        self._searching = searching
        self._recent = recent
        self._table = table

    def recall(self, scope: Scope, asked: Asked) -> Recalled:
        wanted = _wanted(asked)
        answer = self._searching.search(scope, asked.query, wanted, limit=asked.limit)
        found = list(answer.found)
        if len(found) < asked.limit:
            known = {each.row["id"] for each in found}
            most = min(asked.limit + len(known) + len(wanted.without), LOOKED_AT)
            newest = [row for row in self._recent.newest_wanted(scope, wanted, most) if wanted.admits(row)]
            found += [Found(row, 0.0, Method.RECENCY) for row in newest if row["id"] not in known]
        return Recalled([_item(each) for each in found[: asked.limit]], answer.degraded)

    def fetch(self, scope: Scope, asked: Asked, ids: Sequence[str]) -> Sequence[Remembered]:
        wanted = _wanted(asked)
        keys = [episode_key(asked.owner, number) for number in _numbers(ids)]
        rows = self._table.get_many(scope, keys) if keys else {}
        return [_item(Found(row, 0.0, Method.RECENCY)) for row in rows.values() if wanted.admits(row)]


def _wanted(asked: Asked) -> EpisodeFilter:
    return EpisodeFilter(
        agent_id=asked.agent_id,
        owner=asked.owner,
        or_of_none=True,
        without=frozenset(_numbers(asked.given_of(EpisodeLayer.name))),
    )


def _numbers(ids: Iterable[str]) -> list[int]:
    return [number for each in ids if (number := episode_number(each)) is not None]


def _item(found: Found) -> Remembered:
    row = found.row
    session = row.get("session_id")
    return Remembered(
        layer=EpisodeLayer.name,
        id=episode_id(row["id"]),
        content=told(row["summary"]),
        order=row["created_at"],
        relevance=found.score,
        method=found.method,
        importance=row["importance"],
        source=f"session:{session}" if row.get("derived") else None,
        type=row["type"],
        title=row.get("topic") or "",
    )
