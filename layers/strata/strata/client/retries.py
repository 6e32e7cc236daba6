"""Which outcomes are worth another try, and how long to wait before it."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from strata.client.call import Call

BUSY = frozenset({429, 503})


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential backoff with full jitter, never shorter than the server's `Retry-After`.

    Only calls that may be repeated without harm are tried again. Times are in seconds; a server that asks
    for more than `longest` is not waited for.
    """

    retries: int = 2
    first: float = 0.2
    longest: float = 10.0
    jitter: Callable[[float, float], float] = random.uniform
    now: Callable[[], datetime] = _utc_now

    def wait(
        self, call: Call[Any], tried: int, outcome: httpx.Response | httpx.TransportError
    ) -> float | None:
        """Seconds until the next try after `tried` of them, or None when this outcome stands."""
        if tried > self.retries or not call.idempotent:
            return None
        asked = 0.0
        if isinstance(outcome, httpx.Response):
            if outcome.status_code not in BUSY:
                return None
            asked = self._asked(outcome.headers.get("retry-after", ""))
        elif isinstance(outcome, httpx.UnsupportedProtocol):
            return None
        if asked > self.longest:
            return None
        return max(asked, self.jitter(0.0, min(self.longest, self.first * 2.0 ** (tried - 1))))

    def _asked(self, retry_after: str) -> float:
        """`Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3)."""
        try:
            return max(0.0, float(retry_after))
        except ValueError:
            pass
        try:
            return max(0.0, (parsedate_to_datetime(retry_after) - self.now()).total_seconds())
        except (ValueError, TypeError):
            return 0.0
