"""Routes as the OpenAPI document needs them."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from strata.entrypoints.http.api.requests import JSON


@dataclass(frozen=True, slots=True)
class Described:
    """A route as the OpenAPI document needs it; `permission` is None for a public one."""

    method: str
    module: str
    permission: str | None
    errors: tuple[int, ...]


def response(status: int, schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """A response as the document describes it; `schema` is that of its JSON, if it has a body."""
    content = {} if schema is None else {JSON: {"schema": schema}}
    return {"description": HTTPStatus(status).phrase, "content": content}
