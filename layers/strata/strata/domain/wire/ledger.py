"""What goes over the wire about the injection ledger: what a conversation has been given already."""

from typing import Annotated

from pydantic import StringConstraints

from strata.domain.wire.base import Wire
from strata.domain.wire.fields import Ident, OptionalIdent

INJECTED = "injected"
"""What an item is marked with unless something else is said (AEGIS)."""

MarkValue = Annotated[str, StringConstraints(max_length=200)]


class LedgerItem(Wire):
    """An item that is asked about, or taken out."""

    item: Ident


class LedgerEviction(LedgerItem):
    """An item to take out."""

    user_id: OptionalIdent = None


class LedgerMark(LedgerItem):
    """An item to mark; whoever named the conversation's user first owns it."""

    value: MarkValue = INJECTED
    user_id: OptionalIdent = None


class Checked(Wire):
    """Whether an item has been injected."""

    item: str
    injected: bool


class Marked(Wire):
    """Whether this call marked the item; false where another had done so before."""

    item: str
    marked: bool


class Evicted(Wire):
    """Whether the item was in the ledger."""

    item: str
    evicted: bool
