"""Time-ordered integer ids that a JavaScript double holds exactly.

An id is the number of microseconds since 1970 at which it was made. That is below 2^53 until the year 2255,
so it sorts by time over every process, and clients that decode it into an int64 or a double keep every digit.
If two processes take the same microsecond, the conditional write of the row fails and takes the next one.
"""

import threading


class IdSource:
    """Ids of one process: each is greater than the last, even if the clock stands still or steps back."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def next(self, now_us: int) -> int:
        """An unused id at or after `now_us` (microseconds since 1970)."""
        with self._lock:
            self._last = max(now_us, self._last + 1)
            return self._last
