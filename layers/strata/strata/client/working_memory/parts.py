"""What a message is made of.

Every part keeps in `extra` what its provider said about it beyond the common fields (a signature of thoughts,
a mark for caching), as JSON, and gives it back unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from strata.client.working_memory.reading import ByType, Flag, Json, WholeDocument, read


@dataclass(frozen=True, slots=True)
class Text(WholeDocument):
    """Something said."""

    type: Literal["text"] = field(default="text", kw_only=True, repr=False)
    text: str
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class Reasoning(WholeDocument):
    """What a model thought before it spoke."""

    type: Literal["reasoning"] = field(default="reasoning", kw_only=True, repr=False)
    text: str
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class File(WholeDocument):
    """An image, a recording, a document: at a `url` (also `data:`), or kept by the provider under an `id`."""

    type: Literal["file"] = field(default="file", kw_only=True, repr=False)
    media_type: str
    url: str | None = None
    id: str | None = None
    name: str | None = None
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class ToolCall(WholeDocument):
    """A model asks for a tool. `arguments` is the text it wrote: JSON, if it wrote well."""

    type: Literal["tool-call"] = field(default="tool-call", kw_only=True, repr=False)
    id: str
    name: str
    arguments: str = "{}"
    extra: Json | None = None


@dataclass(frozen=True, slots=True)
class Other(WholeDocument):
    """A part of a kind that is not known here, as it came."""

    type: Literal["other"] = field(default="other", kw_only=True, repr=False)
    value: Json


Content = Annotated[Text | File | Other, ByType()]
"""A part that a tool's result may hold."""


@dataclass(frozen=True, slots=True)
class ToolResult(WholeDocument):
    """What came of the tool call with the id `call_id`."""

    type: Literal["tool-result"] = field(default="tool-result", kw_only=True, repr=False)
    call_id: str
    content: tuple[Content, ...] = ()
    is_error: Flag = False
    extra: Json | None = None


Part = Annotated[Text | Reasoning | File | ToolCall | ToolResult | Other, ByType()]


def part_from_dict(value: object, where: str = "part") -> Part:
    """The part that `to_dict` made this JSON of.

    Raises:
        ValueError: it is no part; the sentence names the field.
    """
    part: Part = read(Part, value, where)
    return part
