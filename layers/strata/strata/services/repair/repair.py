"""The operator's work: build the index again, digest again what was set aside, check and mend."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

from strata.ports import Census, Clock, Queue, SearchIndex, Table
from strata.services.events.totals import EventTotals
from strata.services.repair.compare import Comparison
from strata.services.repair.open_notes import OpenNotes
from strata.services.repair.recount import Recounter
from strata.services.repair.redrive import Redriven, Redriver
from strata.services.repair.reindex import Reindexed, Reindexer
from strata.services.repair.verify import Verdict, Verifier
from strata.services.search.change_notes import ChangeNotes
from strata.services.stream.consumers import Consumer
from strata.services.stream.follow_up import FollowUp
from strata.services.stream.indexer import Indexer
from strata.services.stream.totals import Totals
from strata.services.table.batches import Exclusively, Progress


def _unwatched(what: str, done: int, total: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Repair:
    """Works over all tenants, in steps, while the service goes on.

    In every method `on_progress` is told what is done, how much of it, and how much there is;
    `exclusively` keeps the stream's consumers out for the length of a step, where there is such a lock.

    Attributes:
        census, table, index, queue, clock: the stores and the time.
        indexing, totals, freshness, event_totals: what follows the stream.
        shown: returns when the engine shows what was written to it before.
    """

    census: Census
    table: Table
    index: SearchIndex
    queue: Queue
    clock: Clock
    indexing: Indexer
    totals: Totals
    freshness: ChangeNotes
    event_totals: EventTotals
    shown: Callable[[], None]

    def reindex(
        self,
        on_progress: Progress = _unwatched,
        exclusively: Exclusively = nullcontext,
        *,
        resume: bool = False,
    ) -> Reindexed:
        """See `Reindexing`."""
        work = Reindexer(self.census, self.table, self.index, self.indexing, self.shown)
        return work.reindex(on_progress, exclusively, resume=resume)

    def redrive(self, on_progress: Progress = _unwatched, exclusively: Exclusively = nullcontext) -> Redriven:
        """See `Redriving`."""
        return self._redriving().redrive(on_progress, exclusively)

    def verify(
        self,
        on_progress: Progress = _unwatched,
        exclusively: Exclusively = nullcontext,
        *,
        repair: bool = False,
    ) -> Verdict:
        """See `Verifying`."""
        pending = OpenNotes(self.table)
        work = Verifier(
            self.census,
            self.table,
            self.index,
            Comparison(self.table, self.index, pending),
            self.indexing,
            Recounter(self.census, self.table, self.totals, pending, self.clock),
            self._redriving(),
            self.clock,
        )
        return work.verify(on_progress, exclusively, repair=repair)

    def _redriving(self) -> Redriver:
        consumers: list[Consumer] = [
            self.indexing.follow_beside,
            FollowUp(self.totals, self.freshness).settle,
            self.event_totals.follow,
        ]
        return Redriver(consumers, self.queue, self.census, self.table, self.clock)
