"""The injection ledger as it goes over the wire: the memories that a conversation already received."""

from typing import Annotated

from pydantic import StringConstraints

from strata.domain.wire.base import Wire
from strata.domain.wire.fields import Ident, NewIdent, OptionalIdent, OptionalNewIdent, WithoutSecret

INJECTED = "injected"
"""The default value of a mark (AEGIS)."""
REPEATED = "repeated"
"""The value of a memory that was not given, since one that was given says the same."""

MarkValue = Annotated[str, StringConstraints(max_length=200), WithoutSecret]


class LedgerItem(Wire):
    """A ledger item, by its name."""

    item: Ident


class LedgerEviction(LedgerItem):
    """A request to evict an item."""

    user_id: OptionalIdent = None


class LedgerMark(LedgerItem):
    """A request to mark an item. The first user that is named for a conversation owns it."""

    item: NewIdent
    value: MarkValue = INJECTED
    user_id: OptionalNewIdent = None


class Checked(Wire):
    """Whether an item was injected."""

    item: str
    injected: bool


class Marked(Wire):
    """Whether this call marked the item; false if it was marked already."""

    item: str
    marked: bool


class Evicted(Wire):
    """Whether the item was in the ledger."""

    item: str
    evicted: bool
