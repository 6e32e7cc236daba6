"""Follows the table's stream in a thread, for remote stores.

Requests do not wait for the index: searches read changes that it does not show yet from the table.
"""

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from strata.domain.errors import Unavailable
from strata.local.processes import takes
from strata.local.stream.delivery import Stream
from strata.ports.changes import ChangeLog
from strata.services.faults import reason

_log = logging.getLogger(__name__)

INTERVAL = 0.5
"""Seconds between two polls of the stream; DynamoDB allows five a second and shard."""


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
        """Stop after the current delivery, waiting at most this many seconds."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(wait)

    def _run(self) -> None:
        with self._lock.open("a") as file:
            while not takes(file):
                if self._stopping.wait(self._interval):
                    return
            while True:
                self.follow()
                if self._stopping.wait(self._interval):
                    return

    def follow(self) -> None:
        """Fetch and deliver once. Trouble is logged when it begins and ends, and retried later."""
        try:
            self._change_log().fetch()
            self._stream.drain()
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
