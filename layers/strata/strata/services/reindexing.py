"""Rebuilding the search index from the table, the source of truth, while it goes on serving."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext

from strata.domain.scope import Scope
from strata.ports import Census, Key, SearchIndex
from strata.services.indexing import Indexing
from strata.services.records import OBSERVATION_KIND, OBSERVATION_PREFIX

_AT_ONCE = 200

Exclusively = Callable[[], AbstractContextManager[object]]
"""Keeps every other writer of the index out for the length of a batch."""


def reindex(
    census: Census,
    index: SearchIndex,
    indexing: Indexing,
    on_progress: Callable[[int, int], None],
    exclusively: Exclusively = nullcontext,
) -> int:
    """Index every row as it is now, drop documents without a row; returns the number of rows.

    `on_progress` is called with (done, total) after each batch.
    """
    total = census.count(OBSERVATION_PREFIX)
    done = 0
    for scope, keys in _batches(census.keys(OBSERVATION_PREFIX)):
        with exclusively():
            indexing.follow(scope, keys)
        done += len(keys)
        on_progress(done, max(total, done))
    for tenant in census.tenants():
        scope = Scope(tenant)
        documents = list(index.keys(scope, OBSERVATION_KIND))
        for start in range(0, len(documents), _AT_ONCE):
            with exclusively():
                indexing.drop_orphans(scope, documents[start : start + _AT_ONCE])
    return done


def _batches(rows: Iterable[tuple[Scope, Key]]) -> Iterable[tuple[Scope, list[Key]]]:
    """Runs of one tenant's keys, at most `_AT_ONCE` long."""
    batch: list[Key] = []
    owner: Scope | None = None
    for scope, key in rows:
        if batch and (scope != owner or len(batch) == _AT_ONCE):
            yield owner or scope, batch
            batch = []
        owner = scope
        batch.append(key)
    if batch and owner:
        yield owner, batch
