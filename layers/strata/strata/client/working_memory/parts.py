"""The parts of a message.

Every part keeps its provider's further fields (a signature of reasoning, a cache mark) in `extra`, as JSON,
and returns them unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from strata.client.working_memory.reading import ByType, Flag, Json, WholeDocument, read


@dataclass(frozen=True, slots=True)
class Text(WholeDocument):
    """Plain text."""

    type: Literal["text"] = field(default="text", kw_only=True, repr=False)
    text: str
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class Reasoning(WholeDocument):
    """A model's reasoning before its answer."""

    type: Literal["reasoning"] = field(default="reasoning", kw_only=True, repr=False)
    text: str
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class File(WholeDocument):
    """An image, a recording, a document: at a `url` (also `data:`), or stored by the provider by `id`."""

    type: Literal["file"] = field(default="file", kw_only=True, repr=False)
    media_type: str
    url: str | None = None
    id: str | None = None
    name: str | None = None
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class ToolCall(WholeDocument):
    """A model's call of a tool. `arguments` is the model's own text, normally JSON."""

    type: Literal["tool-call"] = field(default="tool-call", kw_only=True, repr=False)
    id: str
    name: str
    arguments: str = "{}"
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class Other(WholeDocument):
    """A part of an unknown kind, unchanged."""

    type: Literal["other"] = field(default="other", kw_only=True, repr=False)
    value: Json


Content = Annotated[Text | File | Other, ByType()]
"""A part that a tool's result may hold."""


@dataclass(frozen=True, slots=True)
class ToolResult(WholeDocument):
    """The result of the tool call with the id `call_id`."""

    type: Literal["tool-result"] = field(default="tool-result", kw_only=True, repr=False)
    call_id: str
    content: tuple[Content, ...] = ()
    is_error: Flag = False
    extra: Json | None = None


Part = Annotated[Text | Reasoning | File | ToolCall | ToolResult | Other, ByType()]


def part_from_dict(value: object, where: str = "part") -> Part:
    """The part from the JSON of its `to_dict`.

    Raises:
        ValueError: it is not a part; the error names the field.
    """
    part: Part = read(Part, value, where)
    return part
