"""Optimistic writes, retried when another writer came first."""

from collections.abc import Callable
from typing import TypeVar

from strata.domain.backoff import pause
from strata.domain.errors import Conflict
from strata.ports.clock import Clock
from strata.ports.table import ConditionFailed
from strata.services.table.transaction import Refused

ATTEMPTS = 20
_FIRST, _LONGEST = 0.002, 0.128
"""Seconds of the pauses."""

Result = TypeVar("Result")


class Overtaken(Exception):
    """Another writer came first; the attempt is worth repeating from what it reads."""


def settled(clock: Clock, written: str, attempt: Callable[[Refused | None], Result]) -> Result:
    """Retry an optimistic write up to twenty times, with full jitter; the result of the first that succeeds.

    Args:
        clock: waits between the attempts.
        written: names the contended thing in the error: "the session".
        attempt: reads, decides and writes. It receives the refusal of the attempt before it; None at first,
            or where that was no transaction. `Refused`, `ConditionFailed` and `Overtaken` end one attempt.

    Raises:
        Conflict: concurrent writers came first every time.
    """
    refused: Refused | None = None
    for number in range(ATTEMPTS):
        if number:
            clock.sleep(pause(number - 1, _FIRST, _LONGEST))
        try:
            return attempt(refused)
        except Refused as failed:
            refused = failed
        except (ConditionFailed, Overtaken):
            refused = None
    raise Conflict(f"{written} is being written by others; try again")
