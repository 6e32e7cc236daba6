"""The stored items of tenants, held by the totals that the stream folds, so that no write counts them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from strata.domain.errors import LimitReached
from strata.domain.scope import Scope
from strata.ports.clock import Clock

COUNTED_EVERY, AGAIN_AFTER = 60, 1
"""Seconds after which totals are read again: in any case, and where a process stored much or refuses."""
_SHARES = 20
"""Much is this part of what there was room for."""
_MOST_TENANTS = 10_000


@dataclass(slots=True)
class _Count:
    total: int
    at: float
    since: int = 0


class StoredItems:
    """Admits new observations and sessions within each tenant's limit.

    Args:
        limit: the tenant's limit; None for any number.
        count: how many the tenant has stored.
    """

    def __init__(
        self, clock: Clock, limit: Callable[[Scope], float | None], count: Callable[[Scope], int]
    ) -> None:
        self._clock = clock
        self._limit = limit
        self._count = count
        self._counts: dict[str, _Count] = {}

    def admit(self, scope: Scope, new: int = 1) -> None:
        """Count this many new items.

        Raises:
            LimitReached: the tenant would have more than its limit.
            Unavailable: the totals can't be read.
        """
        limit = self._limit(scope)
        if limit is None:
            return
        known, now = self._counts.get(scope.tenant), self._clock.monotonic()
        age = math.inf if known is None else now - known.at
        if known is None or age >= COUNTED_EVERY or (age >= AGAIN_AFTER and _is_much(known, new, limit)):
            if len(self._counts) >= _MOST_TENANTS:
                self._counts.clear()
            known = self._counts[scope.tenant] = _Count(self._count(scope), now)
        if known.total + known.since + new > limit:
            told = f"this tenant may store {limit:g} observations and sessions"
            raise LimitReached(told, retry_after=COUNTED_EVERY)
        known.since += new


def _is_much(known: _Count, new: int, limit: float) -> bool:
    return known.since + new > (limit - known.total) / _SHARES
