"""Path and query parameters that several routes take, with their limits."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import BeforeValidator

from strata.domain.models import MAX_QUERY, MAX_ROWS, Ident, Kind, Project


def _blank_is_absent(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


ObservationPath = Annotated[int, Path(ge=1, le=2**53 - 1)]
SessionPath = Annotated[Ident, Path()]
ProjectQuery = Annotated[Project | None, BeforeValidator(_blank_is_absent), Query()]
KindQuery = Annotated[Kind | None, BeforeValidator(_blank_is_absent), Query()]
TextQuery = Annotated[str, Query(max_length=MAX_QUERY)]
RowsQuery = Annotated[int, Query(ge=1, le=MAX_ROWS)]
