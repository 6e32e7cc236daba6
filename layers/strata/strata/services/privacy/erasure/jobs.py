"""Begins erasures, sends them to their queue, and reports how far they are."""

from collections.abc import Sequence
from uuid import uuid4

from strata.domain.errors import NotFound
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.erasures import DONE, KEPT, OUT_OF_REACH, QUEUED, Erasure, ErasureStarted
from strata.ports.clock import Clock
from strata.ports.queue import Queue
from strata.ports.rows import Absent, Action, Condition, Equals, Item, Key, Put
from strata.ports.table import Query, Table
from strata.services.people.audit import AuditLog
from strata.services.privacy.erasure.batch import COUNT
from strata.services.records.erasures import (
    ERASURES_PK,
    erasure_key,
    erasure_of,
    listed_erasure_key,
    tombstone_key,
)
from strata.services.table.pages import every_row
from strata.services.table.retry import settled

_PAGE = 100


class Erasures:
    """The erasures of a tenant, as jobs.

    Args:
        queue: takes a message `{tenant, erasure_id}` for each step of an erasure.
        audit: takes an entry of every erasure.
    """

    def __init__(self, table: Table, clock: Clock, queue: Queue, audit: AuditLog) -> None:
        self._table = table
        self._clock = clock
        self._queue = queue
        self._audit = audit

    def begin(self, scope: Scope, owner: str, by: str, external_type: str | None = None) -> ErasureStarted:
        """Have everything erased that is stored about a person; until an hour after, nothing new is kept.

        With a type, what their sessions on that channel hold, and what came from them; sessions without a
        type stay. Idempotent while such an erasure of theirs is under way: the answer is that one.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        return settled(self._clock, "the erasure", lambda _: self._attempt(scope, owner, by, external_type))

    def _attempt(self, scope: Scope, owner: str, by: str, external_type: str | None) -> ErasureStarted:
        tombstone = self._table.get(scope, tombstone_key(owner, external_type))
        if tombstone is not None and "erasure_id" in tombstone:
            before = self._table.get(scope, erasure_key(tombstone["erasure_id"]))
            if before is not None and before["status"] != DONE:
                return ErasureStarted(erasure_id=before["erasure_id"], status=before["status"])
        erasure_id = uuid4().hex
        channel = {} if external_type is None else {"externalType": external_type}
        entry = self._audit.entry("data_suppressed", owner, by, {"erasureId": erasure_id} | channel)
        job: Item = {"erasure_id": erasure_id, "owner": owner}
        if external_type is not None:
            job["external_type"] = external_type
        self._table.transact(scope, [entry, *self._beginning(job, tombstone)])
        return ErasureStarted(erasure_id=erasure_id, status=QUEUED)

    def _beginning(self, what: Item, tombstone: Item | None) -> list[Action]:
        now, erasure_id = self._clock.now_us(), what["erasure_id"]
        job: Item = what | {
            "status": QUEUED,
            "requested_at": now,
            "quiet_since": now,
            "steps": 0,
        }
        seen: Condition = Absent() if tombstone is None else Equals("erasure_id", tombstone.get("erasure_id"))
        return [
            Put(erasure_key(erasure_id), job, Absent()),
            Put(listed_erasure_key(erasure_id), {"erasure_id": erasure_id}),
            Put(tombstone_key(what["owner"], what.get("external_type")), {"erasure_id": erasure_id}, seen),
        ]

    def get(self, scope: Scope, erasure_id: str) -> Erasure:
        """The state of an erasure; its receipt once it is done.

        Raises:
            NotFound: there is no such erasure.
        """
        job = self._table.get(scope, erasure_key(erasure_id))
        if job is None:
            raise NotFound("no such erasure")
        times = {
            name: rfc3339(job[name]) for name in ("requested_at", "started_at", "finished_at") if name in job
        }
        erased = {
            name.removeprefix(COUNT): count for name, count in sorted(job.items()) if name.startswith(COUNT)
        }
        return Erasure(
            erasure_id=erasure_id,
            status=job["status"],
            erased=erased,
            subject=job.get("subject"),
            external_type=job.get("external_type"),
            kept=list(KEPT),
            out_of_reach=list(OUT_OF_REACH),
            **times,
        )

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream: send the erasures that have just been begun."""
        begun = [key for key in dict.fromkeys(keys) if erasure_of(key) is not None]
        rows = self._table.get_many(scope, begun) if begun else {}
        self._send(scope, [row["erasure_id"] for row in rows.values() if row["status"] == QUEUED])

    def resume(self, scope: Scope) -> int:
        """Send every unfinished erasure once more; how many there are.

        For the maintenance of a tenant: an erasure whose message became a dead letter goes on from where it
        stopped; a second message does no harm to one that is under way.
        """
        query = Query(ERASURES_PK, limit=_PAGE, where=Equals("subject", None))
        unfinished = [row.item["erasure_id"] for row in every_row(self._table, scope, query)]
        self._send(scope, unfinished)
        return len(unfinished)

    def _send(self, scope: Scope, ids: Sequence[str]) -> None:
        if ids:
            self._queue.send([{"tenant": scope.tenant, "erasure_id": each} for each in ids])
