"""Locks and lifetimes of processes."""

import ctypes
import fcntl
import os
import signal
import sys
from typing import IO

_PR_SET_PDEATHSIG = 1


def takes(file: IO[str]) -> bool:
    """Take the lock of the work, unless another process has it; it is kept while the file is open."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def end_with_parent(parent: int) -> None:
    """Have the kernel end this process when its parent ends, however that happens (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it went before we could ask
            os._exit(1)
