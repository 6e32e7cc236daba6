"""Retries: which outcomes are retried, and after how long."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx

from strata.client.call import Call
from strata.client.exchange import Outcome

_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_THROTTLED = 429
_AWAY = 503


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential backoff with full jitter, never shorter than the server's `Retry-After`.

    Failures that surely happened before the server did anything are retried: no connection, or 429. Failures
    that may have happened afterwards (connection lost, timeout, 503) are retried only for idempotent calls:
    all but `save` (and the tool `mem_save`), `store_episode`, `ingest` and `mark_ledger`. The client makes
    `add_event`, `add_events`, `create_event_session` and a context with a ledger idempotent by an id that it
    generates. When the response to a delete or an eviction is lost, the retry may report that nothing was
    there.

    Times are in seconds; if the server asks for more than `longest`, the call is not retried.
    """

    retries: int = 2
    first: float = 0.2
    longest: float = 10.0
    jitter: Callable[[float, float], float] = random.uniform
    now: Callable[[], datetime] = _utc_now

    def wait(self, call: Call[Any], tried: int, outcome: Outcome) -> float | None:
        """Seconds until the next attempt after `tried` attempts; None for no retry."""
        if tried > self.retries or not _may_be_repeated(call, outcome):
            return None
        asked = 0.0
        if isinstance(outcome, httpx.Response):
            from strata.domain import retry_after  # noqa: PLC0415 - who imports the client may never need it

            asked = retry_after.seconds(outcome.headers.get("retry-after", ""), self.now()) or 0.0
        if asked > self.longest:
            return None
        return max(asked, self.jitter(0.0, min(self.longest, self.first * 2.0 ** (tried - 1))))


def _may_be_repeated(call: Call[Any], outcome: Outcome) -> bool:
    if isinstance(outcome, httpx.Response):
        return outcome.status_code == _THROTTLED or (outcome.status_code == _AWAY and call.idempotent)
    if isinstance(outcome, _NEVER_SENT):
        return True
    broken = isinstance(outcome, httpx.TransportError) and not isinstance(outcome, httpx.UnsupportedProtocol)
    return call.idempotent and broken
