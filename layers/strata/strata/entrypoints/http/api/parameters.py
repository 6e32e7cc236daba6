"""Path and query parameters of several routes, with their limits."""

from typing import Annotated
from urllib.parse import unquote

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import BeforeValidator, FiniteFloat

from strata.domain.wire.devices import DeviceId
from strata.domain.wire.fields import (
    BLANK_IS_ABSENT,
    EMPTY_IS_ABSENT,
    MAX_NUMBER,
    MAX_QUERY,
    MAX_ROWS,
    Clamped,
    Ident,
    Label,
    NewIdent,
    Project,
)
from strata.domain.wire.filters import MemoryFilters, OwnedFilters


def _unquoted(value: object) -> object:
    """A path parameter, decoded: `Api` passes it on percent-encoded."""
    return unquote(value) if isinstance(value, str) else value


ObservationPath = Annotated[int, Path(ge=1, le=MAX_NUMBER)]
ObservationQuery = Annotated[int, Query(ge=1, le=MAX_NUMBER)]
IdentPath = Annotated[Ident, BeforeValidator(_unquoted), Path()]
"""Any id; a conversation has the id of its session."""
NewIdentPath = Annotated[NewIdent, BeforeValidator(_unquoted), Path()]
"""An id that the route writes."""
DevicePath = Annotated[DeviceId, BeforeValidator(_unquoted), Path()]
AcrossQuery = Annotated[bool, Query()]
"""Whether to answer from all of the caller's projects, whatever `project` says."""
ProjectQuery = Annotated[Project | None, EMPTY_IS_ABSENT, Query()]
IdentQuery = Annotated[Ident | None, EMPTY_IS_ABSENT, Query()]
NewIdentQuery = Annotated[NewIdent | None, EMPTY_IS_ABSENT, Query()]
KindQuery = Annotated[Label | None, BLANK_IS_ABSENT, Query()]
OneUserQuery = Annotated[Ident | None, EMPTY_IS_ABSENT, Query(alias="userId")]
"""The route's user; by default the caller's own, else rows stored without a user (agtOS)."""
TextQuery = Annotated[str, Query(max_length=MAX_QUERY)]
SomeTextQuery = Annotated[str, Query(min_length=1, max_length=MAX_QUERY)]
ScoreQuery = Annotated[FiniteFloat | None, Query()]
RelevanceQuery = Annotated[FiniteFloat | None, Query(ge=0, le=1)]
"""The least relevance of what is given; by default the settings'."""
RowsQuery = Annotated[int, Clamped(MAX_ROWS), Query()]

FILTERS = "filters"
"""The parameter of a route that takes filters; its fields are query parameters of their own."""
FilterQuery = Annotated[MemoryFilters, Query()]
OwnedFilterQuery = Annotated[OwnedFilters, Query()]
