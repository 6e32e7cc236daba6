"""The operator's work: build the index again, digest again what was set aside, check and mend."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

from strata.ports import Census, Clock, Queue, SearchIndex, Table
from strata.services.batches import Exclusively, Progress
from strata.services.comparing import Comparison
from strata.services.digesting import Consumer
from strata.services.event_totals import EventTotals
from strata.services.freshness import Freshness
from strata.services.indexing import Indexing
from strata.services.pending import Pending
from strata.services.recounting import Recounting
from strata.services.redriving import Redriven, Redriving
from strata.services.reindexing import Reindexed, Reindexing
from strata.services.settling import Settling
from strata.services.totals import Totals
from strata.services.verifying import Verdict, Verifying


def _unwatched(what: str, done: int, total: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Upkeep:
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
    indexing: Indexing
    totals: Totals
    freshness: Freshness
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
        work = Reindexing(self.census, self.table, self.index, self.indexing, self.shown)
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
        pending = Pending(self.table)
        work = Verifying(
            self.census,
            self.table,
            self.index,
            Comparison(self.table, self.index, pending),
            self.indexing,
            Recounting(self.census, self.table, self.totals, pending, self.clock),
            self._redriving(),
            self.clock,
        )
        return work.verify(on_progress, exclusively, repair=repair)

    def _redriving(self) -> Redriving:
        consumers: list[Consumer] = [
            self.indexing.follow_beside,
            Settling(self.totals, self.freshness).settle,
            self.event_totals.follow,
        ]
        return Redriving(consumers, self.queue, self.census, self.table, self.clock)
