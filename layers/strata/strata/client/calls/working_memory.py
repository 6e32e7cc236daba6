"""Working memory: a JSON object of a conversation, which expires a day after its last use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from strata.client.call import OBJECT, Call, member, part
from strata.client.calls.parts import encodable, fields, params, path
from strata.client.errors import StrataClientError

_PATH = "/working-memory/{}"
_SCRATCHPAD = "scratchpad"
_ENTITIES = "entities"


def get_working_memory(conversation_id: str) -> Call[dict[str, Any]]:
    """All fields of a conversation, exactly as stored; empty when there are none.

    `GET /working-memory/{conversation_id}`.
    """
    return Call("GET", path(_PATH, conversation_id), OBJECT)


def put_working_memory(
    conversation_id: str,
    values: Mapping[str, Any],
    *,
    ttl_seconds: int | None = None,
    user_id: str | None = None,
) -> Call[dict[str, Any]]:
    """Set these fields, keep the others, and get all of them.

    `PUT /working-memory/{conversation_id}`. `ttl_seconds` is the time to live after the last use; no field
    can have that name. All fields together take at most 64 KB.
    """
    body = {**values, **fields(ttl_seconds=ttl_seconds)}
    return Call("PUT", path(_PATH, conversation_id), OBJECT, params(user_id=user_id), body)


def delete_working_memory(conversation_id: str, names: Sequence[str] | None = None) -> Call[int]:
    """Delete the named fields, or all fields without names; the number of deleted fields.

    `DELETE /working-memory/{conversation_id}`.

    Raises:
        StrataClientError: `names` is empty, which is ambiguous.
    """
    if names is not None and not names:
        raise StrataClientError(None, "invalid_request", "name the fields to delete, or leave out the names")
    given = {} if names is None else {"fields": [encodable(name) for name in names]}
    return Call("DELETE", path(_PATH, conversation_id), member("deleted", lambda: int), given)


def get_scratchpad(conversation_id: str) -> Call[Any]:
    """The field `scratchpad`, or None. `GET /working-memory/{conversation_id}`."""
    return Call("GET", path(_PATH, conversation_id), part(_SCRATCHPAD))


def set_scratchpad(conversation_id: str, scratchpad: Any) -> Call[dict[str, Any]]:
    """Set the field `scratchpad`, any JSON, and get all fields. `PUT /working-memory/{conversation_id}`."""
    return put_working_memory(conversation_id, {_SCRATCHPAD: scratchpad})


def get_entities(conversation_id: str) -> Call[list[Any]]:
    """The field `entities`, or an empty list. `GET /working-memory/{conversation_id}`."""
    return Call("GET", path(_PATH, conversation_id), part(_ENTITIES, []))


def set_entities(conversation_id: str, entities: Sequence[Any]) -> Call[dict[str, Any]]:
    """Set the field `entities`, a list of any JSON, and get all fields.

    `PUT /working-memory/{conversation_id}`.
    """
    return put_working_memory(conversation_id, {_ENTITIES: list(entities)})
