"""The life of a conversation: its working memory and ledger exist as long as its head row does.

The first write makes the head. Every read and write moves its expiry to its time to live from now, never to
an earlier time. A read writes only when the expiry moves noticeably: after an hour where the time to live is
a day.

Ledger rows expire with the head without being written each time it is: they are kept until well after
`kept_until`, and all of them are renewed before the head's own expiry would pass it.
"""

from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.working_memory import expiry, noticeable
from strata.ports.clock import Clock
from strata.ports.rows import AllOf, AtMost, Condition, Equals, Item, Update
from strata.ports.table import Query, Table
from strata.services.records.conversations import LEDGER_PREFIX, head_key
from strata.services.table.pages import every_page
from strata.services.table.transaction import write_what_holds

KEPT = 60 * DAY
"""Seconds for which ledger rows are guaranteed to be kept after they are written or renewed."""
SLACK = DAY
"""Seconds that they are kept beyond that, so that a row written during a renewal need not be renewed."""

_AT_ONCE = 100


class ConversationLife:
    """Begins lives and prolongs them.

    Args:
        ttl_seconds: how long a conversation lives unless it was given its own time to live.
    """

    def __init__(self, table: Table, clock: Clock, *, ttl_seconds: int) -> None:
        self._table = table
        self._clock = clock
        self._ttl_seconds = ttl_seconds

    def begin(self, ttl_seconds: int | None = None) -> Item:
        """Return the head of a life that begins now, still without fields."""
        now_us, ttl = self._clock.now_us(), ttl_seconds or self._ttl_seconds
        return {
            "life": now_us,
            "ttl_seconds": ttl,
            "expires_at": expiry(now_us, ttl),
            "kept_until": expiry(now_us, KEPT),
            "size": 0,
        }

    def ledger_row(self, life: int, item: str, value: str) -> Item:
        """Return the row of a ledger item that is marked now."""
        now_us = self._clock.now_us()
        end = expiry(now_us, KEPT + SLACK)
        return {"item": item, "value": value, "life": life, "marked_at": now_us, "expires_at": end}

    def prolong(
        self, scope: Scope, conversation_id: str, head: Item, ttl_seconds: int | None = None
    ) -> tuple[Item, Condition]:
        """Return what a write sets in the head so that it lives its time from now, and the write's condition.

        The condition fails where the head is of another life by now, or was prolonged further meanwhile.
        """
        now_us, ttl = self._clock.now_us(), ttl_seconds or head["ttl_seconds"]
        end = max(head["expires_at"], expiry(now_us, ttl))
        fields: Item = {"expires_at": end}
        if ttl_seconds is not None:
            fields["ttl_seconds"] = ttl_seconds
        if end > head["kept_until"]:
            self._renew(scope, conversation_id, head["life"], expiry(now_us, KEPT + SLACK))
            fields["kept_until"] = expiry(now_us, KEPT)
        return fields, AllOf((Equals("life", head["life"]), AtMost("expires_at", end)))

    def due_refresh(self, scope: Scope, conversation_id: str, head: Item) -> Update | None:
        """Return the write that prolongs a life after a read; None where the expiry would hardly move."""
        ttl = head["ttl_seconds"]
        if not noticeable(head["expires_at"], expiry(self._clock.now_us(), ttl), ttl):
            return None
        fields, condition = self.prolong(scope, conversation_id, head)
        return Update(head_key(conversation_id), set=fields, condition=condition)

    def refresh(self, scope: Scope, conversation_id: str, head: Item) -> None:
        """Prolong a life after a read, where the expiry would move noticeably."""
        update = self.due_refresh(scope, conversation_id, head)
        if update is not None:
            write_what_holds(self._table, scope, [update])

    def _renew(self, scope: Scope, conversation_id: str, life: int, end: int) -> None:
        """Keep every row of this life's ledger until `end`."""
        mine = Equals("life", life)
        query = Query(head_key(conversation_id).pk, prefix=LEDGER_PREFIX, where=mine, limit=_AT_ONCE)
        for rows in every_page(self._table, scope, query):
            updates = [Update(row.key, set={"expires_at": end}, condition=mine) for row in rows]
            write_what_holds(self._table, scope, updates)
