"""Attempts until a deadline."""

import time
from collections.abc import Callable
from typing import TypeVar

from strata.adapters.models.errors import Slowed, Unanswered
from strata.adapters.patience import Patience

T = TypeVar("T")

_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 8.0


def tried(
    send: Callable[[float], T],
    until: float,
    *,
    each: float | None = None,
    failed: Callable[[Unanswered], object] = lambda error: None,
) -> T:
    """The result of `send`, which receives its time limit in seconds, with retries.

    Between two attempts it waits as long as the server asks for, or else with backoff.

    Args:
        until: the deadline of all attempts, by `time.monotonic`.
        each: time limit of one attempt in seconds.
        failed: called with the error of every attempt.

    Raises:
        Unanswered, Slowed: no time is left for another attempt.
    """
    patience = Patience(until - time.monotonic(), _FIRST_PAUSE, _LONGEST_PAUSE)
    while True:
        left = patience.left
        try:
            return send(max(left if each is None else min(left, each), 0.001))
        except (Unanswered, Slowed) as error:
            if isinstance(error, Unanswered):
                failed(error)
            if not patience.wait(error.wait):
                raise
