"""The whole API as one OpenAPI document, merged from every function's routes."""

import json
import re
from collections.abc import Iterable
from typing import Any

from openapi import enveloped
from openapi.errors import error_name, error_responses
from openapi.texts import EXAMPLES, PARAMETERS, TAGS
from strata import __version__
from strata.domain.scope import ADMIN, WRITE
from strata.domain.wire.envelope import has_envelope
from strata.domain.wire.filters import OwnedFilters
from strata.entrypoints.http.api.api import ADMITTED, Api, Handler
from strata.entrypoints.http.api.described import Described

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
    "description": "An API key, or a token of the configured issuer.",
}

_SERVERS: list[dict[str, Any]] = [
    {"url": "http://127.0.0.1:7437", "description": "One machine: `make run`, or `strata serve`."},
    {
        "url": "https://{api}.execute-api.{region}.amazonaws.com",
        "description": "AWS: the output `ApiUrl` of the stack.",
        "variables": {"api": {"default": "abc123"}, "region": {"default": "eu-central-1"}},
    },
]

_ABOUT = """Memory for AI agents.

A server on one machine needs no credentials unless `STRATA_AUTH=required` is set; on AWS every route but \
the health checks and this document does. Published clients ignore errors, so routes that read are tolerant: \
a `limit` above the maximum is cut to it; one that is no number, or too small, falls back to the default. \
Such parameters are described without a type."""

_NOT_OURS = ("HTTPValidationError", "ValidationError", "ResponseValidationError")
"""The resolver's own error schemas, which are never sent."""


def merged(handlers: Iterable[Handler]) -> dict[str, Any]:
    """One document from the routes of all functions.

    Raises:
        ValueError: two functions describe a path's method twice, two models share a name and differ, or a
            module of routes has no tag.
    """
    whole: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Strata",
            "version": __version__,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": _SERVERS,
        "tags": [tag for tag in TAGS.values() if "description" in tag],
        "paths": {},
        "components": {
            "schemas": {
                "Error": ERROR_SCHEMA,
                "EnvelopedError": enveloped.error_schema(ERROR_SCHEMA["properties"]["details"]),
            },
            "responses": error_responses() | enveloped.error_responses(error_responses()),
            "securitySchemes": {"bearer": _BEARER, "key": enveloped.KEY},
        },
    }
    for api in handlers:
        if not isinstance(api, Api):
            continue
        text = api.resolver.get_openapi_json_schema(title="Strata", version=__version__)
        part = _untitled(json.loads(text, parse_float=_whole))
        for path, operations in part["paths"].items():
            for method, operation in operations.items():
                route = f"{method.upper()} {path}"
                described = _operation(operation, api.described[route])
                if has_envelope(path):
                    described = enveloped.operation(described)
                _add(whole["paths"].setdefault(path, {}), method, described, route)
        for name, schema in part.get("components", {}).get("schemas", {}).items():
            if name not in _NOT_OURS:
                _add(whole["components"]["schemas"], name, _model(schema), f"the model {name}")
    whole["paths"] = dict(sorted(whole["paths"].items()))
    whole["components"]["schemas"] = dict(sorted(whole["components"]["schemas"].items()))
    return whole


def _add(target: dict[str, Any], name: str, value: Any, what: str) -> None:
    if target.setdefault(name, value) != value:
        raise ValueError(f"{what} is described twice, differently")


def _operation(operation: dict[str, Any], route: Described) -> dict[str, Any]:
    """An operation as it is published: ours are its tag, its parameters' texts, examples and errors."""
    if route.module not in TAGS:
        raise ValueError(f"the routes of {route.module} have no tag: add one to openapi/texts.yaml")
    name = operation["operationId"]
    told = {"tags": [TAGS[route.module]["name"]], "summary": operation["summary"].rstrip(".")}
    parameters = [_parameter(name, each) for each in operation.get("parameters", ())]
    request, answer = EXAMPLES.get(name, (None, None))
    if request is not None:
        operation["requestBody"]["content"]["application/json"]["example"] = request
    if "400" in operation["responses"]:  # the route itself says what is wrong with a body, and with none
        operation["requestBody"]["required"] = True
    responses = _responses(operation, route)
    if answer is not None:
        content = next(iter(responses.values()))["content"]
        next(iter(content.values()))["example"] = answer
    return {
        **told,
        **{
            key: value
            for key, value in operation.items()
            if key not in ("summary", "responses", "parameters")
        },
        **({"parameters": parameters} if parameters else {}),
        "responses": responses,
        "security": _security(route.permission),
    }


def _parameter(operation: str, parameter: dict[str, Any]) -> dict[str, Any]:
    """A parameter with its description and example, and without null, which no query can say."""
    name, schema = parameter["name"], parameter["schema"]
    text = PARAMETERS.get(f"{operation}.{name}", PARAMETERS.get(name, {}))
    if schema == {"type": "string"}:
        schema = dict(_FILTERS.get(name, schema))
    clamp = schema.pop("description", "")
    told = parameter.get("description") or text.get("description", "")
    given = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(given) == 1:
        schema = given[0] | {key: value for key, value in schema.items() if key not in ("anyOf", "title")}
    return {
        "name": name,
        "in": parameter["in"],
        "description": told if clamp == told else f"{told} {clamp}".strip(),
        "required": parameter["required"],
        "schema": {key: value for key, value in schema.items() if (key, value) != ("default", None)},
        **({"example": text["example"]} if "example" in text else {}),
    }


_FILTERS = {
    name: schema
    for name, schema in OwnedFilters.model_json_schema()["properties"].items()
    if any(each.get("type") == "string" for each in schema.get("anyOf", ()))
}
"""The schemas of filters, which the resolver describes as any text."""


def _responses(operation: dict[str, Any], route: Described) -> dict[str, Any]:
    """The responses that are really sent: the route's own, and the errors that it can give."""
    kept = {status: each for status, each in operation["responses"].items() if status not in ("422", "500")}
    for answer in kept.values():
        if not answer.get("content", True):
            answer.pop("content")
    errors = {429, 500, *route.errors}
    if operation.get("parameters") or "requestBody" in operation:
        errors |= {400, 431}
    if "requestBody" in operation:
        errors |= {413, 415}
    if route.permission is not None:
        errors |= {401, 403, 503}
    if route.permission in (WRITE, ADMIN) and route.method != "GET":
        errors.add(409)
    named = {str(status): f"#/components/responses/{error_name(status)}" for status in sorted(errors)}
    return kept | {status: {"$ref": place} for status, place in named.items() if status not in kept}


def _security(needed: str | None) -> list[dict[str, list[str]]]:
    """No credentials, as on one machine, or a bearer's with this permission."""
    if needed is None:
        return []
    return [{}, {"bearer": [] if needed == ADMITTED else [needed]}]


def _model(schema: dict[str, Any]) -> dict[str, Any]:
    """A model with the `Attributes` of its docstring at its properties."""
    told, _, attributes = schema.get("description", "").partition("\n\nAttributes:\n")
    for names, text in _ATTRIBUTE.findall(attributes):
        for name in names.split(", "):
            field = schema["properties"].get(name) or schema["properties"].get(_camel(name))
            if field is not None:
                field.setdefault("description", _sentence(text))
    return schema | ({"description": " ".join(told.split("\n"))} if told else {})


_ATTRIBUTE = re.compile(r"^    (\w[\w, ]*): (.+(?:\n        .+)*)", re.MULTILINE)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


def _sentence(text: str) -> str:
    joined = " ".join(text.split())
    return joined[0].upper() + joined[1:]


def _untitled(value: Any) -> Any:
    """Without the titles that pydantic derives from names."""
    if isinstance(value, dict):
        return {
            key: _untitled(each) for key, each in value.items() if key != "title" or not isinstance(each, str)
        }
    return [_untitled(each) for each in value] if isinstance(value, list) else value


def _whole(number: str) -> int | float:
    """A limit as written: the resolver turns every bound into a float."""
    value = float(number)
    return int(value) if value.is_integer() else value
