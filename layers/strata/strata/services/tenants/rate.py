"""Requests a second of a tenant, held by all processes together (decisions 42).

The rule is the generic cell rate algorithm (ATM Forum, Traffic Management 4.0, 4.4.2): a bucket that one
request fills by 1/rate seconds, that empties by a second each second, and that takes `BURST` seconds. Its
state is one number, the moment at which it will be empty. Every process keeps it for itself and tells its
requests to a shared row a share at a time, so that no call in general writes. What it learns then may be
more than the bucket takes, and is paid off before another request is admitted: processes go too far for a
moment, not in the long run.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from strata.domain.errors import Throttled, Unavailable
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Equals, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.records.directory import request_rate_key

BURST = 2
"""Seconds of a tenant's rate that may come at once."""

_SHARES, _FULL_SHARES = 10, 40
"""A process tells its requests when they are a tenth of a burst, a fortieth while the bucket is half full."""
_TOLD_EVERY, _FULL_TOLD_EVERY = 10, 1
"""Seconds after which it tells them in any case."""
_ATTEMPTS = 5
_MOST_TENANTS = 10_000
_SECOND = 1_000_000
_KEPT = 3600
_DIRECTORY = Scope.directory()


@dataclass(slots=True)
class _Bucket:
    """A tenant's bucket as one process knows it: moments in microseconds."""

    empty_at: float = 0
    seen: int | None = None
    """The row's `empty_at` when it was read last."""
    untold: int = 0
    told_at: float = 0


class RequestRate:
    """Admits requests within each tenant's rate.

    Args:
        table: holds a row for each tenant with a rate.
        rate: the tenant's requests a second; None for any number.
    """

    def __init__(self, table: Table, clock: Clock, rate: Callable[[Scope], float | None]) -> None:
        self._table = table
        self._clock = clock
        self._rate = rate
        self._buckets: dict[str, _Bucket] = {}

    def admit(self, scope: Scope) -> None:
        """Count a request.

        Raises:
            Throttled: the tenant's rate is used up; `retry_after` is when a request may come.
        """
        rate = self._rate(scope)
        if rate is None:
            return
        if rate == 0:
            raise Throttled("this tenant may make no requests", retry_after=60)
        now, cost = self._clock.now_us(), _SECOND / rate
        if len(self._buckets) >= _MOST_TENANTS and scope.tenant not in self._buckets:
            self._buckets.clear()
        bucket = self._buckets.setdefault(scope.tenant, _Bucket(told_at=now))
        room = max(BURST * _SECOND, cost)
        if self._is_due(bucket, now, room, cost):
            self._tell(scope, bucket, now, cost)
        over = max(bucket.empty_at, now) + cost - now - room
        if over > 0:
            told = f"this tenant may make {rate:g} requests a second"
            raise Throttled(told, retry_after=math.ceil(over / _SECOND))
        bucket.empty_at = max(bucket.empty_at, now) + cost
        bucket.untold += 1

    @staticmethod
    def _is_due(bucket: _Bucket, now: float, room: float, cost: float) -> bool:
        half_full = bucket.empty_at - now > room / 2
        shares, seconds = (_FULL_SHARES, _FULL_TOLD_EVERY) if half_full else (_SHARES, _TOLD_EVERY)
        late = now - bucket.told_at >= seconds * _SECOND
        return bucket.untold > 0 and (late or bucket.untold * cost >= max(room / shares, 2 * cost))

    def _tell(self, scope: Scope, bucket: _Bucket, now: int, cost: float) -> None:
        """Add the requests to the row, and learn those of others; without the table they go untold."""
        key = request_rate_key(scope.tenant)
        bucket.told_at = now
        for _ in range(_ATTEMPTS):
            empty_at = int(max(bucket.seen or 0, now) + bucket.untold * cost)
            values = {"empty_at": empty_at, "expires_at": empty_at // _SECOND + _KEPT}
            condition = Absent() if bucket.seen is None else Equals("empty_at", bucket.seen)
            try:
                self._table.update(_DIRECTORY, Update(key, set=values, condition=condition))
            except ConditionFailed as failed:
                row = failed.failures[0]
                bucket.seen = None if row is None else row["empty_at"]
            except Unavailable:
                bucket.untold = 0
                return
            else:
                bucket.seen, bucket.empty_at, bucket.untold = empty_at, empty_at, 0
                return
