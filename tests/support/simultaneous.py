"""Calls that begin at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any


def at_once(call: Callable[[int], Any], count: int, *refusals: type[Exception]) -> list[Any]:
    """The results of so many simultaneous calls, in their order; one of the refusals counts as an answer."""
    barrier = Barrier(count)

    def run(place: int) -> Any:
        barrier.wait()
        try:
            return call(place)
        except refusals as error:
            return error

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))
