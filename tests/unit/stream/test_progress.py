"""Health tells of a follower that is alive and stands still."""

import pytest

from strata.domain.errors import Late
from strata.services.stream.progress import LONGEST_SECONDS, StreamProgress
from support.clocks import HandClock


class Log:
    """A change log whose consumer is moved by hand."""

    def __init__(self) -> None:
        self.newest, self.followed = 0, 0

    def head(self) -> int:
        return self.newest

    def position(self, consumer: str) -> int:
        return self.followed


def test_a_follower_that_stands_still_before_waiting_changes_is_late_until_it_moves():
    log, clock = Log(), HandClock()
    progress = StreamProgress(log, "Indexer", clock)  # type: ignore[arg-type]
    progress.check()
    clock.forward(3600)
    progress.check()
    log.newest = 5
    clock.forward(3600)
    log.followed = 2
    progress.check()
    clock.forward(LONGEST_SECONDS - 1)
    progress.check()
    clock.forward(10)
    with pytest.raises(Late):
        progress.check()
    log.followed = 3
    progress.check()
    log.followed = 5
    clock.forward(3600)
    progress.check()
