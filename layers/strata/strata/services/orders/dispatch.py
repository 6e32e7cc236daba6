"""Sends due orders to their queue, behind the stream: none is lost between table and queue."""

from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.ports.queue import Queue
from strata.ports.rows import Equals, Key, Update
from strata.ports.table import Table
from strata.services.orders.order import OrderKind
from strata.services.table.transaction import write_what_holds

_AT_ONCE = 100


class Dispatch:
    """A consumer of the stream that sends a message for every due order of one kind.

    A crash between sending and noting it sends twice: the second delivery finds the order leased or done.
    """

    def __init__(self, table: Table, kind: OrderKind, queue: Queue) -> None:
        self._table = table
        self._kind = kind
        self._queue = queue

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Send the orders of this kind that are due among these changed rows."""
        orders = [key for key in dict.fromkeys(keys) if key.sk == self._kind.sort_key]
        for start in range(0, len(orders), _AT_ONCE):
            rows = self._table.get_many(scope, orders[start : start + _AT_ONCE])
            due = {key: row for key, row in rows.items() if row["state"] == "due"}
            if due:
                self._queue.send([self._kind.message(scope, row) for row in due.values()])
                sent = [Update(key, set={"state": "sent"}, condition=Equals("state", "due")) for key in due]
                write_what_holds(self._table, scope, sent)
