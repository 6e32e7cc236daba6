"""Rebuilds the search index from the table, the source of truth, while searches go on."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Protocol

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Key
from strata.ports.search import SearchIndex
from strata.ports.table import Census, Table
from strata.services.episodes.projects import EpisodeProjects
from strata.services.records.kinds import EPISODES
from strata.services.repair.batches import Exclusively, Progress, process_again, unwatched
from strata.services.repair.compare import Comparison
from strata.services.repair.open_notes import OpenNotes
from strata.services.stream.indexer import Indexer


@dataclass(slots=True)
class Reindexed:
    """The result of a rebuild.

    Attributes:
        indexed: rows that are in the new index.
        kept: those of them that an interrupted rebuild had indexed already.
        failed: rows that could not be indexed.
    """

    indexed: int = 0
    kept: int = 0
    failed: int = 0

    def __add__(self, other: "Reindexed") -> "Reindexed":
        """The result of both."""
        return Reindexed(self.indexed + other.indexed, self.kept + other.kept, self.failed + other.failed)


class Steps(Protocol):
    """The steps of a rebuild beside the live index, where several processes share them."""

    def fill(self, identity: str) -> Reindexed:
        """Index what the index of this identity lacks."""

    def catch_up(self, identity: str | None) -> None:
        """Index what has changed since; None for the live index."""

    def delete_orphans(self, tenants: Sequence[str]) -> None:
        """Delete these tenants' documents without a row from the live index."""


@dataclass(frozen=True, slots=True)
class Reindexer:
    """Rebuilds the index beside the live one where the engine has room for two, else in its place.

    Attributes:
        index: the live index.
        index_of: any index, by its identity.
        indexer: writes it.
        projects: names the projects of old episodes, before they are indexed.
        refresh_seconds: how long the engine may not show what was written.
    """

    census: Census
    table: Table
    index: SearchIndex
    index_of: Callable[[str], SearchIndex]
    indexer: Indexer
    projects: EpisodeProjects
    clock: Clock
    refresh_seconds: int

    def reindex(
        self,
        on_progress: Progress = unwatched,
        exclusively: Exclusively = nullcontext,
        *,
        resume: bool = False,
        workers: Steps | None = None,
    ) -> Reindexed:
        """Index every row as it is now, delete documents without a row, then serve from the new index.

        With `resume` an interrupted rebuild beside the live index goes on: a row is skipped where the version
        of its document is the same. The stream writes to the live index meanwhile; its changes are found by
        comparing, and indexed again, before the switch and after it. Workers do the steps, if there are any,
        beside the live index; in its place one process does.

        Raises:
            Unavailable: a store does not answer. What was done is kept for `resume`.
        """
        rebuild = self.index.begin_rebuild(resume=resume)
        live = self._target(self.index, on_progress, exclusively)
        if rebuild.index is self.index:
            result = live.fill(everything=True)
            live.delete_orphans(self.census.tenants())
            rebuild.finish()
            return result
        steps = workers or _Alone(self._target(rebuild.index, on_progress, exclusively), live)
        result = steps.fill(rebuild.identity)
        self.clock.sleep(self.refresh_seconds)
        steps.catch_up(rebuild.identity)
        self.clock.sleep(self.refresh_seconds)
        rebuild.finish()
        steps.catch_up(None)
        steps.delete_orphans(self.census.tenants())
        return result

    def fill(self, identity: str) -> Reindexed:
        """Index what the index of this identity lacks of the rows that the census lists."""
        return self._target(self.index_of(identity), unwatched, nullcontext).fill(everything=False)

    def catch_up(self, identity: str | None) -> None:
        """The same of what has changed since; None for the live index."""
        index = self.index if identity is None else self.index_of(identity)
        self._target(index, unwatched, nullcontext).catch_up()

    def delete_orphans(self, tenants: Sequence[str]) -> None:
        """Delete these tenants' documents without a row from the live index."""
        self._target(self.index, unwatched, nullcontext).delete_orphans(tenants)

    def _target(self, index: SearchIndex, on_progress: Progress, exclusively: Exclusively) -> "_Target":
        comparison = Comparison(self.census, self.table, index, OpenNotes(self.table, self.clock))
        return _Target(comparison, self.indexer.over(index), self.projects, on_progress, exclusively)


@dataclass(frozen=True, slots=True)
class _Alone:
    """The steps in this process, watched."""

    next: "_Target"
    live: "_Target"

    def fill(self, identity: str) -> Reindexed:
        return self.next.fill(everything=False)

    def catch_up(self, identity: str | None) -> None:
        (self.live if identity is None else self.next).catch_up()

    def delete_orphans(self, tenants: Sequence[str]) -> None:
        self.live.delete_orphans(tenants)


@dataclass(frozen=True, slots=True)
class _Target:
    """An index that one rebuild brings to the state of the table.

    Attributes:
        comparison: of this index with the table.
        indexer: writes this index.
        projects: of the rebuild.
        on_progress, exclusively: of the rebuild.
    """

    comparison: Comparison
    indexer: Indexer
    projects: EpisodeProjects
    on_progress: Progress
    exclusively: Exclusively

    def fill(self, *, everything: bool) -> Reindexed:
        """Index every row, or those that the index lacks."""
        result, done = Reindexed(), 0
        total = self.comparison.count_rows()
        for scope, kind, keys in self.comparison.rows():
            if kind is EPISODES:
                self.projects.fill(scope, keys)
            wanted = keys if everything else list(self.comparison.lacking(scope, kind, keys))
            failed = self._write(scope, wanted)
            result.kept += len(keys) - len(wanted)
            result.indexed += len(keys) - failed
            result.failed += failed
            done += len(keys)
            self.on_progress("indexing", done, max(total, done))
        return result

    def catch_up(self) -> None:
        """Index the rows that have changed since they were indexed."""
        done = 0
        for scope, kind, keys in self.comparison.rows():
            self._write(scope, list(self.comparison.lacking(scope, kind, keys)))
            done += len(keys)
            self.on_progress("comparing", done, done)

    def delete_orphans(self, tenants: Sequence[str]) -> None:
        """Delete the documents of these tenants that have no row."""
        for scope, kind, documents in self.comparison.documents(tenants):
            if orphans := self.comparison.orphans(scope, kind, documents):
                with self.exclusively():
                    self.indexer.drop(scope, orphans)

    def _write(self, scope: Scope, keys: list[Key]) -> int:
        """Index these rows; the number of those that failed."""
        return len(process_again([self.indexer.follow_beside], scope, keys, self.exclusively))
