"""Positions in the change log, in memory shared by the server's processes.

Storing a position after every request would cost a transaction. It is stored every `EVERY` changes instead,
and when the server stops. After a crash the changes since then are delivered again, which does no harm: a
function on the stream reads the current row.
"""

import mmap
import struct
from collections.abc import Callable, Sequence

from strata.ports.changes import Change, ChangeLog

EVERY = 500
"""Changes between two writes of a position: the most that are delivered again after a crash."""

_PAIR = struct.Struct("=qq")  # the position, and the position that the store knows


class SharedPositions:
    """A change log with positions in shared memory. Create it before the processes fork.

    Callers of `advance` hold the stream's lock.
    """

    def __init__(self, log: Callable[[], ChangeLog], consumers: Sequence[str]) -> None:
        self._log = log
        self._offsets = {name: number * _PAIR.size for number, name in enumerate(consumers)}
        self._memory = mmap.mmap(-1, max(_PAIR.size * len(self._offsets), 1))

    def fetch(self) -> None:
        """Fetch the stream of a remote table."""
        self._log().fetch()

    def head(self) -> int:
        """Sequence number of the newest change."""
        return self._log().head()

    def read(self, after: int, limit: int) -> list[Change]:
        """Changes with a higher sequence number, oldest first."""
        return self._log().read(after, limit)

    def position(self, consumer: str) -> int:
        """The consumer's position, over all processes of this server."""
        position, _ = _PAIR.unpack_from(self._memory, self._offsets[consumer])
        if position:
            return int(position)
        known = self._log().position(consumer)
        _PAIR.pack_into(self._memory, self._offsets[consumer], known, known)
        return known

    def advance(self, consumer: str, sequence: int) -> None:
        """Record the consumer's position; store it only now and then."""
        offset = self._offsets[consumer]
        position, stored = _PAIR.unpack_from(self._memory, offset)
        position = max(position, sequence)
        if position - stored >= EVERY:
            self._log().advance(consumer, position)
            stored = position
        _PAIR.pack_into(self._memory, offset, position, stored)

    def store(self) -> None:
        """Store every position."""
        for consumer, offset in self._offsets.items():
            position, stored = _PAIR.unpack_from(self._memory, offset)
            if position > stored:
                self._log().advance(consumer, position)
                _PAIR.pack_into(self._memory, offset, position, position)
