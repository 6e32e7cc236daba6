"""Follows the table's stream in a thread, beside requests and queues.

No request waits for the index: searches read changes that it does not show yet from the table, and totals
count rows that were not counted yet.
"""

import logging
import math
import threading
import time
from collections.abc import Callable
from pathlib import Path

from strata.domain.errors import Unavailable
from strata.domain.faults import reason
from strata.local.processes import takes
from strata.local.stream.delivery import Stream
from strata.ports.changes import ChangeLog

_log = logging.getLogger(__name__)

INTERVAL = 0.2
"""Seconds between two looks at the change log of this machine; what came meanwhile is one batch."""

INTERVAL_REMOTE = 0.5
"""Seconds between two polls of DynamoDB's stream, which allows five a second and shard."""

MOST = 100
"""Changes of a batch over an embedded store, where saves wait while the index is written."""

MOST_REMOTE = 10_000
"""The most that a stream of DynamoDB allows."""


class Follower:
    """A thread that fetches and delivers changes.

    Of several processes over one data folder one follows while it lives; the others stand by.

    Args:
        stream: delivers the changes.
        change_log: opens the log, which is fetched here.
        lock: the lock file of the following process.
        interval: seconds.
    """

    def __init__(
        self, stream: Stream, change_log: Callable[[], ChangeLog], lock: Path, interval: float = INTERVAL
    ) -> None:
        self._stream = stream
        self._change_log = change_log
        self._lock = lock
        self._interval = interval
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble = ""

    def start(self) -> None:
        """Start the thread; never before a fork."""
        self._thread = threading.Thread(target=self._run, name="stream", daemon=True)
        self._thread.start()

    def stop(self, wait: float = 5.0) -> None:
        """Stop after the current batch, waiting at most this many seconds for it."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(wait)

    def finish(self, seconds: float = math.inf) -> None:
        """Deliver what waits now, for about so many seconds at most, unless another process follows."""
        end = time.monotonic() + seconds
        with self._lock.open("a") as file:
            if takes(file):
                self.follow(lambda: time.monotonic() > end)

    def _run(self) -> None:
        with self._lock.open("a") as file:
            while not takes(file):
                if self._stopping.wait(self._interval):
                    return
            while not self._stopping.wait(self._interval):
                self.follow(self._stopping.is_set)

    def follow(self, enough: Callable[[], bool] = lambda: False) -> None:
        """Fetch and deliver once, until `enough` returns True.

        Trouble is logged when it begins and ends, and retried later.
        """
        try:
            self._change_log().fetch()
            self._stream.drain(enough)
        except Unavailable as error:
            self._tell(error.message)
        except Exception as error:
            self._tell(reason(error))
            _log.debug("the table's stream could not be followed", exc_info=True)
        else:
            self._tell("")

    def _tell(self, trouble: str) -> None:
        if trouble and not self._trouble:
            _log.warning("the table's stream waits: %s", trouble)
        elif self._trouble and not trouble:
            _log.info("the table's stream is followed again")
        self._trouble = trouble
