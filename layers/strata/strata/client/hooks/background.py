"""Background jobs: a bounded queue and a few daemon threads."""

import asyncio
import atexit
import contextvars
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from weakref import WeakSet

T = TypeVar("T")
_Job = tuple[Future[Any], contextvars.Context, Callable[[], Any]]

AT_EXIT = 2.0
"""Seconds that the process waits at its end for all queued jobs together."""


class Background:
    """Runs jobs in order, at most `threads` at a time and `size` waiting.

    A job runs in the context (`contextvars`) of its submitter, so that its requests belong to that trace.
    Threads start when needed and do not keep the process alive; its end waits briefly for queued jobs.
    """

    def __init__(self, name: str, *, threads: int, size: int) -> None:
        self._name = name
        self._size = size
        self._most = threads
        self._threads = 0
        self._busy = 0
        self._jobs: deque[_Job] = deque()
        self._closed = False
        self._changed = threading.Condition()
        _open.add(self)

    def submit(self, job: Callable[[], T]) -> Future[T] | None:
        """Queue a job; None when the queue is full or closed. Never waits."""
        future: Future[T] = Future()
        with self._changed:
            if self._closed or len(self._jobs) >= self._size:
                return None
            self._jobs.append((future, contextvars.copy_context(), job))
            if self._busy + len(self._jobs) > self._threads < self._most:
                self._start()
            self._changed.notify_all()
        return future

    def flush(self, timeout: float) -> bool:
        """Wait until every queued job is done; False after `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._jobs and not self._busy, timeout)

    def retire(self) -> None:
        """Accept no more jobs; queued ones still run."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def close(self, timeout: float) -> bool:
        """Accept no more jobs and wait; jobs not started within `timeout` seconds are dropped.

        Returns:
            Whether every job was done.
        """
        self.retire()
        done = self.flush(timeout)
        with self._changed:
            while self._jobs:
                self._jobs.popleft()[0].cancel()
        return done

    def forked(self) -> None:
        """Start afresh in a child process: threads and queued jobs belong to the parent."""
        self._changed = threading.Condition()
        self._jobs.clear()
        self._threads = self._busy = 0

    def _start(self) -> None:
        """Start a thread; if none can be started, the running ones do the work."""
        number = self._threads + 1
        try:
            threading.Thread(target=self._work, name=f"{self._name}-{number}", daemon=True).start()
        except RuntimeError:  # no more threads, or the interpreter is ending
            return
        self._threads = number

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._closed)
                if not self._jobs:
                    return
                future, context, job = self._jobs.popleft()
                self._busy += 1
            try:
                if future.set_running_or_notify_cancel():
                    _settle(future, context, job)
            finally:
                del future, context, job  # an idle thread holds on to nothing
                with self._changed:
                    self._busy -= 1
                    self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class Pending(Generic[T]):
    """A job with a waiter, up to a deadline of the monotonic clock."""

    future: Future[T]
    until: float

    def wait(self) -> None:
        """Wait until the job is done or its deadline has passed."""
        wait([self.future], self._left())

    async def wait_async(self) -> None:
        """`wait` without blocking the event loop; returns at once on a loop that is not asyncio's."""
        if self.future.done():
            return
        with suppress(RuntimeError, TimeoutError):
            loop, done = asyncio.get_running_loop(), asyncio.Event()

            def tell(_future: Future[T]) -> None:
                with suppress(RuntimeError):  # the loop was closed in the meantime
                    loop.call_soon_threadsafe(done.set)

            self.future.add_done_callback(tell)
            await asyncio.wait_for(done.wait(), self._left())

    def given_up(self) -> bool:
        """Whether the job is not done yet; if so, it is cancelled unless it runs."""
        if self.future.done():
            return False
        self.future.cancel()
        return True

    def _left(self) -> float:
        return max(0.0, self.until - time.monotonic())


def pending(background: Background, job: Callable[[], T], timeout: float) -> Pending[T] | None:
    """Queue a job with a deadline in `timeout` seconds; None when the queue is full."""
    future = background.submit(job)
    return None if future is None else Pending(future, time.monotonic() + timeout)


def _settle(future: Future[Any], context: contextvars.Context, job: Callable[[], Any]) -> None:
    try:
        future.set_result(context.run(job))
    except BaseException as error:
        future.set_exception(error)


_open: WeakSet[Background] = WeakSet()


def _in_child() -> None:
    for background in list(_open):
        background.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


@atexit.register
def _at_exit() -> None:
    until = time.monotonic() + AT_EXIT
    for background in list(_open):
        background.close(max(0.0, until - time.monotonic()))
