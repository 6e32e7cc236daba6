"""Unknown parameters and fields of a request are ignored, and named in a header of the answer."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from inspect import Parameter
from typing import Any, get_args
from urllib.parse import quote

from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import BaseModel, RootModel

from strata.domain.wire.base import Wire

HEADER = "Strata-Ignored"
_MOST_NAMES, _MOST_LETTERS = 20, 100


@dataclass(frozen=True, slots=True)
class Known:
    """The query parameters and the body's fields of a route; None where a body may have any.

    `free` is true where every field of a body is the caller's own. A body without the field `whole`, where
    there is one, is itself its value.
    """

    query: frozenset[str]
    body: frozenset[str] | None
    free: bool = False
    whole: str | None = None

    @classmethod
    def of(cls, taken: Iterable[Parameter]) -> "Known":
        """The names that a function takes by these parameters."""
        query: set[str] = set()
        body: set[str] | None = None
        free = False
        whole: str | None = None
        for each in taken:
            marks = getattr(each.annotation, "__metadata__", ())
            kinds = _kinds(each.annotation)
            if any(isinstance(mark, Body) for mark in marks):
                body = set(_names(kinds)) or None
                whole = next((kind.whole for kind in kinds if issubclass(kind, Wire) and kind.whole), None)
                if any(kind.model_config.get("extra") == "allow" for kind in kinds):
                    body, free = None, True
            for mark in marks:
                if isinstance(mark, Query):
                    query |= set(_names(kinds)) or {mark.alias or each.name}
        return cls(frozenset(query), None if body is None else frozenset(body), free, whole)

    def ignored(self, query: Collection[str], body: Collection[str]) -> str:
        """The names that the route does not know, as the value of a header; empty where there are none."""
        unknown = sorted({name.removesuffix("[]") for name in query} - self.query)
        if self.body is not None and (self.whole is None or self.whole in body):
            unknown += sorted({*body} - self.body)
        return ", ".join(
            quote(name[:_MOST_LETTERS], safe="", errors="replace") for name in unknown[:_MOST_NAMES]
        )


def _kinds(annotation: Any) -> list[type[BaseModel]]:
    """The objects that an annotated parameter may be."""
    origin = getattr(annotation, "__origin__", annotation)
    return [
        kind
        for kind in get_args(origin) or (origin,)
        if isinstance(kind, type) and issubclass(kind, BaseModel) and not issubclass(kind, RootModel)
    ]


def _names(kinds: Iterable[type[BaseModel]]) -> Iterator[str]:
    for kind in kinds:
        for name, field in kind.model_fields.items():
            yield name
            if field.alias:
                yield field.alias
