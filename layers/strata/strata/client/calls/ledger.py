"""The injection ledger: what a conversation has been given already."""

from __future__ import annotations

from strata.client.call import Call, member, model
from strata.client.calls.parts import fields, path


def get_ledger(conversation_id: str) -> Call[dict[str, str]]:
    """Every item that is marked, with its value.

    `GET /ledger/{conversation_id}`.
    """
    return Call("GET", path("/ledger/{}", conversation_id), model(lambda: dict[str, str]))


def check_ledger(conversation_id: str, item: str) -> Call[bool]:
    """Whether an item is marked.

    `POST /ledger/{conversation_id}/check`.
    """
    where = path("/ledger/{}/check", conversation_id)
    return Call("POST", where, member("injected", lambda: bool), body={"item": item})


def mark_ledger(
    conversation_id: str, item: str, value: str | None = None, *, user_id: str | None = None
) -> Call[bool]:
    """Mark an item. Of all who do so one gets True, and gives the item to the conversation.

    `POST /ledger/{conversation_id}/mark`. The value is `injected` unless said otherwise.
    """
    where = path("/ledger/{}/mark", conversation_id)
    body = fields(item=item, value=value, user_id=user_id)
    return Call("POST", where, member("marked", lambda: bool), body=body, idempotent=False)


def evict_ledger(conversation_id: str, item: str, *, user_id: str | None = None) -> Call[bool]:
    """Take an item out, so that it can be marked again; whether it was in.

    `POST /ledger/{conversation_id}/evict`.
    """
    where = path("/ledger/{}/evict", conversation_id)
    body = fields(item=item, user_id=user_id)
    return Call("POST", where, member("evicted", lambda: bool), body=body)
