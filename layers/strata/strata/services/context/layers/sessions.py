"""The summaries of a project's recent sessions."""

from collections.abc import Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.retrieval import Candidate, Method, Ranked
from strata.domain.scope import Scope
from strata.ports import Item, Lexicon
from strata.services.context.layers.layer import Asked, Recalled, told
from strata.services.context.plain import LOOKED_AT, MAX_SUMMARIES
from strata.services.sessions.catalog import SessionCatalog

_CHOSEN_FROM = 30
"""How many of the newest summaries a query chooses from."""


class SessionLayer:
    """Three summaries at most: those that speak of the query, then the newest."""

    name = "sessions"

    def __init__(self, sessions: SessionCatalog, lexicon: Lexicon, params: RankingParams) -> None:
        self._sessions = sessions
        self._lexicon = lexicon
        self._params = params

    def recall(self, scope: Scope, asked: Asked) -> Recalled:
        if asked.project is None:
            return Recalled([])
        given = frozenset(asked.given_of(SessionLayer.name))
        most = _CHOSEN_FROM if asked.query.strip() else MAX_SUMMARIES
        newest = self._sessions.summarized(scope, asked.project, most)
        rows = [row for row in newest if _seen(row, asked) and row["id"] not in given]
        if len(rows) < MAX_SUMMARIES and len(newest) == most:
            newest = self._sessions.summarized(scope, asked.project, LOOKED_AT)
            rows = [row for row in newest if _seen(row, asked) and row["id"] not in given][:most]
        ranked = self._ranked(asked.query, rows)
        items = [_item(row, ranked.get(row["id"])) for row in rows]
        items.sort(key=lambda item: (-item.relevance, -item.order))
        return Recalled(items[:MAX_SUMMARIES])

    def fetch(self, scope: Scope, asked: Asked, ids: Sequence[str]) -> Sequence[Remembered]:
        return [_item(row, None) for row in self._sessions.rows(scope, ids) if _seen(row, asked)]

    def _ranked(self, query: str, rows: Sequence[Item]) -> dict[str, Ranked]:
        """The sessions whose summaries hold words of the query."""
        if not query.strip():
            return {}
        candidates = [
            Candidate(key=row["id"], title="", text=row["summary"], order=row["started_at"]) for row in rows
        ]
        ranked = rank(query, candidates, lexicon=self._lexicon, params=self._params)
        return {each.key: each for each in ranked if each.method is not Method.RECENCY}


def _seen(row: Item, asked: Asked) -> bool:
    """Whether a session is there for this user, in this project."""
    return (
        bool(row.get("summary"))
        and asked.project in (None, row.get("project"))
        and (asked.user_id is None or row.get("user_id") in (None, asked.user_id))
    )


def _item(row: Item, found: Ranked | None) -> Remembered:
    return Remembered(
        layer=SessionLayer.name,
        id=row["id"],
        content=told(row["summary"]),
        order=row.get("ended_at") or row["started_at"],
        relevance=found.score if found else 0.0,
        method=found.method if found else Method.RECENCY,
        source=f"session:{row['id']}",
        type="session",
        title=row["id"],
    )
