"""Arguments and results of tools as text of bounded length."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from inspect import Parameter, Signature
from typing import Any

MAX_RESULT = 200_000
"""Characters of a text that are searched for recalled blocks before it is truncated."""


def as_text(value: object, limit: int) -> str:
    """A value as encodable text of at most `limit` characters: a string unchanged, the rest as JSON."""
    if value is None:
        return ""
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value[: 4 * limit]).decode("utf-8", "replace")
    text = value[:limit] if isinstance(value, str) else _json(value, limit)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _json(value: object, limit: int) -> str:
    """JSON up to the limit: a result may be far larger than the part that is kept."""
    try:
        return _first(json.JSONEncoder(ensure_ascii=False, default=_plain).iterencode(value), limit)
    except (TypeError, ValueError, RecursionError):  # odd keys, circles
        return str(value)[:limit]


def _first(parts: Iterable[str], limit: int) -> str:
    taken, length = [], 0
    for part in parts:
        taken.append(part)
        length += len(part)
        if length >= limit:
            break
    return "".join(taken)[:limit]


def _plain(value: object) -> object:
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return str(value)


def named_arguments(
    signature: Signature | None, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of a call by name; a single mapping is taken as the arguments."""
    if signature is None:
        given: dict[str, Any] = dict(kwargs)
    else:
        try:
            given = dict(signature.bind_partial(*args, **kwargs).arguments)
        except TypeError:  # the tool itself will refuse these
            given = dict(kwargs)
        for name, parameter in signature.parameters.items():
            if parameter.kind is Parameter.VAR_KEYWORD:
                given |= given.pop(name, {})
        first = next(iter(signature.parameters), None)
        if first in ("self", "cls"):
            given.pop(first, None)
    only = (
        next(iter(given.values())) if len(given) == 1 else args[0] if len(args) == 1 and not given else None
    )
    return {str(name): value for name, value in only.items()} if isinstance(only, Mapping) else given
