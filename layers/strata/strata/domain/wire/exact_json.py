"""JSON values as texts, for values that must come back exactly as they were sent.

A store limits numbers (DynamoDB has 38 digits and no infinity), depth and null; a text has no such limits.
"""

import json
from typing import Annotated, Any

from pydantic import PlainValidator, WithJsonSchema


def to_text(value: Any) -> str:
    """The value as compact JSON in Unicode; all of it is escaped if it holds a lone surrogate.

    Raises:
        ValueError: a number that JSON does not have (infinity, NaN), or too many levels.
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
    """The value of a JSON text."""
    return json.loads(text)


def size(text: str) -> int:
    """The size of a text in bytes of UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


ExactJson = Annotated[str, PlainValidator(to_text), WithJsonSchema({})]
"""A field that accepts any JSON value and holds its text."""
