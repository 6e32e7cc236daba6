"""Deadlines of one attempt, and of all attempts together."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from strata.adapters.models.errors import Slowed, Unanswered
from strata.adapters.patience import Patience

T = TypeVar("T")

_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 8.0


def within(seconds: float, send: Callable[[], T]) -> T:
    """The result of `send` within a time limit; a socket's own timeout restarts with every byte.

    `send` runs in a thread, which is abandoned when the time is up.

    Raises:
        TimeoutError: the time is up.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(send())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return done.result(seconds)


def tried(
    send: Callable[[float], T],
    until: float,
    *,
    each: float | None = None,
    failed: Callable[[Unanswered], object] = lambda error: None,
) -> T:
    """The result of `send`, which receives its time limit in seconds, with retries.

    Between two attempts it waits as long as the server asks for, or else with backoff.

    Args:
        until: the deadline of all attempts, by `time.monotonic`.
        each: time limit of one attempt in seconds.
        failed: called with the error of every attempt.

    Raises:
        Unanswered, Slowed: no time is left for another attempt.
    """
    patience = Patience(until - time.monotonic(), _FIRST_PAUSE, _LONGEST_PAUSE)
    while True:
        left = patience.left
        try:
            return send(max(left if each is None else min(left, each), 0.001))
        except (Unanswered, Slowed) as error:
            if isinstance(error, Unanswered):
                failed(error)
            if not patience.wait(error.wait):
                raise
