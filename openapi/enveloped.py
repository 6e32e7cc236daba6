"""Fyso's routes in the OpenAPI document: the envelope of answers and errors, and the header of the key."""

import json
from collections.abc import Mapping
from typing import Any

from strata.domain.wire.envelope import enveloped

JSON = "application/json"

KEY = {
    "type": "apiKey",
    "in": "header",
    "name": "X-API-Key",
    "description": "An API key, on Fyso's routes.",
}


def _envelope(member: str, schema: Mapping[str, Any], *, success: bool) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["success", member],
        "properties": {"success": {"type": "boolean", "const": success}, member: schema},
    }


def error_schema(details: Mapping[str, Any]) -> dict[str, Any]:
    """The error of Fyso's routes, with the schema of its details."""
    code = {
        "type": "string",
        "description": "As elsewhere, in capitals; VALIDATION_ERROR for invalid_request.",
    }
    fields = {"code": code, "message": {"type": "string", "description": "One clear sentence."}}
    error = {"type": "object", "required": list(fields), "properties": fields | {"details": details}}
    return {"description": "The error of Fyso's routes."} | _envelope("error", error, success=False)


def error_responses(responses: Mapping[str, Any]) -> dict[str, Any]:
    """Each of these reusable errors in the envelope, as `Enveloped<name>`."""
    told = {}
    for name, response in responses.items():
        body = json.dumps(response["content"][JSON]["example"])
        content = {
            "schema": {"$ref": "#/components/schemas/EnvelopedError"},
            "example": json.loads(enveloped(400, body)),
        }
        told[f"Enveloped{name}"] = response | {"content": {JSON: content}}
    return told


def operation(described: dict[str, Any]) -> dict[str, Any]:
    """An operation as Fyso's routes have it."""
    responses = {status: _response(each) for status, each in described["responses"].items()}
    keys = [{"key": scopes} for each in described["security"] for scopes in each.values()]
    return described | {"responses": responses, "security": [*described["security"], *keys]}


def _response(response: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in response:
        return {"$ref": response["$ref"].replace("/responses/", "/responses/Enveloped")}
    content = response.get("content", {}).get(JSON)
    if content is None:
        return response
    told = {"schema": _envelope("data", content["schema"], success=True)}
    if "example" in content:
        told["example"] = {"success": True, "data": content["example"]}
    return response | {"content": {JSON: told}}
