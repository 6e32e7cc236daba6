"""Rebuilding the search index from the table, the source of truth, while it goes on serving."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice, product

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports import Census, Key, SearchIndex, Table
from strata.services.repair.compare import Comparison
from strata.services.repair.open_notes import OpenNotes
from strata.services.search.kinds import KINDS
from strata.services.stream.consumers import fan_out
from strata.services.stream.indexer import Indexer
from strata.services.table.batches import AT_ONCE, Exclusively, Progress, batches, unwatched


@dataclass(slots=True)
class Reindexed:
    """What a rebuild came to: rows that are in the new index, of those how many were there already (from an
    interrupted rebuild), and rows that could not be indexed."""

    indexed: int = 0
    kept: int = 0
    failed: int = 0


class Reindexer:
    """Builds the index again, beside the live one where the engine has room for two, else in its place.

    Args:
        census: names every tenant's rows.
        table: the source of truth.
        index: the live index.
        indexing: writes it.
        shown: returns when the engine shows what was written to it before.
    """

    def __init__(
        self,
        census: Census,
        table: Table,
        index: SearchIndex,
        indexing: Indexer,
        shown: Callable[[], None],
    ) -> None:
        self._census = census
        self._table = table
        self._index = index
        self._indexing = indexing
        self._shown = shown

    def reindex(
        self,
        on_progress: Progress = unwatched,
        exclusively: Exclusively = nullcontext,
        *,
        resume: bool = False,
    ) -> Reindexed:
        """Index every row as it is now, drop documents without a row, then serve from what was built.

        With `resume` a rebuild beside the live index goes on where it was interrupted: what it holds already
        is recognised by its version. The stream writes to the live index meanwhile; what it changed there is
        looked for, and indexed again, before the switch and after it.

        Raises:
            Unavailable: a store does not answer. What was done is kept for `resume`.
        """
        rebuild = self._index.begin_rebuild(resume=resume)
        beside = rebuild.index is not self._index
        target = self._indexing.over(rebuild.index)
        comparison = Comparison(self._table, rebuild.index, OpenNotes(self._table))
        result = self._fill(comparison, target, on_progress, exclusively, everything=not beside)
        if beside:
            self._shown()
            self._level(comparison, target, on_progress, exclusively)
            self._shown()
        else:
            self._drop_orphans(comparison, rebuild.index, target, exclusively)
        rebuild.finish()
        if beside:
            live = Comparison(self._table, self._index, OpenNotes(self._table))
            self._level(live, self._indexing, on_progress, exclusively)
            self._drop_orphans(live, self._index, self._indexing, exclusively)
        return result

    def _fill(
        self,
        comparison: Comparison,
        target: Indexer,
        on_progress: Progress,
        exclusively: Exclusively,
        *,
        everything: bool,
    ) -> Reindexed:
        result = Reindexed()
        total, done = sum(self._census.count(kind.prefix) for kind in KINDS), 0
        for kind in KINDS:
            for scope, keys in batches(self._census.keys(kind.prefix)):
                wanted = keys if everything else list(comparison.lacking(scope, kind, keys))
                failed = self._write(target, scope, wanted, exclusively)
                result.kept += len(keys) - len(wanted)
                result.indexed += len(keys) - failed
                result.failed += failed
                done += len(keys)
                on_progress("indexing", done, max(total, done))
        return result

    def _level(
        self, comparison: Comparison, target: Indexer, on_progress: Progress, exclusively: Exclusively
    ) -> None:
        """Index again what has changed since it was written."""
        done = 0
        for kind in KINDS:
            for scope, keys in batches(self._census.keys(kind.prefix)):
                self._write(target, scope, list(comparison.lacking(scope, kind, keys)), exclusively)
                done += len(keys)
                on_progress("comparing", done, done)

    def _write(self, target: Indexer, scope: Scope, keys: list[Key], exclusively: Exclusively) -> int:
        """How many of these rows could not be indexed."""
        with exclusively():
            result = fan_out([target.follow_beside], scope.tenant, keys)
        if result.outage:
            raise Unavailable(result.outage)
        return len(result.poisoned)

    def _drop_orphans(
        self, comparison: Comparison, index: SearchIndex, target: Indexer, exclusively: Exclusively
    ) -> None:
        for tenant, kind in product(self._census.tenants(), KINDS):
            scope = Scope(tenant)
            catalog = index.catalog(scope, kind.name)
            while documents := [key for key, _ in islice(catalog, AT_ONCE)]:
                if orphans := comparison.orphans(scope, kind, documents):
                    with exclusively():
                        target.drop(scope, orphans)
