"""A fair write lock: one writer at a time over all threads and processes."""

import fcntl
import os
import threading
import time
from pathlib import Path

from strata.domain.errors import Unavailable

_POLLS = 40  # tries, 50 µs to 1 ms apart, before queueing up: most transactions are over by then

_CLOSED = -1


def lock_of(path: Path) -> Path:
    """The lock file beside a database."""
    return path.with_name(path.name + ".lock")


class WriteLock:
    """An flock on a file beside the database, behind a lock for the threads of this process.

    SQLite's busy handler polls with growing pauses, so that writers starve under saturation; the kernel
    queues the waiters of an flock in order. It belongs to the process that created it: a forked child must
    create its own, because a lock on an inherited descriptor is shared with the parent.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = threading.Lock()
        self._file = self._open()
        self._held = self._file

    def acquire(self, wait: float) -> bool:
        """Take the lock within `wait` seconds; False when others held it for longer."""
        deadline = time.monotonic() + wait
        if not self._threads.acquire(timeout=wait):
            return False
        taken = False
        try:
            taken = self._poll(deadline) or self._queue_up(deadline)
        finally:
            if not taken:
                self._threads.release()
        return taken

    def acquire_or_raise(self, wait: float) -> None:
        """Take the lock within `wait` seconds or raise `Unavailable`."""
        if not self.acquire(wait):
            raise Unavailable(f"the store was busy for {wait:g} seconds")

    def release(self) -> None:
        """Admit the next writer."""
        if self._held == self._file:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        else:
            os.close(self._held)
            self._held = self._file
        self._threads.release()

    def hold(self) -> bool:
        """Keep this process's own writers waiting; False when one of them is at work."""
        return self._threads.acquire(blocking=False)

    def let_go(self) -> None:
        """End `hold`."""
        self._threads.release()

    def read(self, size: int) -> bytes:
        """The first bytes of the lock file, which its holders may use for a record."""
        return os.pread(self._file, size, 0)

    def write(self, record: bytes) -> None:
        """Replace the first bytes of the lock file."""
        os.pwrite(self._file, record, 0)

    def close(self) -> None:
        """Close the descriptors, once; in a forked child, the parent's stay open.

        Only once: later, also in a child, their numbers may belong to other files.
        """
        if self._file == _CLOSED:
            return
        for file in {self._file, self._held}:
            os.close(file)
        self._file = self._held = _CLOSED

    def _open(self) -> int:
        return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _poll(self, deadline: float) -> bool:
        pause = 50e-6
        for _ in range(_POLLS):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    return False
                time.sleep(pause)
                pause = min(pause * 1.3, 1e-3)
            else:
                return True
        return False

    def _queue_up(self, deadline: float) -> bool:
        """Wait in the kernel's queue, which has no timeout, so a helper thread waits for us.

        The helper has its own descriptor: if it gets the lock after we gave up, it must not take, and then
        release, the lock that a later writer of this process holds on ours.
        """
        line = _Line(self._open())
        threading.Thread(target=line.wait_in_kernel, daemon=True, name="strata-write-lock").start()
        if not line.arrived_within(max(0.0, deadline - time.monotonic())):
            return False
        self._held = line.file
        return True


class _Line:
    """One wait for the lock: either the helper gets it, or the waiter gives up; never both."""

    def __init__(self, file: int) -> None:
        self.file = file
        self._guard = threading.Lock()
        self._arrived = threading.Event()
        self._given_up = False

    def wait_in_kernel(self) -> None:
        fcntl.flock(self.file, fcntl.LOCK_EX)
        with self._guard:
            if self._given_up:
                os.close(self.file)
            else:
                self._arrived.set()

    def arrived_within(self, timeout: float) -> bool:
        self._arrived.wait(timeout)
        with self._guard:
            self._given_up = not self._arrived.is_set()
            return not self._given_up
