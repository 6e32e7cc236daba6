"""Works on erasures, one step for each message; a step may be killed anywhere.

Each step erases the rows it finds. The rows that are left say what is still to do, and the job counts in the
same transactions what was done, so a step that was killed is simply begun again.

Writes that were under way when their session was emptied may arrive later. So an erasure is done only when
nothing was found for longer than any call takes, when a last check of everything it has emptied has found
nothing, and when the search index itself has dropped the documents.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.domain.wire.erasures import DONE, FINISHING, RUNNING
from strata.ports.clock import Clock
from strata.ports.remnants import Remnants
from strata.ports.rows import Delete, Item, Key, Put
from strata.ports.search import SearchIndex
from strata.ports.table import Query, Table
from strata.services.people.holdings import PAGE, session_of
from strata.services.people.ownership import TOMBSTONE_SECONDS
from strata.services.privacy.erasure.batch import RemovalBatch, TakenOver
from strata.services.privacy.erasure.step import ROWS, ErasureStep, StepSpent
from strata.services.records.episodes import episodes_pk, placed_number
from strata.services.records.erasures import (
    erased_pk,
    erasure_key,
    listed_erasure_key,
    receipt_subject,
    tombstone_key,
)
from strata.services.records.kinds import EPISODES, OBSERVATIONS, Kind
from strata.services.records.observations import pointed_id
from strata.services.records.parts import POINTER_SK

PATIENCE = 900
"""Seconds that the index may take to drop documents before the step fails, for an operator to look at."""

_SOON = 5


@dataclass(frozen=True, slots=True)
class Eraser:
    """Works on erasures.

    Attributes:
        table, index, clock: the store, the search index that follows it, and the time.
        remnants: expunges deleted rows from the store's files; None where Strata has no access to them.
        settle_seconds: how long nothing may have been found before an erasure is done; longer than any call
            that writes may take.
        rows: about how many rows one step erases at most.
    """

    table: Table
    index: SearchIndex
    clock: Clock
    remnants: Remnants | None
    settle_seconds: int
    rows: int = ROWS

    def work(self, scope: Scope, erasure_id: str) -> int | None:
        """Do one step.

        Returns:
            In how many seconds the next step is due; None when the erasure is done or another process works
            on it.

        Raises:
            Unavailable: a store does not answer, or the index does not follow.
        """
        job = self.table.get(scope, erasure_key(erasure_id))
        if job is None or job["status"] == DONE:
            return None
        batch = RemovalBatch(self.table, self.clock, scope, job)
        try:
            if job["status"] == FINISHING:
                return self._finish(scope, job, batch)
            step = ErasureStep(self.table, self.clock, scope, job, batch, rows=self.rows)
            return self._step(scope, job, step)
        except TakenOver:
            return None

    def _step(self, scope: Scope, job: Item, step: ErasureStep) -> int:
        if "started_at" not in job:
            step.batch.note(status=RUNNING, started_at=self.clock.now_us())
        try:
            step.erase_rows()
            if step.batch.written:
                return self.settle_seconds
            rest: float = job["quiet_since"] / 1e6 + self.settle_seconds - self.clock.now_us() / 1e6
            if rest > 0:
                return math.ceil(rest)
            return self._check_again(scope, job, step)
        except StepSpent:
            return 0

    def _check_again(self, scope: Scope, job: Item, step: ErasureStep) -> int:
        """Check everything that was emptied once more, and the index."""
        cursor = job.get("cursor")
        while True:
            query = Query(erased_pk(job["erasure_id"]), index="gsi3", limit=PAGE, cursor=cursor, expired=True)
            page = self.table.query(scope, query)
            keys = [row.key for row in page.rows]
            step.empty_sessions(session for key in keys if (session := session_of(key)) is not None)
            if step.batch.written:
                return self.settle_seconds
            if self._is_indexed(scope, keys):
                return self._wait_for_index(job)
            cursor = page.cursor
            if cursor is None:
                break
            step.batch.note(cursor=cursor)
            step.check_spent()
        self._remove_name(scope, job, step.batch)
        return 0

    def _is_indexed(self, scope: Scope, keys: Iterable[Key]) -> bool:
        """Whether the index still holds documents of the memories that these pointers name."""
        documents: dict[str, list[str]] = {OBSERVATIONS.name: [], EPISODES.name: []}
        for key in keys:
            kind, number = _pointed(key)
            if kind is not None:
                documents[kind.name].append(kind.document_key(number))
        return any(
            next(iter(self.index.catalog(scope, kind, named)), None) is not None
            for kind, named in documents.items()
            if named
        )

    def _wait_for_index(self, job: Item) -> int:
        waited = self.clock.now_us() / 1e6 - job["quiet_since"] / 1e6 - self.settle_seconds
        if waited > PATIENCE:
            raise Unavailable("the search index still holds documents whose rows were erased long ago")
        return min(_SOON, self.settle_seconds)

    def _remove_name(self, scope: Scope, job: Item, batch: RemovalBatch) -> None:
        """Nothing is left: replace the person's name in the job by a digest."""
        owner, erasure_id = job["owner"], job["erasure_id"]
        channel: str | None = job.get("external_type")
        notes = Query(episodes_pk(owner), limit=PAGE, expired=True)
        while channel is None and (rows := self.table.query(scope, notes).rows):
            batch.note([Delete(row.key) for row in rows[: PAGE - 1]])
        end = self.clock.now_us() // 1_000_000 + TOMBSTONE_SECONDS
        batch.note(
            [Put(tombstone_key(owner, channel), {"erasure_id": erasure_id, "expires_at": end})],
            remove=("owner", "cursor"),
            status=FINISHING,
            subject=receipt_subject(erasure_id, owner),
        )

    def _finish(self, scope: Scope, job: Item, batch: RemovalBatch) -> int | None:
        """Expunge deleted rows from the store's files, now that the last of them was deleted."""
        if self.remnants is not None and not self.remnants.expunge():
            return _SOON
        told = ("erasure_id", "subject", "requested_at", "external_type")
        receipt = {name: job[name] for name in told if name in job}
        batch.note(
            [Put(listed_erasure_key(job["erasure_id"]), receipt)],
            status=DONE,
            finished_at=self.clock.now_us(),
        )
        return None


def _pointed(key: Key) -> tuple[Kind | None, int]:
    """The kind and number of the memory that a pointer names; no kind for other rows."""
    if key.sk == POINTER_SK:
        return OBSERVATIONS, pointed_id(key)
    number = placed_number(key)
    return (None, 0) if number is None else (EPISODES, number)
