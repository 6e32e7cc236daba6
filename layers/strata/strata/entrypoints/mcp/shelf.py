"""The services behind the tools."""

from dataclasses import dataclass

from strata.domain.relevance.floors import Floors
from strata.domain.retrieval import Mode
from strata.entrypoints.observing import Observing
from strata.ports.clock import Clock
from strata.services.context.answers import Answers
from strata.services.context.forgetting import Forgetting
from strata.services.context.plain import PlainAssembler
from strata.services.entities.graph import EntityGraphs
from strata.services.observations.change import Editor
from strata.services.observations.read import Reader
from strata.services.observations.save import Saver
from strata.services.search.filters import ObservationFilter
from strata.services.search.hits import ObservationHit
from strata.services.search.search import Searcher
from strata.services.sessions.catalog import SessionCatalog
from strata.services.sessions.end import SessionEnder

_FLOORS = Floors()


@dataclass(frozen=True, slots=True)
class Shelf:
    """The services behind the tools, the search mode, and the floors of relevance."""

    saver: Saver
    editor: Editor
    sessions: SessionCatalog
    ender: SessionEnder
    searcher: Searcher[ObservationFilter, ObservationHit]
    reader: Reader
    assembler: PlainAssembler
    clock: Clock
    mode: Mode
    observing: Observing
    answers: Answers
    forgetting: Forgetting
    entities: EntityGraphs
    floors: Floors = _FLOORS
