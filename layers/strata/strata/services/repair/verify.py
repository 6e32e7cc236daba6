"""Checks that index and totals agree with the table, and repairs them where they don't."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Protocol

from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Key
from strata.ports.table import Census, Table
from strata.services.repair.batches import Exclusively, Progress, process_again, unwatched
from strata.services.repair.compare import Comparison
from strata.services.repair.open_notes import overdue_notes
from strata.services.repair.recount import Counted, Recounter
from strata.services.repair.verdict import Verdict
from strata.services.stream.consumers import Consumer
from strata.services.stream.indexer import Indexer


class Parts(Protocol):
    """The parts of a verification, where several processes share them."""

    def rows(self, *, repair: bool) -> tuple[Verdict, list[str]]:
        """Check notes, rows and marks of totals; also every tenant."""

    def documents(self, tenants: Sequence[str], *, repair: bool) -> Verdict:
        """Check these tenants' documents."""

    def marked(self) -> Counted:
        """The numbers of counted rows."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """Compares table, index and totals over all tenants, in batches.

    Attributes:
        problems: tells what is damaged in the index's storage.
        comparison: compares table and index.
        recounter: compares table and totals, and corrects the totals.
        indexer: repairs the index.
        consumers: process forgotten changes; the one that writes the index must bear a stream beside it.
        clock: tells which changes are forgotten.
    """

    census: Census
    table: Table
    problems: Callable[[], list[str]]
    comparison: Comparison
    recounter: Recounter
    indexer: Indexer
    consumers: Sequence[Consumer]
    clock: Clock

    def verify(
        self,
        on_progress: Progress = unwatched,
        exclusively: Exclusively = nullcontext,
        *,
        repair: bool = False,
        workers: Parts | None = None,
    ) -> Verdict:
        """Check every note, row, document and total. Workers do the parts, if there are any.

        Raises:
            Unavailable: a store does not answer.
        """
        verification = _Verification(self, on_progress, exclusively, repair=repair)
        if verification.check_storage():
            return verification.verdict
        if workers is None:
            verification.check_listed()
            tenants = self.census.tenants()
            verification.check_documents(tenants)
            verification.check_totals(tenants)
        else:
            found, tenants = workers.rows(repair=repair)
            verification.verdict += found + workers.documents(tenants, repair=repair)
            verification.check_totals(tenants, workers.marked)
        return verification.verdict

    def rows(self, *, repair: bool) -> Verdict:
        """Check notes, rows and marks of totals of what the census lists."""
        verification = _Verification(self, unwatched, nullcontext, repair=repair)
        verification.check_listed()
        return verification.verdict

    def documents(self, tenants: Sequence[str], *, repair: bool) -> Verdict:
        """Check these tenants' documents."""
        verification = _Verification(self, unwatched, nullcontext, repair=repair)
        verification.check_documents(tenants)
        return verification.verdict


class _Verification:
    """One run of a verifier: its verdict so far, and whether it repairs.

    Args:
        verifier: has the parts.
        on_progress, exclusively, repair: of the run.
    """

    def __init__(
        self, verifier: Verifier, on_progress: Progress, exclusively: Exclusively, *, repair: bool
    ) -> None:
        self.verdict = Verdict()
        self._verifier = verifier
        self._on_progress = on_progress
        self._exclusively = exclusively
        self._repair = repair

    def check_storage(self) -> bool:
        """Find damages of the index; whether there are any."""
        found = self._verifier.problems()
        self.verdict.damaged = len(found)
        for problem in found:
            self.verdict.add_example("damaged", "", problem=problem)
        return bool(found)

    def check_listed(self) -> None:
        """Check what the census lists row by row."""
        self.check_notes()
        self.check_rows()
        self.check_marks()

    def check_notes(self) -> None:
        """Find changes that the stream forgot; repaired by processing them."""
        parts = self._verifier
        for scope, overdue, on_their_way in overdue_notes(parts.census, parts.table, parts.clock):
            self.verdict.pending += on_their_way
            self.verdict.forgotten += len(overdue)
            self._show("forgotten", scope, overdue)
            if self._repair:
                self._process_again(parts.consumers, scope, overdue)

    def check_rows(self) -> None:
        """Find rows that the index lacks or has in an older state; repaired by indexing them."""
        comparison, indexer, verdict = self._verifier.comparison, self._verifier.indexer, self.verdict
        total = comparison.count_rows()
        for scope, kind, keys in comparison.rows():
            found = comparison.behind(scope, kind, keys)
            for key, lack in found.items():
                verdict.missing += lack == "missing"
                verdict.stale += lack == "stale"
                self._show(lack, scope, [key])
            if self._repair:
                failed = self._process_again([indexer.follow_beside], scope, list(found))
                for key, reason in failed.items():
                    self._show("unindexable", scope, [key], reason=reason)
            verdict.rows += len(keys)
            self._on_progress("rows", verdict.rows, max(total, verdict.rows))

    def check_documents(self, tenants: Sequence[str]) -> None:
        """Find documents of these tenants without a row; repaired by deleting them."""
        comparison, verdict = self._verifier.comparison, self.verdict
        for scope, kind, documents in comparison.documents(tenants):
            orphans = comparison.orphans(scope, kind, documents)
            verdict.orphans += len(orphans)
            for document in orphans:
                verdict.add_example("orphan", scope.tenant, document=document)
            if self._repair and orphans:
                with self._exclusively():
                    self._verifier.indexer.drop(scope, orphans)
                verdict.repaired += len(orphans)
            verdict.documents += len(documents)
            self._on_progress("documents", verdict.documents, max(verdict.rows, verdict.documents))

    def check_marks(self) -> None:
        """Find rows that were not counted; repaired by counting."""
        recounter, verdict, done = self._verifier.recounter, self.verdict, 0
        for scope, looked_at, uncounted in recounter.uncounted():
            verdict.uncounted += len(uncounted)
            self._show("uncounted", scope, uncounted)
            if self._repair:
                recounter.count(scope, uncounted)
                verdict.repaired += len(uncounted)
            done += looked_at
            self._on_progress("totals", done, done)

    def check_totals(self, tenants: Sequence[str], marked: Callable[[], Counted] | None = None) -> None:
        """Find wrong totals of these tenants, by what `marked` counts if given; repaired by counting."""
        recounter, verdict = self._verifier.recounter, self.verdict
        for wrong in recounter.wrong(tenants, marked):
            verdict.wrong_totals += 1
            verdict.add_example(
                "total", wrong.tenant, project=wrong.project, stored=wrong.stored, counted=wrong.counted
            )
            if self._repair:
                with self._exclusively():
                    verdict.repaired += recounter.correct(wrong)

    def _process_again(
        self, consumers: Sequence[Consumer], scope: Scope, keys: Sequence[Key]
    ) -> dict[Key, str]:
        """Repair these rows by their consumers; those that fail, each with its reason."""
        failed = process_again(consumers, scope, keys, self._exclusively)
        self.verdict.repaired += len(keys) - len(failed)
        return failed

    def _show(self, kind: str, scope: Scope, keys: Sequence[Key], **details: object) -> None:
        for key in keys:
            self.verdict.add_example(kind, scope.tenant, pk=key.pk, sk=key.sk, **details)
