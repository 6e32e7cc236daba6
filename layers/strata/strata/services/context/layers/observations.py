"""The layer of observations: a project's own and the tenant's global ones."""

from collections.abc import Iterable, Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.scope import Scope
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from strata.services.context.plain import PlainAssembler
from strata.services.context.remembering import of_observation
from strata.services.observations.read import Reader
from strata.services.search.filters import ObservationFilter
from strata.services.search.hits import ObservationHit


class ObservationLayer:
    """Observations: those relevant to the query, best first; the newest without one."""

    name = "observations"

    def __init__(self, assembler: PlainAssembler, reader: Reader) -> None:
        self._assembler = assembler
        self._reader = reader

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        result = self._assembler.observations(
            scope,
            _wanted(query),
            query=query.text,
            limit=query.limit,
            min_relevance=query.min_relevance,
            fill=query.fill,
        )
        return LayerAnswer([of_observation(hit) for hit in result.hits], result.degraded)

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        rows = self._reader.by_ids(scope, _numbers(ids))
        wanted = _wanted(query)
        return [of_observation(ObservationHit.of(row)) for row in rows if wanted.admits(row)]


def _wanted(query: ContextQuery) -> ObservationFilter:
    return ObservationFilter(
        project=query.project,
        scope=query.scope_name,
        user=query.user_id,
        only=query.only,
        without=frozenset(_numbers(query.given_of(ObservationLayer.name))),
    )


def _numbers(ids: Iterable[str]) -> list[int]:
    return [int(each) for each in ids if each.isascii() and each.isdigit()]
