"""Delivers what waits on the template's queues to the functions that the template hangs on them.

At least once: a message is deleted when its function is done with it. What fails comes again, each time
later; after as many deliveries as the queue allows it is kept as a dead letter, with the reason.
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
from strata.entrypoints.observing.told import named
from strata.local.processes import takes
from strata.local.queues.schedules import Timetable
from strata.local.queues.watch import Watch
from strata.local.template.event_sources import QueueSpec
from strata.ports import Message, Queue

_log = logging.getLogger(__name__)

INTERVAL = 0.5
"""Seconds between two looks at the queues while nothing waits."""

FIRST_DELAY, GROWTH = 5, 5
"""Seconds until a failed message comes again, and how they grow; at most the queue's VisibilityTimeout."""

ENDED = "the process that worked on it ended"
OVERDUE = "it took longer than its function may"
REPORTED = "its function reported it as failed"


@dataclass(frozen=True, slots=True)
class Receiver:
    """A function and a queue that calls it. `invoke` takes the event that `event` makes of a batch.

    It may fill the mapping that it is given too: why a message failed, by the message's id. `timeout` is the
    function's: seconds for one call.
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
    """Works on every queue and schedule in turn; of several processes over one data folder one does.

    Args:
        receivers: what calls which function.
        timetable: sends what the schedules send.
        lock: the file that tells who works.
        drain: brings the table's stream up to date after a function wrote.
        watch: where it says how long a call may take.
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

    def __bool__(self) -> bool:
        """Whether there is anything that could ever be delivered."""
        return bool(self._receivers)

    def work(self, wait: Callable[[float], bool]) -> None:
        """Deliver until `wait`, which is given seconds, says that it is over."""
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
                    self._tell(named(error))
                    _log.debug("the queues could not be worked on", exc_info=True)
                else:
                    self._tell("")
                if not busy and wait(INTERVAL):
                    return

    def work_off(self) -> int | None:
        """Deliver until nothing is due; how many messages, or None when another process is at it."""
        with self._lock.open("a") as file:
            if not takes(file):
                return None
            self._begin()
            done = 0
            while count := self._turn(lambda _: False):
                done += count
            return done

    def _begin(self) -> None:
        """Take over: what somebody else worked on, who is gone now, comes again."""
        reason = OVERDUE if self._watch.was_given_up() else ENDED
        self._watch.end()
        for receiver in self._receivers:
            if count := receiver.queue().reclaim(reason, after=delay(1, receiver.visibility)):
                _log.warning("%s: %d messages come again: %s", receiver.function, count, reason)
        self._timetable.begin()

    def _turn(self, wait: Callable[[float], bool]) -> int:
        """One batch of every queue; how many messages were delivered."""
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
        """Log what is wrong once when it begins, and when it ends."""
        if trouble and not self._trouble:
            _log.warning("the queues wait: %s", trouble)
        elif self._trouble and not trouble:
            _log.info("the queues are worked on again")
        self._trouble = trouble


def delay(deliveries: int, most: int) -> int:
    """Seconds until a message comes again that failed so many times."""
    return int(min(FIRST_DELAY * GROWTH ** min(deliveries - 1, 10), most))


def sqs_event(queue: QueueSpec, messages: Sequence[Message]) -> dict[str, Any]:
    """What Lambda makes of a batch of SQS's messages."""
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
    """Call the function; the ids of what failed, with the reason.

    An answer that Lambda would not understand fails the whole batch, as there.
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
        return dict.fromkeys(ids, named(error))
    if unknown := set(failed) - set(ids):
        return dict.fromkeys(ids, f"its function reported {sorted(map(str, unknown))}, which it did not get")
    return {each: reasons.get(each, REPORTED) for each in failed}
