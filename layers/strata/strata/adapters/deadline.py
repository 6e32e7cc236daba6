"""The deadline of one call."""

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


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
