"""Checks that the follower of the table's stream gets on, on one machine."""

from strata.domain.errors import Late
from strata.ports.changes import ChangeLog
from strata.ports.clock import Clock

LONGEST_SECONDS = 60
"""Changes may wait this long while none of them is followed."""


class StreamProgress:
    """Compares how far a consumer has come with the time before: one that stands still may yet be alive.

    Args:
        change_log: the changes.
        consumer: its name.
        clock: the time.
    """

    def __init__(self, change_log: ChangeLog, consumer: str, clock: Clock) -> None:
        self._log = change_log
        self._consumer = consumer
        self._clock = clock
        self._seen = (-1, 0.0)

    def check(self) -> None:
        """Check that what waited the last time is not all still waiting.

        Raises:
            Late: it is, since longer than `LONGEST_SECONDS`.
        """
        now, position = self._clock.monotonic(), self._log.position(self._consumer)
        if position >= self._log.head() or position != self._seen[0]:
            self._seen = position, now
        elif now - self._seen[1] > LONGEST_SECONDS:
            waited = round(now - self._seen[1])
            raise Late(f"changes have waited for {waited} seconds, and the stream's follower stands still")
