"""Leases on orders: of many deliveries one works, and nothing is written once its lease was lost."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence

from strata.domain.errors import Unavailable
from strata.domain.faults import reason
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import (
    Action,
    AllOf,
    AnyOf,
    AtMost,
    Condition,
    Equals,
    Item,
    Json,
    Key,
    Present,
    Update,
)
from strata.ports.table import Table
from strata.services.orders.order import OrderKind
from strata.services.table.transaction import Refused, transact, update

_log = logging.getLogger("strata.orders")

_LEASE = ("lease", "lease_until")
_UNDONE = AnyOf((Equals("state", "due"), Equals("state", "sent")))


class LeaseLost(Exception):
    """The order was placed anew, or its lease ran out and another worker has it."""


class Lease:
    """An order that this worker alone may work on.

    Attributes:
        order: the order's row, as this worker knows it.
    """

    def __init__(self, table: Table, scope: Scope, key: Key, order: Item) -> None:
        self.scope = scope
        self.order = order
        self._table = table
        self._key = key

    def progress(self, fields: Mapping[str, Json]) -> Update:
        """Note how far the work is: an action for the transaction that writes its results.

        It fails once the lease was lost. After the transaction, add the fields to `order`.
        """
        return self._change(fields)

    def finish(self, outcome: str, beside: Mapping[str, Action | Sequence[Action]]) -> None:
        """Note that the work is done, and with it write those of these named actions that hold.

        Raises:
            LeaseLost: nothing was written.
        """
        done = self._change({"state": "done", "outcome": outcome}, remove=(*_LEASE, "reason"))
        try:
            transact(self._table, self.scope, {"order": done, **beside})
        except Refused as refused:
            if "order" in refused:
                raise LeaseLost from None
            self.finish(outcome, {name: action for name, action in beside.items() if name not in refused})

    def hand_on(self) -> None:
        """Have the rest of the work sent to the queue again, as if it had just become due.

        Raises:
            LeaseLost: nothing was written.
        """
        self._write(self._change({"state": "due"}, remove=_LEASE))

    def give_back(self, why: str) -> None:
        """Let the next delivery begin at once, and note why this one failed."""
        try:
            self._write(self._change({"reason": why}, remove=_LEASE))
        except LeaseLost:
            return
        except Unavailable as error:
            _log.warning("an order stays leased until its lease runs out: %s", error.message)

    def _change(self, fields: Mapping[str, Json], *, remove: tuple[str, ...] = ()) -> Update:
        held: Condition = AllOf(tuple(Equals(name, self.order[name]) for name in ("digest", "lease")))
        return Update(self._key, set=dict(fields), remove=remove, condition=held)

    def _write(self, change: Update) -> None:
        try:
            update(self._table, self.scope, "order", change)
        except Refused:
            raise LeaseLost from None


class Leases:
    """Leases orders of one kind to workers, one worker each."""

    def __init__(self, table: Table, clock: Clock, kind: OrderKind) -> None:
        self._table = table
        self._clock = clock
        self._kind = kind

    def work(self, scope: Scope, key: Key, job: Callable[[Lease], None]) -> None:
        """Call `job` with a lease on an order. One that is done, or that nobody placed, is passed over.

        Raises:
            Unavailable: another worker has the order, or it was placed anew: it is to be tried again.
            Exception: whatever `job` raised; the order was given back.
        """
        lease = self._take(scope, key)
        if lease is None:
            return
        try:
            job(lease)
        except LeaseLost:
            name = self._kind.name
            raise Unavailable(f"the {name} was ordered anew, or another worker has taken it over") from None
        except Exception as error:
            lease.give_back(reason(error))
            raise

    def _take(self, scope: Scope, key: Key) -> Lease | None:
        now = self._clock.now_us() // 1_000_000
        # not from `random`: processes restored from one snapshot would draw the same number
        lease = {"lease": secrets.randbits(53), "lease_until": now + self._kind.lease_seconds}
        free = AnyOf((Equals("lease_until", None), AtMost("lease_until", now)))
        taken = Update(key, set=lease, condition=AllOf((Present(), _UNDONE, free)))
        try:
            order = update(self._table, scope, "order", taken)
        except Refused as refused:
            there = refused.row("order")
            if there is None or there["state"] == "done":
                return None
            raise Unavailable(f"another worker has the {self._kind.name}") from None
        return Lease(self._table, scope, key, order)
