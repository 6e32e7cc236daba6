"""Observations: what was learnt in a project, and the tenant's global ones."""

from collections.abc import Iterable, Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.retrieval import Method
from strata.domain.scope import Scope
from strata.services.context.layers.layer import Asked, Recalled, told
from strata.services.context.plain import PlainContext
from strata.services.observations.read import Reader
from strata.services.search.filters import ObservationFilter
from strata.services.search.search import Found


class ObservationLayer:
    """As AgentOps's context chooses them: ranked hits first, then the newest."""

    name = "observations"

    def __init__(self, contexts: PlainContext, reading: Reader) -> None:
        self._contexts = contexts
        self._reading = reading

    def recall(self, scope: Scope, asked: Asked) -> Recalled:
        answer = self._contexts.observations(scope, _wanted(asked), query=asked.query, limit=asked.limit)
        return Recalled([_item(found) for found in answer.found], answer.degraded)

    def fetch(self, scope: Scope, asked: Asked, ids: Sequence[str]) -> Sequence[Remembered]:
        rows = self._reading.by_ids(scope, _numbers(ids))
        wanted = _wanted(asked)
        return [_item(Found(row, 0.0, Method.RECENCY)) for row in rows if wanted.admits(row)]


def _wanted(asked: Asked) -> ObservationFilter:
    return ObservationFilter(
        project=asked.project,
        scope=asked.scope_name,
        user=asked.user_id,
        without=frozenset(_numbers(asked.given_of(ObservationLayer.name))),
    )


def _numbers(ids: Iterable[str]) -> list[int]:
    return [int(each) for each in ids if each.isascii() and each.isdigit()]


def _item(found: Found) -> Remembered:
    row = found.row
    kind, title = told(row["type"]), told(row["title"])
    return Remembered(
        layer=ObservationLayer.name,
        id=row["id"],
        content=f"[{kind}] {title}: {told(row['content'])}",
        order=row["updated_at"],
        relevance=found.score,
        method=found.method,
        type=kind,
        title=title,
    )
