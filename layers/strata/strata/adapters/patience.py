"""The time limit of one call of a port with all its attempts."""

import time
from collections.abc import Callable

from strata.domain.backoff import pause

Sleep = Callable[[float], None]


class Patience:
    """Tracks the remaining time, and waits between attempts.

    Args:
        seconds: limit for starting attempts; one that has started is waited for.
        first, longest: bounds of the first pause, and of any.
    """

    def __init__(
        self,
        seconds: float,
        first: float = 0.02,
        longest: float = 1.0,
        *,
        sleep: Sleep = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._bounds = first, longest
        self._sleep = sleep
        self._clock = clock
        self._end = clock() + seconds
        self._tries = 0

    @property
    def left(self) -> float:
        """Seconds that remain."""
        return self._end - self._clock()

    def is_fresh(self) -> bool:
        """Whether half of the time is left: enough to retry a call without a response."""
        return self.left > self._seconds / 2

    def wait(self, seconds: float | None = None, *, sooner: float = 0) -> bool:
        """Sleep before the next attempt, for `seconds` if given; False if the time is up.

        `sooner` is how many seconds before its end that shall be.
        """
        delay = pause(self._tries, *self._bounds) if seconds is None else seconds
        self._tries += 1
        if delay >= self.left - sooner:
            return False
        self._sleep(delay)
        return True
