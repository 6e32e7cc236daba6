"""Calls that don't depend on each other, made in parallel."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import cached_property
from typing import TypeVar

First = TypeVar("First")
Second = TypeVar("Second")


class Parallel:
    """Makes calls in parallel over remote stores, and one after the other over an embedded one.

    Args:
        width: the number of calls at a time; 0 makes them one after the other, which is faster where a call
            needs no round trip.
    """

    def __init__(self, width: int) -> None:
        self._width = width

    @property
    def is_sequential(self) -> bool:
        """Whether calls are made one after the other."""
        return not self._width

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._width, thread_name_prefix="round")

    def both(self, first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
        """The results of two calls. The first one's error is raised before the second one's."""
        if not self._width:
            return first(), second()
        beside = self._beside(second)
        try:
            result = first()
        except BaseException:
            beside.cancel()
            raise
        return result, _result(beside, second)

    def each(self, calls: Sequence[Callable[[], First]]) -> list[First]:
        """The results of several calls of one kind, in their order."""
        if not self._width or len(calls) < 2:
            return [call() for call in calls]
        beside = [(self._beside(call), call) for call in calls[1:]]
        return [calls[0](), *(_result(future, call) for future, call in beside)]

    def _beside(self, call: Callable[[], First]) -> "Future[First]":
        """Make a call in another thread, in the context of this one (a trace, a request's id)."""
        return self._pool.submit(copy_context().run, call)


def _result(future: "Future[First]", call: Callable[[], First]) -> First:
    """The result of a call, made here where no thread has begun it: all threads may wait for such calls."""
    return call() if future.cancel() else future.result()
