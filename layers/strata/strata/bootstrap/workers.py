"""Repairs of a large deployment in several processes, each over segments of the table."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

from strata.bootstrap.application import Application
from strata.services.repair.batches import Progress
from strata.services.repair.recount import Counted
from strata.services.repair.reindex import Reindexed
from strata.services.repair.verdict import Verdict
from strata.settings import Settings

SEGMENTS = 4
"""Of each process, so that none waits long for the last, and an operator sees how far it is."""

T = TypeVar("T")
Segment = tuple[int, int]
"""Its number, and the number of all."""


@contextmanager
def worker_processes(settings: Settings, processes: int, on_progress: Progress) -> Iterator["Workers"]:
    """Processes that work beside this one until the end of the block."""
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(settings,)) as pool:
        yield Workers(pool, processes * SEGMENTS, on_progress)


class Workers:
    """The steps of a reindex and a verification, each split by segments or tenants."""

    def __init__(self, pool: ProcessPoolExecutor, segments: int, on_progress: Progress) -> None:
        self._pool = pool
        self._segments = segments
        self._on_progress = on_progress

    def fill(self, identity: str) -> Reindexed:
        """Index what the index of this identity lacks."""
        return sum(self._each("indexing", _fill, identity), Reindexed())

    def catch_up(self, identity: str | None) -> None:
        """Index what has changed since; None for the live index."""
        self._each("comparing", _catch_up, identity)

    def delete_orphans(self, tenants: Sequence[str]) -> None:
        """Delete these tenants' documents without a row."""
        self._each("orphans", _delete_orphans, by_tenant=tenants)

    def rows(self, *, repair: bool) -> tuple[Verdict, list[str]]:
        """Check notes, rows and marks of totals; also every tenant."""
        found = self._each("rows", _rows, repair)
        tenants = sorted({tenant for _, tenants in found for tenant in tenants})
        return sum((verdict for verdict, _ in found), Verdict()), tenants

    def documents(self, tenants: Sequence[str], *, repair: bool) -> Verdict:
        """Check these tenants' documents."""
        return sum(self._each("documents", _documents, repair, by_tenant=tenants), Verdict())

    def marked(self) -> Counted:
        """The numbers of counted observations and sessions, by tenant and project."""
        found: Counted = {}
        for part in self._each("totals", _marked):
            for project, (observations, sessions) in part.items():
                before = found.get(project, (0, 0))
                found[project] = before[0] + observations, before[1] + sessions
        return found

    def _each(
        self, told: str, work: Callable[..., T], *arguments: Any, by_tenant: Sequence[str] | None = None
    ) -> list[T]:
        """The results of one piece of work for every segment, or for every share of these tenants."""
        shares: list[Any] = [(number, self._segments) for number in range(self._segments)]
        if by_tenant is not None:
            shares = [share for number, all_ in shares if (share := by_tenant[number::all_])]
        begun = [self._pool.submit(work, share, *arguments) for share in shares]
        for done, _ in enumerate(as_completed(begun), 1):
            self._on_progress(told, done, len(begun))
        return [each.result() for each in begun]


_of_this_process: Application
"""The application of a worker."""


def _begin(settings: Settings) -> None:
    global _of_this_process  # noqa: PLW0603 - a pool hands nothing else to its processes once
    _of_this_process = Application(settings)


def _fill(segment: Segment, identity: str) -> Reindexed:
    return _over(segment).repair.reindexer.fill(identity)


def _catch_up(segment: Segment, identity: str | None) -> None:
    _over(segment).repair.reindexer.catch_up(identity)


def _delete_orphans(tenants: Sequence[str]) -> None:
    _of_this_process.repair.reindexer.delete_orphans(tenants)


def _rows(segment: Segment, repair: bool) -> tuple[Verdict, list[str]]:
    app = _over(segment)
    return app.repair.verifier.rows(repair=repair), app.stores.census.tenants()


def _documents(tenants: Sequence[str], repair: bool) -> Verdict:
    return _of_this_process.repair.verifier.documents(tenants, repair=repair)


def _marked(segment: Segment) -> Counted:
    return _over(segment).repair.recounter.marked()


def _over(segment: Segment) -> Application:
    """The application of this process, which sees one segment of the table where it looks through all."""
    app = _of_this_process
    return app.with_overrides(
        census=app.stores.segment(*segment),
        dynamodb=app.stores.dynamodb,
        index=app.stores.index,
        embedder=app.models.embedder,
    )
