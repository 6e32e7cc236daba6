"""Delivers messages of the template's queues to the functions that receive them.

Delivery is at least once: a message is deleted when its function has succeeded. A failed message is retried
with backoff; after the queue's maximum of deliveries it becomes a dead letter, with the reason.
Source of the event: "Using Lambda with Amazon SQS", Lambda Developer Guide.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strata.domain.errors import Unavailable
from strata.entrypoints.observing.exceptions import summarized
from strata.local.processes import takes
from strata.local.queues.schedules import Timetable
from strata.local.queues.watch import Watch
from strata.local.template.event_sources import QueueSpec
from strata.ports.queue import Message, Queue

_log = logging.getLogger(__name__)

INTERVAL = 0.5
"""Seconds between two polls of empty queues."""

FIRST_DELAY, GROWTH = 5, 5
"""Seconds until a failed message is retried, and their growth; at most the queue's VisibilityTimeout."""

ENDED = "the process that worked on it ended"
OVERDUE = "it took longer than its function may"
REPORTED = "its function reported it as failed"


@dataclass(frozen=True, slots=True)
class Receiver:
    """A function and a queue that calls it. `invoke` takes the event that `event` makes of a batch.

    It may fill its second argument with the reasons of failures by message id. `timeout` is the function's,
    in seconds.
    """

    function: str
    queue: Callable[[], Queue]
    event: Callable[[Sequence[Message]], Any]
    invoke: Callable[[Any, dict[str, str]], Any]
    timeout: int
    visibility: int
    max_deliveries: int | None = None
    batch_size: int = 1
    reports_failures: bool = False


class Deliveries:
    """Processes all queues and schedules in turn, in one of several processes over one data folder.

    Args:
        receivers: the queues with their functions.
        timetable: sends the messages of schedules.
        lock: the lock file of the working process.
        drain: delivers the table's stream after a function wrote.
        watch: records the deadline of a call.
    """

    def __init__(
        self,
        receivers: Sequence[Receiver],
        timetable: Timetable,
        lock: Path,
        drain: Callable[[], None],
        watch: Watch,
    ) -> None:
        self._receivers = receivers
        self._timetable = timetable
        self._lock = lock
        self._drain = drain
        self._watch = watch
        self._trouble = ""

    def work(self, wait: Callable[[float], bool]) -> None:
        """Deliver until `wait`, called with seconds, returns True."""
        with self._lock.open("a") as file:
            while not takes(file):
                if wait(INTERVAL):
                    return
            begun = False
            while not wait(0):
                busy = False
                try:
                    if not begun:
                        self._begin()
                        begun = True
                    busy = self._turn(wait) > 0
                except Unavailable as error:
                    self._tell(error.message)
                except Exception as error:
                    self._tell(summarized(error))
                    _log.debug("the queues could not be worked on", exc_info=True)
                else:
                    self._tell("")
                if not busy and wait(INTERVAL):
                    return

    def work_off(self) -> int | None:
        """Deliver until nothing is due; the number of messages, or None if another process delivers."""
        with self._lock.open("a") as file:
            if not takes(file):
                return None
            self._begin()
            done = 0
            while count := self._turn(lambda _: False):
                done += count
            return done

    def _begin(self) -> None:
        """Take over: messages in progress of a process that ended are retried."""
        reason = OVERDUE if self._watch.was_given_up() else ENDED
        self._watch.end()
        for receiver in self._receivers:
            if count := receiver.queue().reclaim(reason, after=delay(1, receiver.visibility)):
                _log.warning("%s: %d messages come again: %s", receiver.function, count, reason)
        self._timetable.begin()

    def _turn(self, wait: Callable[[float], bool]) -> int:
        """One batch of every queue; the number of delivered messages."""
        self._timetable.fire()
        count = 0
        for receiver in self._receivers:
            if count and wait(0):
                break
            count += self._deliver(receiver)
        return count

    def _deliver(self, receiver: Receiver) -> int:
        queue = receiver.queue()
        messages = queue.receive(receiver.batch_size, invisible=receiver.visibility)
        if not messages:
            return 0
        with self._watch.over(receiver.timeout):
            failed = _invoke(receiver, messages)
        try:
            queue.delete([message.receipt for message in messages if message.id not in failed])
            for message in messages:
                if message.id in failed:
                    self._release(queue, receiver, message, failed[message.id])
        finally:
            self._drain()
        return len(messages)

    def _release(self, queue: Queue, receiver: Receiver, message: Message, reason: str) -> None:
        queue.release([message.receipt], reason, after=delay(message.deliveries, receiver.visibility))
        _log.warning(
            "%s failed on message %s, delivery %d of %s: %s",
            receiver.function,
            message.id,
            message.deliveries,
            receiver.max_deliveries or "any number",
            reason,
        )

    def _tell(self, trouble: str) -> None:
        """Log trouble when it begins and when it ends."""
        if trouble and not self._trouble:
            _log.warning("the queues wait: %s", trouble)
        elif self._trouble and not trouble:
            _log.info("the queues are worked on again")
        self._trouble = trouble


def delay(deliveries: int, most: int) -> int:
    """Seconds until a message that failed this many times is retried."""
    return int(min(FIRST_DELAY * GROWTH ** min(deliveries - 1, 10), most))


def sqs_event(queue: QueueSpec, messages: Sequence[Message]) -> dict[str, Any]:
    """Lambda's event for a batch of SQS messages."""
    return {"Records": [_record(queue, message) for message in messages]}


def _record(queue: QueueSpec, message: Message) -> dict[str, Any]:
    body = json.dumps(message.body)
    return {
        "messageId": message.id,
        "receiptHandle": message.receipt,
        "body": body,
        "attributes": {"ApproximateReceiveCount": str(message.deliveries)},
        "messageAttributes": {},
        "md5OfBody": hashlib.md5(body.encode(), usedforsecurity=False).hexdigest(),
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:local:000000000000:{queue.logical_id}",
        "awsRegion": "local",
    }


def _invoke(receiver: Receiver, messages: Sequence[Message]) -> dict[str, str]:
    """Call the function; return the ids of failed messages with the reasons.

    A response that Lambda would not understand fails the whole batch, as on Lambda.
    """
    ids = [message.id for message in messages]
    reasons: dict[str, str] = {}
    try:
        answer = receiver.invoke(receiver.event(messages), reasons)
        if not receiver.reports_failures:
            return {}
        failures = (answer or {}).get("batchItemFailures") or ()
        failed = [failure["itemIdentifier"] for failure in failures]
    except Exception as error:
        _log.debug("%s raised", receiver.function, exc_info=True)
        return dict.fromkeys(ids, summarized(error))
    if unknown := set(failed) - set(ids):
        return dict.fromkeys(ids, f"its function reported {sorted(map(str, unknown))}, which it did not get")
    return {each: reasons.get(each, REPORTED) for each in failed}
