"""Locks and lifetimes of processes."""

import ctypes
import fcntl
import os
import signal
import sys
from typing import IO

_PR_SET_PDEATHSIG = 1


def takes(file: IO[str]) -> bool:
    """Take the lock, unless another process holds it; it is held while the file is open."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def end_with_parent(parent: int) -> None:
    """Make the kernel kill this process when its parent dies, for any reason (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it went before we could ask
            os._exit(1)
