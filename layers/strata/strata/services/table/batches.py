"""Long sweeps in short steps."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager

from strata.domain.scope import Scope
from strata.ports import Key

AT_ONCE = 200
"""Rows of one step: read, embedded and written together."""

Exclusively = Callable[[], AbstractContextManager[object]]
"""Keeps every other writer of the index out for the length of a step."""

Progress = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is, and how much there is in all."""


def unwatched(what: str, done: int, total: int) -> None:
    """The progress that nobody watches."""


def batches(rows: Iterable[tuple[Scope, Key]], size: int = AT_ONCE) -> Iterator[tuple[Scope, list[Key]]]:
    """Runs of one tenant's keys, at most `size` long."""
    batch: list[Key] = []
    owner: Scope | None = None
    for scope, key in rows:
        if owner is not None and batch and (scope != owner or len(batch) == size):
            yield owner, batch
            batch = []
        owner = scope
        batch.append(key)
    if batch and owner is not None:
        yield owner, batch
