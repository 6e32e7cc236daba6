"""Erasing what is stored about a person, in steps that may end anywhere.

Each step erases what it finds. Only the rows say what is left to do, and the job says in the same
transactions what was done, so a step that was killed is simply begun again.

Writes that were under way when their session was emptied may come after it. So the erasure is not done before
nothing was erased for a while, longer than any call takes, and a look round everything that it has emptied
has found nothing; nor before the search index itself has dropped the documents.
"""

import hashlib
import math
from collections.abc import Iterable

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.domain.wire.erasures import DONE, FINISHING, RUNNING
from strata.ports import Clock, Delete, Item, Key, Put, Query, Remnants, SearchIndex, Table
from strata.services.people.ownership import TOMBSTONE_SECONDS
from strata.services.privacy.erasure.batch import Batch, Overtaken
from strata.services.privacy.erasure.find import PAGE, session_of
from strata.services.privacy.erasure.step import ROWS, Enough, Step
from strata.services.records.episodes import episodes_pk, placed_number
from strata.services.records.erasures import erased_pk, erasure_key, tombstone_key, unfinished_key
from strata.services.records.observations import pointed_id
from strata.services.records.parts import POINTER_SK
from strata.services.search.kinds import EPISODES, OBSERVATIONS, Kind

PATIENCE = 900
"""Seconds that the index may take to drop documents before the erasure is given up, to be seen to."""

_SOON = 5


class Eraser:
    """Works on erasures.

    Args:
        table, index, clock: what is erased, what must have followed, and the time.
        remnants: what the stores still hold of what was deleted; None where nothing can be done about it.
        settle_seconds: for how long nothing may have been found before an erasure is done; longer than any
            call that writes may take.
    """

    def __init__(
        self,
        table: Table,
        index: SearchIndex,
        clock: Clock,
        remnants: Remnants | None,
        *,
        settle_seconds: int,
        rows: int = ROWS,
    ) -> None:
        self._table = table
        self._index = index
        self._clock = clock
        self._remnants = remnants
        self._settle_seconds = settle_seconds
        self._rows = rows

    def work(self, scope: Scope, erasure_id: str) -> int | None:
        """Do a step. In how many seconds the next one is due; None when all is done, or others are at it.

        Raises:
            Unavailable: a store does not answer, or the index does not follow.
        """
        job = self._table.get(scope, erasure_key(erasure_id))
        if job is None or job["status"] == DONE:
            return None
        batch = Batch(self._table, self._clock, scope, job)
        try:
            if job["status"] == FINISHING:
                return self._finish(scope, job, batch)
            step = Step(self._table, self._clock, scope, job, batch, rows=self._rows)
            return self._step(scope, job, step)
        except Overtaken:
            return None

    def _step(self, scope: Scope, job: Item, step: Step) -> int:
        if "started_at" not in job:
            step.batch.note(status=RUNNING, started_at=self._clock.now_us())
        try:
            step.erase_what_is_theirs()
            if step.batch.written:
                return self._settle_seconds
            rest: float = job["quiet_since"] / 1e6 + self._settle_seconds - self._clock.now_us() / 1e6
            if rest > 0:
                return math.ceil(rest)
            return self._look_round(scope, job, step)
        except Enough:
            return 0

    def _look_round(self, scope: Scope, job: Item, step: Step) -> int:
        """Look again at all that was emptied, and at the index."""
        cursor = job.get("cursor")
        while True:
            query = Query(erased_pk(job["erasure_id"]), index="gsi3", limit=PAGE, cursor=cursor, expired=True)
            page = self._table.query(scope, query)
            keys = [row.key for row in page.rows]
            step.empty_sessions(session for key in keys if (session := session_of(key)) is not None)
            if step.batch.written:
                return self._settle_seconds
            if self._is_shown(scope, keys):
                return self._wait_for_index(job)
            cursor = page.cursor
            if cursor is None:
                break
            step.batch.note(cursor=cursor)
            step.go_on_if_time()
        self._forget_the_person(scope, job, step.batch)
        return 0

    def _is_shown(self, scope: Scope, keys: Iterable[Key]) -> bool:
        """Whether the index still holds documents of memories whose pointers these are."""
        documents: dict[str, list[str]] = {OBSERVATIONS.name: [], EPISODES.name: []}
        for key in keys:
            kind, number = _pointed(key)
            if kind is not None:
                documents[kind.name].append(kind.document_key(number))
        return any(
            next(iter(self._index.catalog(scope, kind, named)), None) is not None
            for kind, named in documents.items()
            if named
        )

    def _wait_for_index(self, job: Item) -> int:
        waited = self._clock.now_us() / 1e6 - job["quiet_since"] / 1e6 - self._settle_seconds
        if waited > PATIENCE:
            raise Unavailable("the search index still holds documents whose rows were erased long ago")
        return min(_SOON, self._settle_seconds)

    def _forget_the_person(self, scope: Scope, job: Item, batch: Batch) -> None:
        """Nothing is left: drop what names the person, but for a digest."""
        owner, erasure_id = job["owner"], job["erasure_id"]
        notes = Query(episodes_pk(owner), limit=PAGE, expired=True)
        while rows := self._table.query(scope, notes).rows:
            batch.note([Delete(row.key) for row in rows[: PAGE - 1]])
        end = self._clock.now_us() // 1_000_000 + TOMBSTONE_SECONDS
        batch.note(
            [Put(tombstone_key(owner), {"erasure_id": erasure_id, "expires_at": end})],
            remove=("owner", "cursor"),
            status=FINISHING,
            subject=hashlib.sha256(f"{erasure_id}:{owner}".encode()).hexdigest(),
        )

    def _finish(self, scope: Scope, job: Item, batch: Batch) -> int | None:
        """Have the stores drop what they hold of deleted rows, now that the last of them was written."""
        if self._remnants is not None and not self._remnants.expunge():
            return _SOON
        batch.note([Delete(unfinished_key(job["erasure_id"]))], status=DONE, finished_at=self._clock.now_us())
        return None


def _pointed(key: Key) -> tuple[Kind | None, int]:
    """The memory whose pointer this is: its kind and number; no kind for other rows."""
    if key.sk == POINTER_SK:
        return OBSERVATIONS, pointed_id(key)
    number = placed_number(key)
    return (None, 0) if number is None else (EPISODES, number)
