"""The life of a conversation: working memory and ledger are there while its head row is.

A head is made by the first write, and every read and write puts its end off, to its time to live from now
and never to an earlier time. A read writes only when that moves the end noticeably: after an hour where the
time to live is a day.

Rows of the ledger end with the head, however long it lives on, without being written whenever it is: they are
kept until well after `kept_until`, and before the head's own end would pass that, all of them are renewed.
"""

from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.working_memory import expiry, noticeable
from strata.ports import (
    AllOf,
    AtMost,
    Clock,
    Condition,
    Equals,
    Item,
    Query,
    Table,
    Update,
)
from strata.services.records.conversations import LEDGER_PREFIX, head_key
from strata.services.table.pages import every_page
from strata.services.table.transaction import write_what_holds

KEPT = 60 * DAY
"""Seconds that the rows of a ledger are sure to be there once they were written or renewed."""
SLACK = DAY
"""Seconds that they stay longer: a row that is written while the others are renewed needs none of it."""

_AT_ONCE = 100


class ConversationLife:
    """Begins lives and prolongs them.

    Args:
        table: the source of truth.
        clock: the time.
        ttl_seconds: how long a conversation lives that was given no time of its own.
    """

    def __init__(self, table: Table, clock: Clock, *, ttl_seconds: int) -> None:
        self._table = table
        self._clock = clock
        self._ttl_seconds = ttl_seconds

    def begun(self, ttl_seconds: int | None = None) -> Item:
        """The head of a life that begins now, still without fields."""
        now_us, ttl = self._clock.now_us(), ttl_seconds or self._ttl_seconds
        return {
            "life": now_us,
            "ttl_seconds": ttl,
            "expires_at": expiry(now_us, ttl),
            "kept_until": expiry(now_us, KEPT),
            "size": 0,
        }

    def ledger_row(self, life: int, item: str, value: str) -> Item:
        """An item of the ledger, marked now."""
        now_us = self._clock.now_us()
        end = expiry(now_us, KEPT + SLACK)
        return {"item": item, "value": value, "life": life, "marked_at": now_us, "expires_at": end}

    def prolonged(
        self, scope: Scope, conversation_id: str, head: Item, ttl_seconds: int | None = None
    ) -> tuple[Item, Condition]:
        """What a write sets in the head so that it lives its time from now, and under which condition.

        The condition fails where the head is another's by now, or was prolonged further meanwhile.
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

    def due(self, scope: Scope, conversation_id: str, head: Item) -> Update | None:
        """The write that prolongs a life that is only looked at; None where that is not worth one."""
        ttl = head["ttl_seconds"]
        if not noticeable(head["expires_at"], expiry(self._clock.now_us(), ttl), ttl):
            return None
        fields, condition = self.prolonged(scope, conversation_id, head)
        return Update(head_key(conversation_id), set=fields, condition=condition)

    def refresh(self, scope: Scope, conversation_id: str, head: Item) -> None:
        """Prolong a life that is only looked at, where that is worth a write."""
        update = self.due(scope, conversation_id, head)
        if update is not None:
            write_what_holds(self._table, scope, [update])

    def _renew(self, scope: Scope, conversation_id: str, life: int, end: int) -> None:
        """Let every row of this life's ledger be kept until `end`."""
        mine = Equals("life", life)
        query = Query(head_key(conversation_id).pk, prefix=LEDGER_PREFIX, where=mine, limit=_AT_ONCE)
        for rows in every_page(self._table, scope, query):
            updates = [Update(row.key, set={"expires_at": end}, condition=mine) for row in rows]
            write_what_holds(self._table, scope, updates)
