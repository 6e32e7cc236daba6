"""The background process, which the server's parent starts, watches and replaces."""

import logging
import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from strata.local.processes import end_with_parent
from strata.local.queues.watch import Watch

_log = logging.getLogger(__name__)

LONGEST_PAUSE = 30.0
"""Seconds, at most, between the end of one process and the start of the next."""
_HEALTHY = 60.0
_NICE = 3
"""The niceness of this work, which requests go before: eight clients then saved a third more a second."""
_IGNORED = ("SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGTTIN", "SIGTTOU", "SIGWINCH")


class Background:
    """Keeps one child process that runs `work`. Call `keep` about once a second.

    Args:
        work: runs in the child; its argument is a `wait` for a number of seconds that returns True to end.
        watch: the deadline of the child's current call; a child past it is killed.
    """

    def __init__(self, work: Callable[[Callable[[float], bool]], None], watch: Watch) -> None:
        self._work = work
        self._watch = watch
        self._pid = 0
        self._started = 0.0
        self._ends = 0
        self._not_before = 0.0
        self._stopping = False

    def keep(self, let_go: Callable[[], None]) -> None:
        """Start the child if there is none, kill it when its call takes too long.

        `let_go` is called in a new child, to close the parent's sockets.
        """
        if self._stopping:
            return
        if self.is_alive():
            if self._watch.is_overdue():
                _log.error("a function in the background took longer than its Timeout; its process is ended")
                os.kill(self._pid, signal.SIGKILL)
                self._watch.give_up()
        elif time.monotonic() >= self._not_before:
            self._start(let_go)

    def is_alive(self) -> bool:
        """Whether the child runs; reaps it if not."""
        if not self._pid:
            return False
        try:
            ended, _ = os.waitpid(self._pid, os.WNOHANG)
        except ChildProcessError:  # another waiter has reaped it
            ended = self._pid
        if not ended:
            return True
        self._pid = 0
        lived = time.monotonic() - self._started
        self._ends = 1 if lived > _HEALTHY else self._ends + 1
        pause = min(2.0 ** (self._ends - 1), LONGEST_PAUSE)
        self._not_before = time.monotonic() + pause
        if not self._stopping:
            _log.warning(
                "the process that works in the background ended; another one follows in %.0f s", pause
            )
        return False

    def ask_to_end(self) -> None:
        """Ask the child to end after its current call."""
        self._stopping = True
        if self.is_alive():
            os.kill(self._pid, signal.SIGTERM)

    def end(self, seconds: float) -> None:
        """Wait for the child's end for at most this many seconds, then kill it."""
        limit = time.monotonic() + seconds
        while self.is_alive() and time.monotonic() < limit:
            time.sleep(0.02)
        if self.is_alive():
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0

    def _start(self, let_go: Callable[[], None]) -> None:
        parent = os.getpid()
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # until it is listened for
        self._started = time.monotonic()
        self._pid = os.fork()
        if self._pid:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
            return
        code = 1
        try:
            end_with_parent(parent)
            wait = _listen(parent)
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
            let_go()
            os.nice(_NICE)
            self._work(wait)
            code = 0
        except BaseException:
            _log.exception("the process that works in the background failed")
        finally:
            os._exit(code)  # nothing of the parent's is to be cleaned up here


def _listen(parent: int) -> Callable[[float], bool]:
    """A wait that SIGTERM or the parent's end interrupts; the parent's own signals are ignored."""
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    for name in _IGNORED:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)

    def note(*_: object) -> None:
        with suppress(BlockingIOError):
            os.write(tell, b".")

    signal.signal(signal.SIGTERM, note)

    def wait(seconds: float) -> bool:
        ready, _, _ = select.select([told], [], [], seconds)
        return bool(ready) or os.getppid() != parent

    return wait
