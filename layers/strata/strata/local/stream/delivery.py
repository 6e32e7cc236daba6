"""Hands the table's change log to the functions that the template hangs on its stream.

Each function comes through the log on its own, in commit order, at least once. The stream's view is
KEYS_ONLY: a function reads the row as it is now, so late and repeated records do no harm. A record that a
function reports as failed comes again until it goes through, and holds back those behind it, as in a shard of
a DynamoDB stream; one that makes a function raise does so for a while only: see `TRIES`.
"""

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from strata.entrypoints.observing.told import named
from strata.local.stream.tries import Tries
from strata.local.template.filters import Predicate
from strata.ports import Change, ChangeLog
from strata.services.stream.consumers import row_kind

_log = logging.getLogger(__name__)

TRIES_AT_ONCE = 3
"""How often a record is tried before the log is left alone for `PAUSE`."""

TRIES = 10
"""How often a record that makes a function raise is tried in all; then it is skipped, and a log says so."""

PAUSE = 1.0
"""Seconds between the later tries."""


@dataclass(frozen=True, slots=True)
class Consumer:
    """A function on the stream. `invoke` takes an event and returns a partial batch response, or raises."""

    name: str
    table: str
    invoke: Callable[[dict[str, Any]], Any]
    wants: Predicate
    batch_size: int = 100


class Stream:
    """Brings every consumer up to date; one process at a time, told apart by a lock on a file.

    Args:
        consumers: the functions on the stream.
        change_log: makes the log at its first use (never before a fork).
        state: the file that is locked, and keeps the tries of a record that failed.
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
        self._file: tuple[int, IO[str]] | None = None

    def drain(self, wait: bool = True) -> None:
        """Deliver what was committed before this call; without `wait`, leave it to who is at it already."""
        if not self._consumers:
            return
        log = self._change_log()
        head = log.head()
        if head == self._seen:
            return
        if any(log.position(consumer.name) < head for consumer in self._consumers):
            with self._locked(wait) as state:
                if state is None:
                    return
                advanced = [self._advance(log, consumer, head, state) for consumer in self._consumers]
                if not all(advanced):
                    return
        self._seen = head

    def _advance(self, log: ChangeLog, consumer: Consumer, head: int, state: "IO[str]") -> bool:
        """Bring one consumer to `head`; False when a failing record holds it back."""
        tries = Tries(consumer.name, state)
        if self._now() < tries.resume_at:
            return False
        position = log.position(consumer.name)
        while position < head:
            changes = log.read(position, consumer.batch_size)
            if not changes:
                log.advance(consumer.name, head)
                break
            records = [(change, _record(change, consumer.table)) for change in changes]
            wanted = [(change, record) for change, record in records if consumer.wants(record)]
            stuck = self._deliver(consumer, wanted, tries)
            position = changes[-1].sequence if stuck is None else stuck.sequence - 1
            log.advance(consumer.name, position)
            if stuck is not None:
                return False
        return True

    def _deliver(
        self, consumer: Consumer, batch: list[tuple[Change, dict[str, Any]]], tries: "Tries"
    ) -> Change | None:
        """Deliver a batch, cut ever smaller round what fails. Returns the change to stop before, if any."""
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
    def _locked(self, wait: bool) -> Iterator["IO[str] | None"]:
        file = self._opened()
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield None
            return
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
    """Keep the stream that has this state file from delivering, in every process; wait for its turn."""
    with state.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _invoke(consumer: Consumer, records: list[dict[str, Any]]) -> tuple[int, str, bool]:
    """How many records from the first on went through, why the next one did not, and whether it can wait.

    What a function reports as failed is to come again, however often: it puts aside by itself what never
    goes through. What makes it raise may be a record that nothing helps.
    """
    try:
        answer = consumer.invoke({"Records": records})
    except Exception as error:
        _log.debug("%s raised", consumer.name, exc_info=True)
        return 0, named(error), False
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
    """A change for a log line, where its key would name people."""
    return f"change {change.sequence} ({change.event} of {change.tenant} in {row_kind(change.key)})"
