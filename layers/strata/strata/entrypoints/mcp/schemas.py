"""The JSON Schemas by which the arguments of the tools are described to models."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel


@cache
def schema(model: type[BaseModel]) -> Mapping[str, Any]:
    """A model's JSON Schema in a form that every client supports: no titles, no null, and no
    patterns, of which providers of models support few.
    """
    made = model.model_json_schema(mode="validation")
    own = [name for name in made["properties"] if name in model.__annotations__]
    names = [*own, *(name for name in made["properties"] if name not in own)]
    return {
        "type": "object",
        "properties": {name: _plain(made["properties"][name]) for name in names},
        "required": made.get("required", []),
        "additionalProperties": False,
    }


def _plain(field: dict[str, Any]) -> dict[str, Any]:
    plain = {name: value for name, value in field.items() if name not in ("title", "anyOf")}
    for choice in field.get("anyOf", ()):
        if choice.get("type") != "null":
            plain = choice | plain
    for each in (plain, plain.get("items", {})):
        each.pop("pattern", None)
    if plain.get("default", ...) is None:
        del plain["default"]
    return plain
