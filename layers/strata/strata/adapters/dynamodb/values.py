"""JSON values as DynamoDB's typed values and back, without loss.

None is NULL, str S, int and float N (by their shortest decimal form, never through a binary rounding), list
L, dict M. Values that DynamoDB cannot hold are stored as JSON text in a B value, which no JSON value would
otherwise become: numbers beyond 38 digits or 1e±125, lone surrogates, empty names, deep nesting. A value in a
body is stored as the body's name in an SS. Limits and sizes: "Constraints in Amazon DynamoDB"
and "DynamoDB item sizes and formats", Developer Guide.
"""

import json
from typing import Any

from strata.domain.errors import InvalidRequest
from strata.ports.rows import Json

Stored = dict[str, Any]
"""One typed value such as `{"S": "x"}`."""

StoredItem = dict[str, Stored]

MAX_ITEM_BYTES = 400 * 1024

_DEEPEST = 16  # DynamoDB takes 32 levels
_MAX_INT = 10**38
_MIN_FLOAT, _MAX_FLOAT = 1e-129, 1e125

_to_text = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode


def stored(value: Json, depth: int = 0) -> Stored:
    """The typed value.

    Raises:
        InvalidRequest: it is NaN, infinite, or has no JSON form.
    """
    made: Stored
    match value:
        case None:
            made = {"NULL": True}
        case bool():
            made = {"BOOL": value}
        case str() if _is_text(value):
            made = {"S": value}
        case int() if abs(value) < _MAX_INT:
            made = {"N": str(value)}
        case float() if value == 0 or _MIN_FLOAT < abs(value) < _MAX_FLOAT:
            made = {"N": repr(value)}
        case list() | tuple() if depth < _DEEPEST:
            made = {"L": [stored(each, depth + 1) for each in value]}
        case dict() if depth < _DEEPEST and all(name and _is_text(name) for name in value):
            made = {"M": {name: stored(each, depth + 1) for name, each in value.items()}}
        case _:
            made = _as_text(value)
    return made


def plain(value: Stored) -> Json:
    """The JSON value of a typed value."""
    ((kind, content),) = value.items()
    match kind:
        case "S" | "BOOL":
            return content
        case "N":
            return float(content) if set(content) & set(".eE") else int(content)
        case "NULL":
            return None
        case "L":
            return [plain(each) for each in content]
        case "M":
            return {name: plain(each) for name, each in content.items()}
        case "B":
            return json.loads(content)
    raise TypeError(f"Strata writes no values of type {kind}")


def item_size(item: StoredItem) -> int:
    """Bytes that DynamoDB counts, about."""
    return sum(len(name.encode()) + _size(value) for name, value in item.items())


def _size(value: Stored) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S" | "SS":
            return len("".join(content).encode())
        case "N":
            return len(content) // 2 + 2
        case "B":
            return len(content)
        case "L":
            return 3 + sum(1 + _size(each) for each in content)
        case "M":
            return 3 + sum(1 + len(name.encode()) + _size(each) for name, each in content.items())
    return 1


def _is_text(value: object) -> bool:
    """Whether it is a string that UTF-8 can encode."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_text(value: Json) -> Stored:
    try:
        return {"B": _to_text(value).encode()}
    except (TypeError, ValueError) as error:
        raise InvalidRequest.of("item", f"holds a value that is not JSON: {error}") from error
