"""The injection ledger: the items that a conversation has already received."""

from __future__ import annotations

from strata.client.call import Call, member, model
from strata.client.calls.parts import fields, path


def get_ledger(conversation_id: str) -> Call[dict[str, str]]:
    """Every marked item with its value. `GET /ledger/{conversation_id}`."""
    return Call("GET", path("/ledger/{}", conversation_id), model(lambda: dict[str, str]))


def check_ledger(conversation_id: str, item: str) -> Call[bool]:
    """Whether an item is marked. `POST /ledger/{conversation_id}/check`."""
    where = path("/ledger/{}/check", conversation_id)
    return Call("POST", where, member("injected", lambda: bool), body={"item": item})


def mark_ledger(
    conversation_id: str, item: str, value: str | None = None, *, user_id: str | None = None
) -> Call[bool]:
    """Mark an item. Of all concurrent callers one gets True, and may inject the item.

    `POST /ledger/{conversation_id}/mark`. The value defaults to `injected`; one that is named for an
    item that is marked already takes the place of its value.
    """
    where = path("/ledger/{}/mark", conversation_id)
    body = fields(item=item, value=value, user_id=user_id)
    return Call("POST", where, member("marked", lambda: bool), body=body, idempotent=False)


def evict_ledger(conversation_id: str, item: str, *, user_id: str | None = None) -> Call[bool]:
    """Remove an item, so that it can be marked again; False when it was not marked.

    `POST /ledger/{conversation_id}/evict`.
    """
    where = path("/ledger/{}/evict", conversation_id)
    body = fields(item=item, user_id=user_id)
    return Call("POST", where, member("evicted", lambda: bool), body=body)
