"""One request to Strata as a value, and how its answer is read.

The models of answers are imported when the first answer is read: who imports the client does not wait for
them.
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
class Answer(Generic[T]):
    """How an answer is read. `read` raises ValueError for a text that is not what the route answers."""

    read: Callable[[str], T]
    media_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request.

    `idempotent` says that sending it twice does, and answers, what sending it once does; retries.py has what
    follows from it. A parameter with several values is sent once for each.
    """

    method: str
    path: str
    answer: Answer[T]
    params: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    body: Any = None
    idempotent: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)

    def content(self) -> bytes | None:
        """The body as it is sent.

        Raises:
            TypeError: it holds what JSON cannot say.
            ValueError: it holds a float that JSON cannot say, or itself.
        """
        if self.body is None:
            return None
        text = json.dumps(self.body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        try:
            return text.encode()
        except UnicodeEncodeError:  # half of a surrogate pair: as an escape, the server can refuse it by name
            return json.dumps(self.body, allow_nan=False).encode()


def model(of: Callable[[], type[T]]) -> Answer[T]:
    """An answer that is validated as this type, which is looked up when the first one comes."""

    def read(text: str) -> T:
        return cast("T", _adapter(of).validate_json(text or "null"))

    return Answer(read)


def any_json(of: Callable[[], type[T]]) -> Answer[T]:
    """The same for an answer that carries callers' own JSON, which stays exactly what `json` reads."""
    return Answer(lambda text: cast("T", _adapter(of).validate_python(json.loads(text))))


def member(name: str, of: Callable[[], type[T]]) -> Answer[T]:
    """One member of an answer that is a JSON object."""

    def read(text: str) -> T:
        return cast("T", _adapter(of).validate_python(_object(text).get(name)))

    return Answer(read)


def part(name: str, default: Any = None) -> Answer[Any]:
    """One member of a JSON object as `json` reads it, or the default where it is not there."""
    return Answer(lambda text: _object(text).get(name, default))


def _nothing(text: str) -> None:
    if text:
        raise ValueError("there was to be no answer")


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("the answer is not a JSON object")
    return value


NOTHING: Answer[None] = Answer(_nothing)
TEXT: Answer[str] = Answer(str, "text/plain")
OBJECT: Answer[dict[str, Any]] = Answer(_object)
"""An object of any fields, exactly as `json` reads it."""


def _adapter(of: Callable[[], Any]) -> TypeAdapter[Any]:
    return adapter_of(of())


@cache
def adapter_of(kind: Any) -> TypeAdapter[Any]:
    """What reads this type, pydantic being imported with the first one."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - see above

    return TypeAdapter(kind)
