"""Dataclasses that are stored as JSON objects.

pydantic validates them. It is imported with the first object, so that importing the client stays fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, ClassVar, Self

from strata.client.call import adapter_of

Json = dict[str, Any]
"""A JSON object."""

_NO_OBJECT, _NO_COUNT = "must be an object", "must be an integer, 0 or more"
_SENTENCES = {
    "bool_type": "must be true or false",
    "dataclass_type": _NO_OBJECT,
    "dict_type": _NO_OBJECT,
    "greater_than_equal": _NO_COUNT,
    "int_type": _NO_COUNT,
    "missing": "is missing",
    "model_attributes_type": _NO_OBJECT,
    "string_type": "must be a string",
    "tuple_type": "must be a list",
    "unexpected_keyword_argument": "is not known",
    "union_tag_invalid": "must be one of {expected_tags}",
    "union_tag_not_found": "must be a string",
}


class _Exactly:
    """Makes pydantic accept values of exactly this type, by these rules."""

    def __init__(self, **rules: Any) -> None:
        self._rules = {"strict": True, **rules}

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Json]) -> Json:
        return handler(source) | self._rules


class ByType:
    """Makes pydantic choose among the members of a union by their `type`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Json]) -> Json:
        from pydantic import Field  # noqa: PLC0415 - see above

        return handler(Annotated[source, Field(discriminator="type")])


Flag = Annotated[bool, _Exactly()]
Count = Annotated[int, _Exactly(ge=0)]


def read(kind: Any, value: object, where: str = "") -> Any:
    """The value as this type.

    Raises:
        ValueError: it is not of this type; the error names the field and quotes no value.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - see above

    try:
        return adapter_of(kind).validate_python(value)
    except ValidationError as error:
        fault, *_ = error.errors(include_url=False, include_input=False)
    place = _place(fault["loc"], value, where)
    if fault["type"].startswith("union_tag"):
        place = f"{place}.type"
    tags = fault.get("ctx", {}).get("expected_tags", "").replace("'", "")
    said = _SENTENCES.get(fault["type"], "is of another kind").format(expected_tags=tags)
    raise ValueError(f"{place or 'the value'} {said}")


class Document:
    """A dataclass that is stored as a JSON object."""

    __slots__ = ()

    def to_dict(self) -> Json:
        """As JSON, without empty fields."""
        kind: Any = type(self)
        told = ((name, getattr(self, name)) for name in _names(kind))
        return {name: _json(value) for name, value in told if value is not None and value is not False}

    @classmethod
    def from_dict(cls, value: object, where: str = "") -> Self:
        """From the JSON of `to_dict`.

        Raises:
            ValueError: it is something else; the error names the field.
        """
        made: Self = read(cls, value, where or cls.__name__.lower())
        return made


class WholeDocument(Document):
    """A document that rejects unknown fields: unread, they would be lost at the next write."""

    __slots__ = ()
    __pydantic_config__: ClassVar = {"extra": "forbid"}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _json(value: Any) -> Any:
    if isinstance(value, Document):
        return value.to_dict()
    return [_json(each) for each in value] if isinstance(value, tuple) else value


def _place(path: Sequence[str | int], value: Any, where: str) -> str:
    """The field at pydantic's path, without the names of union members."""
    chosen = False
    for step in path:
        if not chosen and isinstance(value, Mapping) and value.get("type") == step:
            chosen = True
            continue
        chosen = False
        where = f"{where}[{step}]" if isinstance(step, int) else f"{where}.{step}".lstrip(".")
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int):
            value = value[step]
    return where
