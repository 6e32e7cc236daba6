"""Messages from and to the chat messages of OpenAI-compatible servers.

A chat message is `{role, content, tool_calls?, tool_call_id?, …}`; content is a text, a list of parts, or
nothing. Unknown fields and parts are kept unchanged, in `extra` or as an `Other` part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, Protocol

from strata.client.working_memory.messages import Message
from strata.client.working_memory.parts import (
    Content,
    File,
    Other,
    Part,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
)
from strata.client.working_memory.reading import Json

_THOUGHTS = ("reasoning_content", "reasoning")
_FIELD = "field"
_ADDRESSED = {"image_url": "image/*", "audio_url": "audio/*", "video_url": "video/*"}


class ChatModel(Protocol):
    """A chat message as a client library makes it (a pydantic model)."""

    def model_dump(self, *, mode: Literal["json"], exclude_none: bool) -> dict[str, Any]:
        """The chat message as JSON."""


Chat = Mapping[str, Any] | ChatModel


def from_chat(chat: Chat, where: str = "message") -> Message:
    """Convert a chat message.

    Raises:
        ValueError: it is not a chat message; the error names the field.
    """
    if not isinstance(chat, Mapping) and hasattr(chat, "model_dump"):
        chat = chat.model_dump(mode="json", exclude_none=True)
    rest = _object(chat, where)
    role = _text(rest, "role", where)
    if rest.get("function_call") is not None or role == "function":
        raise ValueError(
            f"{where} calls a function in the old way; tool_calls is the way that can be followed"
        )
    content = _content(rest.pop("content", None), f"{where}.content")
    if role == "tool":
        call_id = _text(rest, "tool_call_id", where)
        return Message(role, (ToolResult(call_id, content, extra=rest or None),))
    parts: list[Part] = [*_thoughts(rest), *content]
    if rest.get("tool_calls"):
        calls = rest.pop("tool_calls")
        if not isinstance(calls, list | tuple):
            raise ValueError(f"{where}.tool_calls must be a list")
        parts += [_call(call, f"{where}.tool_calls[{place}]") for place, call in enumerate(calls)]
    return Message(role, tuple(parts), rest or None)


def to_chat(messages: Iterable[Message], *, reasoning: bool = True) -> list[Json]:
    """Convert messages to chat messages.

    A message with several results becomes one `tool` message for each, followed by its other parts.
    `reasoning=False` leaves reasoning out, for servers that reject it.
    """
    said: list[Json] = []
    for message in messages:
        results = list(message.results)
        said += [
            {
                "role": "tool",
                "tool_call_id": each.call_id,
                "content": _said(each.content) or "",
                **(each.extra or {}),
            }
            for each in results
        ]
        if len(results) < len(message.parts) or not results:
            said.append(_spoken(message, reasoning))
    return said


def _spoken(message: Message, reasoning: bool) -> Json:
    content = [part for part in message.parts if isinstance(part, Text | File | Other)]
    chat: Json = {"role": message.role, "content": _said(content)}
    for part in message.parts:
        if isinstance(part, Reasoning) and reasoning:
            field = (part.extra or {}).get(_FIELD, _THOUGHTS[0])
            chat[field] = chat.get(field, "") + part.text
        elif isinstance(part, ToolCall):
            chat.setdefault("tool_calls", []).append(_called(part))
    return chat | (message.extra or {})


def _thoughts(rest: Json) -> list[Reasoning]:
    found = []
    for field in _THOUGHTS:
        if isinstance(rest.get(field), str):
            found.append(Reasoning(rest.pop(field), None if field == _THOUGHTS[0] else {_FIELD: field}))
    return found


def _call(value: object, where: str) -> ToolCall:
    rest = _object(value, where)
    kind, body = ("custom", "input") if rest.get("type") == "custom" else ("function", "arguments")
    inner = _object(rest.pop(kind, None), f"{where}.{kind}")
    call_id, name = _text(rest, "id", where), _text(inner, "name", f"{where}.{kind}")
    arguments = "" if inner.get(body) is None else _text(inner, body, f"{where}.{kind}")
    if rest.get("type") == "function":
        rest.pop("type")
    inner.pop(body, None)
    if inner:
        rest[kind] = inner
    return ToolCall(call_id, name, arguments, rest or None)


def _called(call: ToolCall) -> Json:
    extra = dict(call.extra or {})
    kind, body = ("custom", "input") if extra.get("type") == "custom" else ("function", "arguments")
    inner = {"name": call.name, body: call.arguments, **extra.pop(kind, {})}
    return {"id": call.id, "type": kind, kind: inner, **extra}


def _content(value: Any, where: str) -> tuple[Content, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (Text(value),)
    if not isinstance(value, list | tuple):
        raise ValueError(f"{where} must be a string or a list of parts")
    return tuple(_part(part, f"{where}[{place}]") for place, part in enumerate(value))


def _part(value: object, where: str) -> Content:
    if isinstance(value, str):
        return Text(value)
    rest = _object(value, where)
    kind = rest.pop("type", None)
    if kind == "text" and isinstance(rest.get("text"), str):
        return Text(rest.pop("text"), rest or None)
    inner = rest.pop(kind, None) if isinstance(kind, str) else None
    file = _file(str(kind), inner) if isinstance(inner, Mapping) else None
    if file is None:
        return Other(_object(value, where))
    if file.extra:
        rest[kind] = file.extra
    if _wire(file) != kind:
        rest["type"] = kind
    return replace(file, extra=rest or None)


def _file(kind: str, inner: Mapping[str, Any]) -> File | None:
    """The file in a content part, with the part's other fields as `extra`; None for no file."""
    rest = dict(inner)
    if kind in _ADDRESSED and isinstance(rest.get("url"), str):
        url = rest.pop("url")
        said, usual = _media_type(url), _ADDRESSED[kind]
        return File(said if said.startswith(usual[:-1]) else usual, url, extra=rest)
    if kind == "input_audio" and isinstance(rest.get("data"), str) and isinstance(rest.get("format"), str):
        form = rest.pop("format")
        return File(f"audio/{form}", f"data:audio/{form};base64,{rest.pop('data')}", extra=rest)
    if kind == "file" and all(isinstance(each, str) for each in rest.values()):
        url, identity, name = (rest.pop(field, None) for field in ("file_data", "file_id", "filename"))
        return File(_media_type(url), url, identity, name, rest)
    return None


def _media_type(url: str | None) -> str:
    """The media type of a `data:` URL (RFC 2397)."""
    head = (url or "").partition(",")[0]
    said = head.removeprefix("data:").partition(";")[0] if head.startswith("data:") else ""
    return said if "/" in said else "application/octet-stream"


def _said(content: Iterable[Content]) -> str | list[Json] | None:
    parts = list(content)
    if not parts:
        return None
    if len(parts) == 1 and isinstance(parts[0], Text) and not parts[0].extra:
        return parts[0].text
    return [_written(part) for part in parts]


def _written(part: Content) -> Json:
    if isinstance(part, Other):
        return dict(part.value)
    extra = dict(part.extra or {})
    if isinstance(part, Text):
        return {"type": "text", "text": part.text, **extra}
    kind = extra.pop("type", None) or _wire(part)
    return {"type": kind, kind: {**_holding(part, kind), **extra.pop(kind, {})}, **extra}


def _wire(file: File) -> str:
    """The usual type of a content part for such a file."""
    medium = file.media_type.partition("/")[0]
    if medium == "audio" and (file.url or "").startswith(_recorded(file)):
        return "input_audio"
    return f"{medium}_url" if f"{medium}_url" in _ADDRESSED and file.url and not file.id else "file"


def _holding(file: File, kind: str) -> Json:
    if kind == "input_audio":
        form = file.media_type.partition("/")[2]
        return {"data": (file.url or "").removeprefix(_recorded(file)), "format": form}
    if kind in _ADDRESSED:
        return {"url": file.url}
    named = {"file_data": file.url, "file_id": file.id, "filename": file.name}
    return {field: value for field, value in named.items() if value is not None}


def _recorded(file: File) -> str:
    return f"data:{file.media_type};base64,"


def _object(value: object, where: str) -> Json:
    """A copy of an object's fields."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} must be an object")
    return dict(value)


def _text(fields: Json, name: str, where: str) -> str:
    """Take a field out that must be a string."""
    value = fields.pop(name, None)
    if not isinstance(value, str):
        raise ValueError(f"{where}.{name} must be a string")
    return value
