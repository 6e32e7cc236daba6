"""The stream is followed beside the requests, whatever happens to it."""

from typing import Any

import pytest

from strata.domain.errors import Unavailable
from strata.local.stream.follower import Follower


class Log:
    """A change log that fails as it is told, or has nothing new."""

    def __init__(self):
        self.error = None

    def fetch(self):
        if self.error is not None:
            raise self.error

    def drain(self, enough):
        """Of the stream: nothing to deliver."""


@pytest.mark.parametrize("error", [Unavailable("the table can't be reached"), ValueError("quetzal")])
def test_trouble_is_told_when_it_begins_and_when_it_ends(error, tmp_path, caplog):
    caplog.set_level("INFO")
    log: Any = Log()
    follower = Follower(log, lambda: log, tmp_path / "follower")
    log.error = error
    for _ in range(3):
        follower.follow()
    log.error = None
    for _ in range(2):
        follower.follow()

    waits, again = (each.getMessage() for each in caplog.records)
    assert waits.startswith("the table's stream waits: ")
    assert "quetzal" not in waits
    assert again == "the table's stream is followed again"
