"""JSON values as texts, for what must come back exactly as it went in.

A store has its own idea of numbers (DynamoDB's have 38 digits and no infinity), of depth and of null; a text
has none. So a value that is a caller's own affair is kept as the JSON text that it was.
"""

import json
from typing import Annotated, Any

from pydantic import PlainValidator, WithJsonSchema


def to_text(value: Any) -> str:
    """The value as compact JSON, in Unicode where UTF-8 can carry it (a lone surrogate it can't: escaped).

    Raises:
        ValueError: a number that JSON does not have (infinite, not a number), or too many levels.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except RecursionError:
        raise ValueError("must not be nested so deeply") from None
    except ValueError:  # also: an int of more digits than Python writes
        raise ValueError("must hold only numbers that JSON has") from None
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def to_value(text: str) -> Any:
    """The value that was kept as this text."""
    return json.loads(text)


def size(text: str) -> int:
    """What a text takes up, in bytes of UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


ExactJson = Annotated[str, PlainValidator(to_text), WithJsonSchema({})]
"""A model's field that takes any JSON value and holds its text."""
