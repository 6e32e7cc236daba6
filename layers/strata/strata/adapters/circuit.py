"""A circuit breaker for servers that do not respond."""

import threading
import time
from collections.abc import Callable
from math import ceil

from strata.domain.errors import Unavailable


class Circuit:
    """Open for `pause` seconds after a failure: calls fail at once, so a hanging server costs one timeout.

    After the pause one call is admitted as a probe. Its success closes the circuit; its failure, or no
    outcome, opens it for another pause.
    """

    def __init__(
        self, pause: float, clock: Callable[[], float] = time.monotonic, *, server: str = "the search engine"
    ) -> None:
        self._pause = pause
        self._server = server
        self._clock = clock
        self._lock = threading.Lock()
        self._open_until: float | None = None
        self._doubted = False

    def admit(self) -> None:
        """Return, or raise `Unavailable` while the circuit is open."""
        if self._open_until is None:  # read without the lock: this is the way of nearly every call
            return
        with self._lock:
            if self._open_until is None:
                return
            now = self._clock()
            if now < self._open_until:
                raise Unavailable(
                    f"{self._server} did not answer a moment ago", retry_after=ceil(self._open_until - now)
                )
            self._open_until = now + self._pause

    def succeeded(self) -> None:
        """Record a response."""
        if self._open_until is not None or self._doubted:
            with self._lock:
                self._open_until, self._doubted = None, False

    def failed(self) -> None:
        """Record a failure."""
        with self._lock:
            self._open_until = self._clock() + self._pause

    def doubted(self) -> None:
        """Record a failure that one connection may have: the second with no response between opens it."""
        with self._lock:
            if self._doubted or self._open_until is not None:
                self._open_until = self._clock() + self._pause
            self._doubted = True
