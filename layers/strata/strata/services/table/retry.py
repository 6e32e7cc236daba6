"""Optimistic writes, tried again when another writer came first."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from strata.domain.backoff import pause
from strata.domain.errors import Conflict
from strata.ports import Clock, ConditionFailed
from strata.services.table.transaction import Refused

ATTEMPTS = 20
_FIRST, _LONGEST = 0.002, 0.128
"""Seconds of the pauses."""

Result = TypeVar("Result")


class Overtaken(Exception):
    """Another writer came first; the attempt is worth repeating from what it reads."""


def settled(clock: Clock, written: str, attempt: Callable[[Refused | None], Result]) -> Result:
    """The result of the first of twenty attempts in whose way nobody was, with full jitter between them.

    Args:
        clock: waits between the attempts.
        written: names for the caller what is contended: "the session".
        attempt: reads, decides and writes; it is given what refused the attempt before it, None at first or
            where that was no named transaction. `Refused`, `ConditionFailed` and `Overtaken` end one attempt.

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


def attempts() -> Iterator[None]:
    """Twenty tries, with full jitter of at most 128 ms between them."""
    for number in range(ATTEMPTS):
        if number:
            time.sleep(pause(number - 1, _FIRST, _LONGEST))
        yield
