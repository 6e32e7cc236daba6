"""The deadline of the current call, in memory shared between processes."""

import mmap
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

_DEADLINE = struct.Struct("=d")
_GIVEN_UP = -1.0


class Watch:
    """Create it before the fork. One process makes calls, another one checks."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _DEADLINE.size)

    @contextmanager
    def over(self, seconds: float) -> Iterator[None]:
        """Record a call with this time limit in seconds."""
        _DEADLINE.pack_into(self._memory, 0, time.monotonic() + seconds)
        try:
            yield
        finally:
            self.end()

    def is_overdue(self) -> bool:
        """Whether the current call is past its deadline."""
        (deadline,) = _DEADLINE.unpack_from(self._memory)
        return bool(0 < deadline < time.monotonic())

    def give_up(self) -> None:
        """Record that the process was killed because of its call's deadline."""
        _DEADLINE.pack_into(self._memory, 0, _GIVEN_UP)

    def was_given_up(self) -> bool:
        """Whether the last call ended like that."""
        return bool(_DEADLINE.unpack_from(self._memory) == (_GIVEN_UP,))

    def end(self) -> None:
        """Record that no call is in progress."""
        _DEADLINE.pack_into(self._memory, 0, 0.0)
