"""One request to Strata as a value, and how its answer is read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar, cast

from pydantic import TypeAdapter

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request. `idempotent` says that sending it twice does what sending it once does."""

    method: str
    path: str
    answer: type[T]
    params: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    idempotent: bool = True

    def parse(self, text: str) -> T:
        """The typed answer.

        Raises:
            ValueError: the text is not what this route answers.
        """
        answer: Any = self.answer
        value: Any = text if answer is str else _adapter(answer).validate_json(text or "null")
        return cast("T", value)

    def content(self) -> bytes | None:
        """The body as it is sent."""
        if self.body is None:
            return None
        try:
            return json.dumps(self.body, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:  # half of a surrogate pair: as an escape, the server can refuse it by name
            return json.dumps(self.body).encode()


@cache
def _adapter(answer: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer)
