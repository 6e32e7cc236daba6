"""The store's file on disk: whether it is still the one that was opened, and whether it can be written."""

import os
import struct
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from strata.adapters.sqlite.write_lock import WriteLock, lock_of
from strata.domain.errors import Unavailable

DAMAGE_SECONDS = 3600
"""For how long damage is reported after it was met: it may be in a page that few requests need."""
ROOM = 256 * 1024
"""Bytes that must fit on the disk: more than a save writes."""

_CHECK_SECONDS = 1.0


class StoreFile:
    """The file at `path`, created with mode 600 if there is none; SQLite's own files get the same mode.

    SQLite goes on writing to a file that was deleted or replaced, and what it acknowledges then is lost.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.exists():  # what the lock file records is of one that is gone
            with suppress(FileNotFoundError):
                os.truncate(lock_of(path), 0)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._identity = self._find()
        self._checked = 0.0

    @property
    def number(self) -> int:
        """The inode of the file."""
        return self._identity[1]

    def check(self) -> None:
        """Check that the path still leads to the file.

        Raises:
            Unavailable: it was deleted or replaced.
        """
        if self._find() != self._identity:
            raise Unavailable("the store's file was deleted or replaced: put it back, or restart Strata")

    def check_now_and_then(self) -> None:
        """The same, at most once a second."""
        now = time.monotonic()
        if now - self._checked >= _CHECK_SECONDS:
            self.check()
            self._checked = now

    def check_room(self) -> None:
        """Check that the disk takes a little more.

        Raises:
            OSError: it does not.
        """
        with tempfile.TemporaryFile(dir=self.path.parent) as file:
            file.write(bytes(ROOM))

    def _find(self) -> tuple[int, int]:
        try:
            found = os.stat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return 0, 0
        return found.st_dev, found.st_ino


class Failures:
    """The last failed write, and damage that was met, of whatever process.

    The process that is asked for its health is seldom the one whose write failed, so they are recorded in the
    lock file. Its few bytes are written when there is still room.

    Args:
        lock: holds the lock file open.
        number: the inode of the store's file; records of another file are void.
    """

    def __init__(self, lock: WriteLock, number: int) -> None:
        self._lock = lock
        self._number = number
        with suppress(OSError):
            if not lock.read(_RECORD.size):
                lock.write(_NOTHING)

    def add(self, *, damaged: bool) -> None:
        """Record a failed write, or that damage was met."""
        damaged = damaged or self.damaged
        with suppress(OSError):
            self._lock.write(_RECORD.pack(self._number, time.time(), damaged))

    def forget(self) -> None:
        """A write succeeded: forget the failed one, but not damage."""
        if self._read()[1] and not self.damaged:
            self.forget_damage()

    def forget_damage(self) -> None:
        """The whole file was found sound: forget everything."""
        with suppress(OSError):
            self._lock.write(_NOTHING)

    @property
    def any(self) -> bool:
        """Whether the last write failed."""
        return self._read()[1] > 0

    @property
    def damaged(self) -> bool:
        """Whether damage was met in the last hour."""
        _, since, damaged = self._read()
        return damaged and time.time() - since < DAMAGE_SECONDS

    def _read(self) -> tuple[int, float, bool]:
        try:
            content = self._lock.read(_RECORD.size)
        except OSError:
            content = b""
        number, since, damaged = _RECORD.unpack(content if len(content) == _RECORD.size else _NOTHING)
        return (number, since, damaged) if number == self._number else (number, 0.0, False)


_RECORD = struct.Struct("<Qd?")  # inode of the store's file, time of the failure, whether it is damage
_NOTHING = bytes(_RECORD.size)
