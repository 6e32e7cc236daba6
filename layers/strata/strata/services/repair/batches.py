"""Long work over all rows in batches: how it is watched, and how it writes beside the stream."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Key
from strata.services.stream.consumers import Consumer, fan_out

AT_ONCE = 200
"""Rows of one batch: read, embedded and written together."""

Exclusively = Callable[[], AbstractContextManager[object]]
"""Keeps every other writer of the index out while one batch is written."""

Progress = Callable[[str, int, int], None]
"""Receives the name of the work, how much of it is done, and how much there is in all."""


def unwatched(work: str, done: int, total: int) -> None:
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


def process_again(
    consumers: Sequence[Consumer], scope: Scope, keys: Sequence[Key], exclusively: Exclusively
) -> dict[Key, str]:
    """Process one batch again by these consumers; the rows that fail alone, each with its reason.

    Raises:
        Unavailable: a store does not answer.
    """
    if not keys:
        return {}
    with exclusively():
        result = fan_out(consumers, scope.tenant, keys)
    if result.outage:
        raise Unavailable(result.outage)
    return result.poisoned
