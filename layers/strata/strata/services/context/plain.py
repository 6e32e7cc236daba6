"""What an agent's prompt gets on every turn: recent summaries, and the observations that matter now."""

from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.retrieval import Method
from strata.domain.scope import Scope
from strata.domain.text.recalled import untagged
from strata.domain.text.strings import cut
from strata.domain.wire.contexts import (
    CONTEXT_CONTENT_RUNES,
    CONTEXT_QUERY_RUNES,
    Context,
    ContextObservation,
    ContextSession,
)
from strata.ports import Item
from strata.services.observations.read import Reader
from strata.services.search.filters import ObservationFilter
from strata.services.search.search import Answer, Found, Searcher
from strata.services.sessions.catalog import SessionCatalog
from strata.services.table.parallel import Parallel

MAX_SUMMARIES = 3
LOOKED_AT = 200
"""How many of a project's newest memories a user's own are looked for among, where no query finds them."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """A context with the observations in it as they were found; `degraded` when the index was away."""

    context: Context
    found: list[Found]
    degraded: bool


class PlainContext:
    """Assembles the context of one project."""

    def __init__(
        self,
        sessions: SessionCatalog,
        searching: Searcher[ObservationFilter],
        reading: Reader,
        rounds: Parallel,
    ) -> None:
        self._sessions = sessions
        self._searching = searching
        self._reading = reading
        self._rounds = rounds

    def context(
        self, scope: Scope, *, project: str | None, scope_name: str | None, query: str, limit: int
    ) -> "Assembled":
        """Ranked hits first, then the most recent observations, never one twice; three summaries at most.

        The query counts up to 500 characters; each content is cut to 300 runes (AgentOps).
        """
        wanted = ObservationFilter(project=project, scope=scope_name)
        chosen, summaries = self._rounds.both(
            lambda: self.observations(scope, wanted, query=query, limit=limit),
            lambda: self._sessions.summaries(scope, project, MAX_SUMMARIES) if project is not None else [],
        )
        context = Context(
            recent_sessions=[ContextSession(summary=summary) for summary in summaries],
            recent_observations=[
                ContextObservation(
                    type=hit.row["type"],
                    title=hit.row["title"],
                    content=cut(hit.row["content"], CONTEXT_CONTENT_RUNES),
                )
                for hit in chosen.found
            ],
        )
        return Assembled(context, chosen.found, chosen.degraded)

    def observations(self, scope: Scope, wanted: ObservationFilter, *, query: str, limit: int) -> Answer:
        """The observations of a context, each with why it is there."""
        answer, names = self._rounds.both(
            lambda: self._searching.search(scope, cut(query, CONTEXT_QUERY_RUNES), wanted, limit=limit),
            lambda: self._reading.projects(scope) if wanted.project is None else None,
        )
        chosen = list(answer.found)
        if len(chosen) < limit:
            recent = self._recent(scope, wanted, limit, names)
            if (wanted.user is not None or wanted.without) and len(recent) < limit < LOOKED_AT:
                recent = self._recent(scope, wanted, LOOKED_AT, names)
            known = {hit.row["id"] for hit in chosen}
            chosen += [Found(row, 0.0, Method.RECENCY) for row in recent if row["id"] not in known]
        return Answer(chosen[:limit], answer.degraded)

    def _recent(
        self, scope: Scope, wanted: ObservationFilter, most: int, names: Sequence[str] | None
    ) -> list[Item]:
        """Those that are wanted of a project's newest observations, newest first."""
        newest = self._reading.newest(
            scope, project=wanted.project, scope_name=wanted.scope, limit=most, names=names
        )
        return [row for row in newest if wanted.admits(row)]


def as_text(context: Context) -> str:
    """A context as AgentOps's client puts it into a prompt; empty parts are left out."""
    text = _block("memory:sessions", [session.summary for session in context.recent_sessions])
    return text + _block(
        "memory:context",
        [f"[{seen.type}] {seen.title}: {seen.content}" for seen in context.recent_observations],
    )


def _block(tag: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    return "\n".join([f"<{tag}>", *(f"- {untagged(line)}" for line in lines), f"</{tag}>"]) + "\n"
