"""Warnings that repeat, for logs that people read.

A store that is away fails every request for the same reason. A line of each would hide everything else, and
fill the disk of a machine where nobody rotates the log.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

SECONDS = 60.0
_MOST = 200


class Repeats:
    """Tells the same warning of the same logger once a minute, with how often it was held back before.

    It knows the latest 200 warnings, by hashes: no text is kept.

    Args:
        clock: a monotonic clock in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._told: OrderedDict[int, tuple[float, int]] = OrderedDict()

    def told(self, record: logging.LogRecord) -> logging.LogRecord | None:
        """The record to write; None for one that is held back."""
        if record.levelno != logging.WARNING or record.exc_info:
            return record
        message, now = record.getMessage(), self._clock()
        known_by = hash((record.name, message))
        with self._lock:
            since, held_back = self._told.get(known_by, (now - SECONDS, 0))
            if now - since < SECONDS:
                self._told[known_by] = since, held_back + 1
                return None
            self._told[known_by] = now, 0
            self._told.move_to_end(known_by)
            if len(self._told) > _MOST:
                self._told.popitem(last=False)
        if not held_back:
            return record
        counted = f"{message} ({held_back} more times since this was told)"
        return logging.makeLogRecord(record.__dict__ | {"msg": counted, "args": ()})
