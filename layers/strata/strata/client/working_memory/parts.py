"""What a message is made of.

Every part keeps in `extra` what its provider said about it beyond the common fields (a signature of thoughts,
a mark for caching), as JSON, and gives it back unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from strata.client.working_memory.reading import Json, Reader, filled


@dataclass(frozen=True, slots=True)
class Text:
    """Something said."""

    kind: ClassVar[str] = "text"
    text: str
    extra: Json | None = None

    def to_dict(self) -> Json:
        """The part as JSON."""
        return filled(type=self.kind, text=self.text, extra=self.extra)

    @classmethod
    def read(cls, reader: Reader) -> Text:
        """From what `to_dict` gave."""
        reader.only({"type", "text", "extra"})
        return cls(reader.text("text"), reader.optional_json_object("extra"))


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What a model thought before it spoke."""

    kind: ClassVar[str] = "reasoning"
    text: str
    extra: Json | None = None

    def to_dict(self) -> Json:
        """The part as JSON."""
        return filled(type=self.kind, text=self.text, extra=self.extra)

    @classmethod
    def read(cls, reader: Reader) -> Reasoning:
        """From what `to_dict` gave."""
        reader.only({"type", "text", "extra"})
        return cls(reader.text("text"), reader.optional_json_object("extra"))


@dataclass(frozen=True, slots=True)
class File:
    """An image, a recording, a document: at a `url` (also `data:`), or kept by the provider under an `id`."""

    kind: ClassVar[str] = "file"
    media_type: str
    url: str | None = None
    id: str | None = None
    name: str | None = None
    extra: Json | None = None

    def to_dict(self) -> Json:
        """The part as JSON."""
        return filled(
            type=self.kind,
            media_type=self.media_type,
            url=self.url,
            id=self.id,
            name=self.name,
            extra=self.extra,
        )

    @classmethod
    def read(cls, reader: Reader) -> File:
        """From what `to_dict` gave."""
        reader.only({"type", "media_type", "url", "id", "name", "extra"})
        return cls(
            reader.text("media_type"),
            reader.optional_text("url"),
            reader.optional_text("id"),
            reader.optional_text("name"),
            reader.optional_json_object("extra"),
        )


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model asks for a tool. `arguments` is the text it wrote: JSON, if it wrote well."""

    kind: ClassVar[str] = "tool-call"
    id: str
    name: str
    arguments: str = "{}"
    extra: Json | None = None

    def to_dict(self) -> Json:
        """The part as JSON."""
        return filled(type=self.kind, id=self.id, name=self.name, arguments=self.arguments, extra=self.extra)

    @classmethod
    def read(cls, reader: Reader) -> ToolCall:
        """From what `to_dict` gave."""
        reader.only({"type", "id", "name", "arguments", "extra"})
        return cls(
            reader.text("id"),
            reader.text("name"),
            reader.text("arguments"),
            reader.optional_json_object("extra"),
        )


@dataclass(frozen=True, slots=True)
class Other:
    """A part of a kind that is not known here, as it came."""

    kind: ClassVar[str] = "other"
    value: Json

    def to_dict(self) -> Json:
        """The part as JSON."""
        return {"type": self.kind, "value": self.value}

    @classmethod
    def read(cls, reader: Reader) -> Other:
        """From what `to_dict` gave."""
        reader.only({"type", "value"})
        return cls(reader.json_object("value"))


Content = Text | File | Other


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of the tool call with the id `call_id`."""

    kind: ClassVar[str] = "tool-result"
    call_id: str
    content: tuple[Content, ...] = ()
    is_error: bool = False
    extra: Json | None = None

    def to_dict(self) -> Json:
        """The part as JSON."""
        content = [part.to_dict() for part in self.content]
        return filled(
            type=self.kind, call_id=self.call_id, content=content, is_error=self.is_error, extra=self.extra
        )

    @classmethod
    def read(cls, reader: Reader) -> ToolResult:
        """From what `to_dict` gave."""
        reader.only({"type", "call_id", "content", "is_error", "extra"})
        return cls(
            reader.text("call_id"),
            reader.each("content", content_from_dict),
            reader.flag("is_error"),
            reader.optional_json_object("extra"),
        )


Part = Text | Reasoning | File | ToolCall | ToolResult | Other

_KINDS: dict[str, type[Part]] = {
    kind.kind: kind for kind in (Text, Reasoning, File, ToolCall, ToolResult, Other)
}


def part_from_dict(value: object, where: str = "part") -> Part:
    """The part that `to_dict` made this JSON of.

    Raises:
        ValueError: it is no part; the sentence names the field.
    """
    reader = Reader(value, where)
    kind = _KINDS.get(reader.text("type"))
    if kind is None:
        raise ValueError(f"{reader.place('type')} must be one of {', '.join(_KINDS)}")
    return kind.read(reader)


def content_from_dict(value: object, where: str = "content") -> Content:
    """A part that a tool's result may hold.

    Raises:
        ValueError: it is none.
    """
    part = part_from_dict(value, where)
    if not isinstance(part, Text | File | Other):
        raise ValueError(f"{where}.type must be one of text, file, other")
    return part
