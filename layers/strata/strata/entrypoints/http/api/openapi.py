"""The whole API as one OpenAPI document, merged from every function's routes."""

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from strata import __version__
from strata.entrypoints.http.api.api import ADMITTED, Api

ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Error",
    "description": "The one shape of every error.",
    "required": ["error", "code"],
    "properties": {
        "error": {"type": "string", "description": "One clear sentence."},
        "code": {"type": "string", "description": "Stable, in snake case."},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
}

_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API key, or a token of the configured issuer. A server on one machine may need none.",
}

_ERROR = {
    "description": "What went wrong: 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}


_NOT_OURS = ("HTTPValidationError", "ValidationError", "ResponseValidationError")
"""The resolver's own error schemas, which are never sent."""


def document() -> str:
    """The document that ships with the package; a test compares it with the routes."""
    return files("strata").joinpath("openapi.json").read_text(encoding="utf-8")


def merged(apis: Iterable[Api]) -> dict[str, Any]:
    """One document from the routes of all functions.

    Raises:
        ValueError: two functions describe a path's method twice, or two models share a name and differ.
    """
    whole: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Strata",
            "version": __version__,
            "description": "Memory for AI agents.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": {},
        "components": {"schemas": {"Error": ERROR_SCHEMA}, "securitySchemes": {"bearer": _BEARER}},
    }
    for api in apis:
        text = api.resolver.get_openapi_json_schema(title="Strata", version=__version__)
        part = json.loads(text, parse_float=_whole)
        for path, operations in part["paths"].items():
            for method, operation in operations.items():
                operation["responses"] = _responses(operation["responses"])
                needed = api.permissions[f"{method.upper()} {path}"]
                operation["security"] = _security(needed)
                _add(whole["paths"].setdefault(path, {}), method, operation, f"{method} {path}")
        for name, schema in part.get("components", {}).get("schemas", {}).items():
            if name not in _NOT_OURS:
                _add(whole["components"]["schemas"], name, schema, f"the model {name}")
    whole["paths"] = dict(sorted(whole["paths"].items()))
    whole["components"]["schemas"] = dict(sorted(whole["components"]["schemas"].items()))
    return whole


def _add(target: dict[str, Any], name: str, value: Any, what: str) -> None:
    if target.setdefault(name, value) != value:
        raise ValueError(f"{what} is described twice, differently")


def _responses(described: dict[str, Any]) -> dict[str, Any]:
    """The responses that are really sent: ours, and the one error body."""
    kept = {status: answer for status, answer in described.items() if status not in ("422", "500")}
    for bodiless in ("202", "204"):
        if not kept.get(bodiless, {}).get("content", True):
            kept[bodiless].pop("content")
    return kept | {"default": _ERROR}


def _security(needed: str | None) -> list[dict[str, list[str]]]:
    if needed is None:
        return []
    return [{"bearer": [] if needed == ADMITTED else [needed]}]


def _whole(number: str) -> int | float:
    """A limit as written: the resolver turns every bound into a float."""
    value = float(number)
    return int(value) if value.is_integer() else value
