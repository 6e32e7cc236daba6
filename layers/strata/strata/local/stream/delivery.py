"""Delivers the table's change log to the template's functions on its stream.

Each function has its own position in the log, and receives it in commit order, at least once. The stream's
view is KEYS_ONLY: a function reads the current row, so late and repeated records do no harm. A record that a
function reports as failed is retried until it succeeds, and blocks those behind it, as in a shard of a
DynamoDB stream; one that makes a function raise is skipped in the end: see `TRIES`.
"""

import fcntl
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from strata.entrypoints.observing.exceptions import summarized
from strata.local.stream.tries import Tries
from strata.local.template.filters import Predicate
from strata.ports.changes import Change, ChangeLog
from strata.services.stream.consumers import row_kind

_log = logging.getLogger(__name__)

TRIES_AT_ONCE = 3
"""Attempts of a record before a pause of `PAUSE`."""

TRIES = 10
"""Attempts of a record that makes a function raise; then it is skipped with a log line."""

PAUSE = 1.0
"""Seconds between later attempts."""

_READ_AHEAD = 2
"""Changes read for each one that a batch lacks: a consumer wants about two of the five that a save makes."""

_LEAST_READ = 50


@dataclass(frozen=True, slots=True)
class Consumer:
    """A function on the stream. `invoke` takes an event and returns a partial batch response, or raises."""

    name: str
    table: str
    invoke: Callable[[dict[str, Any]], Any]
    wants: Predicate
    batch_size: int = 100


class Stream:
    """Brings every consumer up to date, in one thread of one process at a time, by a file lock.

    Args:
        consumers: the functions on the stream.
        change_log: opens the log at its first use (never before a fork).
        state: the lock file, which also stores the attempts of a failed record.
        now: seconds since 1970.
    """

    def __init__(
        self,
        consumers: Sequence[Consumer],
        change_log: Callable[[], ChangeLog],
        state: Path,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._consumers = consumers
        self._change_log = change_log
        self._state = state
        self._now = now
        self._seen = -1
        self._thread = threading.Lock()
        self._file: tuple[int, IO[str]] | None = None

    def drain(self, enough: Callable[[], bool] = lambda: False) -> None:
        """Deliver all earlier commits, or as many batches of them as pass until `enough` returns True."""
        if not self._consumers:
            return
        with self._thread:
            log = self._change_log()
            head = log.head()
            if head == self._seen:
                return
            if any(log.position(consumer.name) < head for consumer in self._consumers):
                with self._locked() as state:
                    advanced = [
                        self._advance(log, consumer, head, state, enough) for consumer in self._consumers
                    ]
                if not all(advanced):
                    return
            self._seen = head

    def _advance(
        self, log: ChangeLog, consumer: Consumer, head: int, state: "IO[str]", enough: Callable[[], bool]
    ) -> bool:
        """Advance one consumer to `head`; False when a failing record blocks it, or it was enough."""
        tries = Tries(consumer.name, state)
        if self._now() < tries.resume_at:
            return False
        position = log.position(consumer.name)
        while position < head:
            if enough():
                return False
            wanted, last = self._batch(log, consumer, position, head)
            stuck = self._deliver(consumer, wanted, tries)
            position = last if stuck is None else stuck.sequence - 1
            log.advance(consumer.name, position)
            if stuck is not None:
                return False
        return True

    def _batch(
        self, log: ChangeLog, consumer: Consumer, position: int, head: int
    ) -> tuple[list[tuple[Change, dict[str, Any]]], int]:
        """The next records that a consumer wants, at most a batch, and the position after them."""
        wanted: list[tuple[Change, dict[str, Any]]] = []
        while position < head and (lacking := consumer.batch_size - len(wanted)):
            changes = log.read(position, max(_READ_AHEAD * lacking, _LEAST_READ))
            if not changes:
                return wanted, head
            for change in changes:
                record = _record(change, consumer.table)
                if consumer.wants(record):
                    if len(wanted) == consumer.batch_size:
                        return wanted, position
                    wanted.append((change, record))
                position = change.sequence
        return wanted, position

    def _deliver(
        self, consumer: Consumer, batch: list[tuple[Change, dict[str, Any]]], tries: "Tries"
    ) -> Change | None:
        """Deliver a batch, bisected around failures. Returns the change to stop before, if any."""
        at, size = 0, len(batch)
        while at < len(batch):
            part = batch[at : at + size]
            done, why, waits = _invoke(consumer, [record for _, record in part])
            if waits:
                change = part[done][0]
                tries.count(change.sequence, self._now() + PAUSE)
                _log.warning("%s waits with %s: %s", consumer.name, _name(change), why)
                return change
            if done == len(part):
                at, size = at + done, len(batch)
                tries.clear()
            elif done > 0:
                at, size = at + done, 1
            elif len(part) > 1:
                size = len(part) // 2
            else:
                change = part[0][0]
                count = tries.count(change.sequence, self._now() + PAUSE)
                if count >= TRIES:
                    _log.error(
                        "%s failed %d times on %s: skipped (%s)", consumer.name, count, _name(change), why
                    )
                    tries.clear()
                    at, size = at + 1, len(batch)
                elif count >= TRIES_AT_ONCE:
                    _log.error(
                        "%s failed on %s, try %d of %d: %s", consumer.name, _name(change), count, TRIES, why
                    )
                    return change
        return None

    @contextmanager
    def _locked(self) -> Iterator["IO[str]"]:
        file = self._opened()
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield file
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)

    def _opened(self) -> "IO[str]":
        """The state file, opened by this process: a descriptor from before a fork would share its lock."""
        process = os.getpid()
        if self._file is None or self._file[0] != process:
            self._file = (process, self._state.open("a+", encoding="utf-8"))
        return self._file[1]


@contextmanager
def paused(state: Path) -> Iterator[None]:
    """Pause the stream with this state file in every process, after its current delivery."""
    with state.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _invoke(consumer: Consumer, records: list[dict[str, Any]]) -> tuple[int, str, bool]:
    """The number of successful records, why the next one failed, and whether to retry it without limit.

    A record that a function reports as failed is retried without limit: the function itself sets aside
    records that always fail. A record that makes it raise may never succeed.
    """
    try:
        answer = consumer.invoke({"Records": records})
    except Exception as error:
        _log.debug("%s raised", consumer.name, exc_info=True)
        return 0, summarized(error), False
    failures = (answer or {}).get("batchItemFailures") or ()
    failed = {failure.get("itemIdentifier") for failure in failures}
    if not failed:
        return len(records), "", False
    for number, record in enumerate(records):
        if record["dynamodb"]["SequenceNumber"] in failed:
            return number, "it is to come again", True
    return 0, f"it reported {sorted(map(str, failed))}, which was not in its batch", False


def _record(change: Change, table: str) -> dict[str, Any]:
    return {
        "eventID": str(change.sequence),
        "eventName": change.event,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "local",
        "dynamodb": {
            "Keys": {"pk": {"S": f"{change.tenant}#{change.key.pk}"}, "sk": {"S": change.key.sk}},
            "SequenceNumber": str(change.sequence),
            "StreamViewType": "KEYS_ONLY",
        },
        "eventSourceARN": f"arn:aws:dynamodb:local:000000000000:table/{table}/stream/local",
    }


def _name(change: Change) -> str:
    """A change for a log line, without its key, which may name people."""
    return f"change {change.sequence} ({change.event} of {change.tenant} in {row_kind(change.key)})"
