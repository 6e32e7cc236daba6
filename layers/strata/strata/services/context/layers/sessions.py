"""The layer of sessions: summaries of a project's recent ones."""

from collections.abc import Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.retrieval import Candidate, Method, Ranked
from strata.domain.scope import Scope
from strata.ports.language import Lexicon
from strata.ports.rows import Item
from strata.services.context.layers.layer import ContextQuery, LayerAnswer, told
from strata.services.context.plain import LOOKED_AT, MAX_SUMMARIES
from strata.services.sessions.catalog import SessionCatalog

_CHOSEN_FROM = 30
"""The newest summaries that are ranked by a query."""


class SessionLayer:
    """At most three summaries: those that hold words of the query, then the newest."""

    name = "sessions"

    def __init__(self, sessions: SessionCatalog, lexicon: Lexicon, params: RankingParams) -> None:
        self._sessions = sessions
        self._lexicon = lexicon
        self._params = params

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        if query.project is None:
            return LayerAnswer([])
        given = frozenset(query.given_of(SessionLayer.name))
        most = _CHOSEN_FROM if query.text.strip() else MAX_SUMMARIES
        newest = self._sessions.summarized(scope, query.project, most)
        rows = [row for row in newest if _seen(row, query) and row["id"] not in given]
        if len(rows) < MAX_SUMMARIES and len(newest) == most:
            newest = self._sessions.summarized(scope, query.project, LOOKED_AT)
            rows = [row for row in newest if _seen(row, query) and row["id"] not in given][:most]
        ranked = self._ranked(query.text, rows)
        items = [_item(row, ranked.get(row["id"])) for row in rows]
        items.sort(key=lambda item: (-item.relevance, -item.order))
        return LayerAnswer(items[:MAX_SUMMARIES])

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        return [_item(row, None) for row in self._sessions.rows(scope, ids) if _seen(row, query)]

    def _ranked(self, query: str, rows: Sequence[Item]) -> dict[str, Ranked]:
        """The sessions whose summaries hold words of the query."""
        if not query.strip():
            return {}
        candidates = [
            Candidate(key=row["id"], title="", text=row["summary"], order=row["started_at"]) for row in rows
        ]
        ranked = rank(query, candidates, lexicon=self._lexicon, params=self._params)
        return {each.key: each for each in ranked if each.method is not Method.RECENCY}


def _seen(row: Item, query: ContextQuery) -> bool:
    """Whether a session has a summary that this user may see, in this project."""
    return (
        bool(row.get("summary"))
        and query.project in (None, row.get("project"))
        and (query.user_id is None or row.get("user_id") in (None, query.user_id))
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
        project=row.get("project") or "",
    )
