"""Stored rows: partition key with its tenant, JSON, and the columns of the indexes."""

import json
from typing import Any

from strata.adapters.rules import schema
from strata.adapters.rules.keys import partition
from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.ports.rows import Item

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_decode = json.JSONDecoder().raw_decode  # without the search for white space around the text
_encode_ascii = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode

Columns = tuple[str, str, str, float | None, *tuple[str | None, ...]]
"""pk, sk, item, expires_at, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk"""

_OWN = (schema.NAME,)
_INDEXES = (("gsi1pk", "gsi1sk"), ("gsi2pk", "gsi2sk"), ("gsi3pk", "gsi3sk"))
_NOWHERE = (None, None)


def written(stored: tuple[str, str], scope: Scope, item: Item) -> Columns:
    """All columns of a row.

    Raises:
        InvalidRequest: a value is NaN, infinite, or has no JSON form.
    """
    expires_at = item.get("expires_at")
    if not isinstance(expires_at, int | float) or isinstance(expires_at, bool):
        expires_at = None
    places: list[str | None] = []
    for pk_name, sk_name in _INDEXES:
        if pk_name in item:
            places += _index_key(scope, item[pk_name], item.get(sk_name))
        else:
            places += _NOWHERE
    expiry = None if expires_at is None else float(expires_at)
    pk, sk = stored
    return pk, sk, _to_text(item), expiry, *places


def to_json(item: Item) -> str:
    """JSON text that SQLite can hold, for any strings."""
    try:
        text = _encode(item)
        if not text.isascii():
            text.encode()
    except UnicodeEncodeError:  # half a surrogate pair: only an escape can say it
        return _encode_ascii(item)
    except (ValueError, TypeError) as error:
        raise InvalidRequest.of("item", f"holds a value that is not JSON: {error}") from error
    return text


def parsed(text: str) -> Item:
    """The item of a stored row.

    Raises:
        NewerRow: a newer version of Strata wrote it.
    """
    item: Item = _decode(text)[0]
    schema.require_known(item.pop(schema.NAME, 1))
    if f'_{schema.NAME}":' in text:
        return {schema.unescaped(name, _OWN): value for name, value in item.items()}
    return item


def _to_text(item: Item) -> str:
    """A row's JSON, which starts with its schema."""
    text = to_json(item)
    if f'{schema.NAME}":' in text:
        text = to_json({schema.escaped(name, _OWN): value for name, value in item.items()})
    return f'{{"{schema.NAME}":{schema.SCHEMA}{"," if item else ""}{text[1:]}'


def _index_key(scope: Scope, pk: Any, sk: Any) -> tuple[str, str] | tuple[None, None]:
    """The key in a sparse index, which holds only rows with both parts."""
    if isinstance(pk, str) and isinstance(sk, str):
        return partition(scope, pk), sk
    return None, None
