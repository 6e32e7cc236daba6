"""One request to Strata as a value, and how its answer is read.

The models of answers are imported when the first answer is read: who imports the client does not wait for
them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request.

    `answer` gives the type of the answer; `idempotent` says that sending it twice does what sending it once
    does.
    """

    method: str
    path: str
    answer: Callable[[], type[T]]
    params: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    idempotent: bool = True

    def parse(self, text: str) -> T:
        """The typed answer.

        Raises:
            ValueError: the text is not what this route answers.
        """
        answer: Any = self.answer()
        value: Any = text if answer is str else _adapter(answer).validate_json(text or "null")
        return cast("T", value)

    @property
    def is_text(self) -> bool:
        """Whether the answer is plain text instead of JSON."""
        return self.answer is plain_text

    def content(self) -> bytes | None:
        """The body as it is sent."""
        if self.body is None:
            return None
        try:
            return json.dumps(self.body, ensure_ascii=False, separators=(",", ":")).encode()
        except UnicodeEncodeError:  # half of a surrogate pair: as an escape, the server can refuse it by name
            return json.dumps(self.body).encode()


def plain_text() -> type[str]:
    """The answer is the text itself."""
    return str


@cache
def _adapter(answer: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter  # noqa: PLC0415 - see above

    return TypeAdapter(answer)
