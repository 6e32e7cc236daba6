"""One request to Strata as a value, with the decoder of its response.

Response models are imported when the first response is decoded, so importing the client stays fast.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Decoder(Generic[T]):
    """Decodes a response body. `read` raises ValueError for a body that the route never sends."""

    read: Callable[[str], T]
    media_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request.

    `idempotent` calls may be sent twice with the effect and the response of one; `retries` relies on it.
    A parameter with several values is sent once for each.
    """

    method: str
    path: str
    decoder: Decoder[T]
    params: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    body: Any = None
    idempotent: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)

    def content(self) -> bytes | None:
        """The request body, encoded.

        Raises:
            TypeError: a value has no JSON form.
            ValueError: a float is not finite, or the body contains itself.
        """
        if self.body is None:
            return None
        text = json.dumps(self.body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        try:
            return text.encode()
        except UnicodeEncodeError:  # half of a surrogate pair: as an escape, the server can refuse it by name
            return json.dumps(self.body, allow_nan=False).encode()


def model(of: Callable[[], type[T]]) -> Decoder[T]:
    """Decode and validate the body as this type, which is looked up when the first response arrives."""

    def read(text: str) -> T:
        return cast("T", _adapter(of).validate_json(text or "null"))

    return Decoder(read)


def any_json(of: Callable[[], type[T]]) -> Decoder[T]:
    """As `model`, for a body with callers' own JSON, which stays exactly as `json` reads it."""
    return Decoder(lambda text: cast("T", _adapter(of).validate_python(json.loads(text))))


def member(name: str, of: Callable[[], type[T]]) -> Decoder[T]:
    """Decode one member of a JSON object."""

    def read(text: str) -> T:
        return cast("T", _adapter(of).validate_python(_object(text).get(name)))

    return Decoder(read)


def part(name: str, default: Any = None) -> Decoder[Any]:
    """One member of a JSON object as `json` reads it, or the default where it is absent."""
    return Decoder(lambda text: _object(text).get(name, default))


def enveloped(inside: Decoder[T]) -> Decoder[T]:
    """Decode the data of Fyso's envelope; also the data alone, as servers answered before."""
    return Decoder(lambda text: inside.read(opened(text)), inside.media_type)


def opened(text: str) -> str:
    """The JSON text of the data in Fyso's envelope; a text without an envelope as it is."""
    said = json.loads(text) if text else None
    if isinstance(said, dict) and said.get("success") is True and "data" in said:
        return json.dumps(said["data"])
    return text


def _nothing(text: str) -> None:
    if text:
        raise ValueError("there was to be no answer")


def _lines(text: str) -> str:
    if "kind" not in _object(text.removesuffix("\n").rpartition("\n")[2]):
        raise ValueError("the answer does not end with a line of an export")
    return text


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("the answer is not a JSON object")
    return value


NOTHING: Decoder[None] = Decoder(_nothing)
TEXT: Decoder[str] = Decoder(str, "text/plain")
LINES: Decoder[str] = Decoder(_lines, "application/x-ndjson")
"""JSON lines, as they are; the last one is looked at."""
OBJECT: Decoder[dict[str, Any]] = Decoder(_object)
"""An object of any fields, exactly as `json` reads it."""


def _adapter(of: Callable[[], Any]) -> TypeAdapter[Any]:
    return adapter_of(of())


@cache
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """The validator of this type; the first one imports pydantic."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - see above

    return TypeAdapter(kind)
