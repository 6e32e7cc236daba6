"""How long the call that is under way may take, told between processes in memory that they share."""

import mmap
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

_DEADLINE = struct.Struct("=d")
_GIVEN_UP = -1.0


class Watch:
    """To be made before the processes fork. One of them makes calls, another one looks."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _DEADLINE.size)

    @contextmanager
    def over(self, seconds: float) -> Iterator[None]:
        """A call that has so many seconds."""
        _DEADLINE.pack_into(self._memory, 0, time.monotonic() + seconds)
        try:
            yield
        finally:
            self.end()

    def is_overdue(self) -> bool:
        """Whether the call under way has no time left."""
        (deadline,) = _DEADLINE.unpack_from(self._memory)
        return bool(0 < deadline < time.monotonic())

    def give_up(self) -> None:
        """Note that the process was ended because its call had no time left."""
        _DEADLINE.pack_into(self._memory, 0, _GIVEN_UP)

    def was_given_up(self) -> bool:
        """Whether that was the end of the last call."""
        return bool(_DEADLINE.unpack_from(self._memory) == (_GIVEN_UP,))

    def end(self) -> None:
        """No call is under way."""
        _DEADLINE.pack_into(self._memory, 0, 0.0)
