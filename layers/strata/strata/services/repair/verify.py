"""Checks that the index and the totals say what the table says, and mends them where they don't."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports import Census, Clock, Key, SearchIndex, Table
from strata.services.repair.compare import Comparison
from strata.services.repair.open_notes import notes, overdue
from strata.services.repair.recount import Recounter
from strata.services.repair.redrive import Redriven, Redriver
from strata.services.search.kinds import KINDS
from strata.services.stream.consumers import fan_out
from strata.services.stream.indexer import Indexer
from strata.services.table.batches import AT_ONCE, Exclusively, Progress, batches, unwatched

_LISTED = 20


@dataclass(slots=True)
class Verdict:
    """What a check found.

    Attributes:
        rows, documents: how many were looked at.
        missing: memories that are not in the index.
        stale: memories whose document shows another state than the row.
        orphans: documents without a row.
        forgotten: notes that the stream should have settled long ago.
        pending: notes of writes on their way to the index, which are no difference.
        uncounted: rows that the totals have missed, or still hold.
        wrong_totals: projects whose totals are not the number of their rows.
        repaired: how many differences were mended.
        examples: the first differences, `{kind, tenant, ...}` each.
    """

    rows: int = 0
    documents: int = 0
    missing: int = 0
    stale: int = 0
    orphans: int = 0
    forgotten: int = 0
    pending: int = 0
    uncounted: int = 0
    wrong_totals: int = 0
    repaired: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def differences(self) -> int:
        """All that was found."""
        counts = (self.missing, self.stale, self.orphans, self.forgotten, self.uncounted, self.wrong_totals)
        return sum(counts)

    @property
    def left(self) -> int:
        """What was found and not mended."""
        return self.differences - self.repaired

    def note(self, kind: str, tenant: str, **where: object) -> None:
        """Keep an example, while there are few."""
        if len(self.examples) < _LISTED:
            self.examples.append({"kind": kind, "tenant": tenant, **where})


class Verifier:
    """Compares table and index both ways over all tenants, some rows at a time.

    Args:
        census: names every tenant's rows.
        table, index: what is compared.
        comparison, recounting, redriving: how, and what mends.
        indexing: writes the index.
        clock: the time.
    """

    def __init__(
        self,
        census: Census,
        table: Table,
        index: SearchIndex,
        comparison: Comparison,
        indexing: Indexer,
        recounting: Recounter,
        redriving: Redriver,
        clock: Clock,
    ) -> None:
        self._census = census
        self._table = table
        self._index = index
        self._comparison = comparison
        self._indexing = indexing
        self._recounting = recounting
        self._redriving = redriving
        self._clock = clock

    def verify(
        self,
        on_progress: Progress = unwatched,
        exclusively: Exclusively = nullcontext,
        *,
        repair: bool = False,
    ) -> Verdict:
        """Look at every note, row, document and total.

        Raises:
            Unavailable: a store does not answer.
        """
        verdict = Verdict()
        self._notes(verdict, exclusively, repair=repair)
        self._rows(verdict, on_progress, exclusively, repair=repair)
        tenants = self._census.tenants()
        self._documents(tenants, verdict, on_progress, exclusively, repair=repair)
        self._totals(tenants, verdict, on_progress, exclusively, repair=repair)
        return verdict

    def _notes(self, verdict: Verdict, exclusively: Exclusively, *, repair: bool) -> None:
        for scope, keys in notes(self._census, self._table):
            late = overdue(keys, self._clock)
            verdict.pending += len(keys) - len(late)
            verdict.forgotten += len(late)
            for key in late:
                verdict.note("forgotten", scope.tenant, pk=key.pk, sk=key.sk)
            if repair and late:
                redriven = Redriven()
                left = self._redriving.deliver(redriven, scope.tenant, late, exclusively)
                if redriven.outage:
                    raise Unavailable(redriven.outage)
                verdict.repaired += len(late) - len(left)

    def _rows(
        self,
        verdict: Verdict,
        on_progress: Progress = unwatched,
        exclusively: Exclusively = nullcontext,
        *,
        repair: bool,
    ) -> None:
        total = sum(self._census.count(kind.prefix) for kind in KINDS)
        for kind in KINDS:
            for scope, keys in batches(self._census.keys(kind.prefix)):
                found = self._comparison.behind(scope, kind, keys)
                for key, lack in found.items():
                    verdict.missing += lack == "missing"
                    verdict.stale += lack == "stale"
                    verdict.note(lack, scope.tenant, pk=key.pk, sk=key.sk)
                if repair and found:
                    verdict.repaired += self._index_again(verdict, scope, list(found), exclusively)
                verdict.rows += len(keys)
                on_progress("rows", verdict.rows, max(total, verdict.rows))

    def _index_again(self, verdict: Verdict, scope: Scope, keys: list[Key], exclusively: Exclusively) -> int:
        with exclusively():
            result = fan_out([self._indexing.follow_beside], scope.tenant, keys)
        if result.outage:
            raise Unavailable(result.outage)
        for key, reason in result.poisoned.items():
            verdict.note("unindexable", scope.tenant, pk=key.pk, sk=key.sk, reason=reason)
        return len(keys) - len(result.poisoned)

    def _documents(
        self,
        tenants: Sequence[str],
        verdict: Verdict,
        on_progress: Progress,
        exclusively: Exclusively,
        *,
        repair: bool,
    ) -> None:
        for tenant, kind in product(tenants, KINDS):
            scope = Scope(tenant)
            catalog = self._index.catalog(scope, kind.name)
            while documents := [key for key, _ in islice(catalog, AT_ONCE)]:
                orphans = self._comparison.orphans(scope, kind, documents)
                verdict.orphans += len(orphans)
                for each in orphans:
                    verdict.note("orphan", tenant, document=each)
                if repair and orphans:
                    with exclusively():
                        self._indexing.drop(scope, orphans)
                    verdict.repaired += len(orphans)
                verdict.documents += len(documents)
                on_progress("documents", verdict.documents, max(verdict.rows, verdict.documents))

    def _totals(
        self,
        tenants: Sequence[str],
        verdict: Verdict,
        on_progress: Progress,
        exclusively: Exclusively,
        *,
        repair: bool,
    ) -> None:
        done = 0
        for scope, looked_at, wrongly in self._recounting.uncounted():
            verdict.uncounted += len(wrongly)
            for key in wrongly:
                verdict.note("uncounted", scope.tenant, pk=key.pk, sk=key.sk)
            if repair and wrongly:
                self._recounting.count(scope, wrongly)
                verdict.repaired += len(wrongly)
            done += looked_at
            on_progress("totals", done, done)
        for wrong in self._recounting.wrong(tenants):
            verdict.wrong_totals += 1
            verdict.note(
                "total", wrong.tenant, project=wrong.project, stored=wrong.stored, counted=wrong.counted
            )
            if repair:
                with exclusively():
                    verdict.repaired += self._recounting.set_right(wrong)
