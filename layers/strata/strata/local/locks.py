"""Which of several processes over one data folder does what only one may do."""

import fcntl
from typing import IO


def takes(file: IO[str]) -> bool:
    """Take the lock of the work, unless another process has it; it is kept while the file is open."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
