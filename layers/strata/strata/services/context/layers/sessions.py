"""The layer of sessions: what a project's recent ones were about."""

from collections.abc import Container, Iterable, Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.dedup import normalized
from strata.domain.scope import Scope
from strata.ports.rows import Item
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from strata.services.context.plain import CHOSEN_FROM, LOOKED_AT, MAX_SUMMARIES, passes
from strata.services.context.remembering import of_session, with_lines
from strata.services.context.texts import TextRanking
from strata.services.records.sessions import line_of
from strata.services.sessions.catalog import SessionCatalog


class SessionLayer:
    """At most three sessions: those relevant to the query, or the newest without one; each line once."""

    name = "sessions"

    def __init__(self, sessions: SessionCatalog, ranking: TextRanking) -> None:
        self._sessions = sessions
        self._ranking = ranking

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        if query.project is None:
            return LayerAnswer([])
        given = frozenset(query.given_of(SessionLayer.name))
        newest = self._sessions.summarized(scope, query.project, CHOSEN_FROM)
        rows = _new(newest, query, given)
        if len(rows) < MAX_SUMMARIES and len(newest) == CHOSEN_FROM:
            newest = self._sessions.summarized(scope, query.project, LOOKED_AT)
            rows = _new(newest, query, given)[:CHOSEN_FROM]
        if not query.text.strip():
            return LayerAnswer([of_session(row, None) for row in rows[:MAX_SUMMARIES]])
        lines = [(row["id"], line_of(row), row["started_at"]) for row in rows]
        ranked = self._ranking.ranked(query.text, lines, query.min_relevance)
        items = [of_session(row, ranked.get(row["id"])) for row in rows if query.fill or row["id"] in ranked]
        items.sort(key=lambda item: (-item.relevance, -item.order))
        return LayerAnswer(items[:MAX_SUMMARIES])

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        return [of_session(row, None) for row in self._sessions.rows(scope, ids) if _seen(row, query)]


def _new(rows: Iterable[Item], query: ContextQuery, given: Container[str]) -> list[Item]:
    """The sessions with a line of their own that the user may see and the conversation was not given."""
    seen = [row for row in rows if _seen(row, query)]
    told = {normalized(line_of(row)) for row in seen if row["id"] in given}
    return with_lines(row for row in seen if normalized(line_of(row)) not in told)


def _seen(row: Item, query: ContextQuery) -> bool:
    """Whether a session has a line that may be seen here: what a person told an agent is for that agent."""
    return (
        bool(line_of(row))
        and query.project in (None, row.get("project"))
        and (
            query.agent_id is None
            or row.get("user_id") is None
            or row.get("agent_id") in (None, query.agent_id)
        )
        and passes(row, query.only, query.user_id)
    )
