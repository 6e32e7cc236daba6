"""Deadlines: of one try, and of all tries together."""

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
    """What `send` returns, in so many seconds; a socket's own timeouts begin anew with every byte.

    `send` runs in a thread, which is left behind when the time is up.

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
    """What `send` returns, which is given the seconds that it may take.

    Between two tries lies the wait that the server asks for, or else a pause.

    Args:
        until: the end of all tries, by `time.monotonic`.
        each: seconds of one try.
        failed: told of every try without an answer.

    Raises:
        Unanswered, Slowed: no time is left for another try.
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
