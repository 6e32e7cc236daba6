"""The port `Queue` over Amazon SQS, a standard queue, or anything that speaks its protocol.

Limits: "Amazon SQS message quotas", Developer Guide: ten messages a request, and 256 KB in total on older
endpoints.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from strata.domain.errors import Throttled, TooLarge, Unavailable
from strata.ports.queue import Counts, DeadLetter, Message
from strata.ports.rows import Json

_AT_ONCE = 10
_MAX_BYTES = 256 * 1024
_WAIT_SECONDS = 1  # so that all of SQS's servers are asked, and an empty answer means an empty queue
_LONGEST_INVISIBLE = 12 * 3600
_LONGEST_DELAY = 900
_OVER = {"ReceiptHandleIsInvalid", "AWS.SimpleQueueService.MessageNotInflight", "InvalidParameterValue"}
"""Error codes of SQS for an expired receipt."""
_TRIES = 3
_AWS_HOST = re.compile(r"(?:sqs|sqs-fips)\.([a-z0-9-]+)\.amazonaws\.com")

Entry = dict[str, Any]


class SqsQueue:
    """The queue at `url`. The queue's own settings determine deliveries and dead letters.

    Args:
        url: of the queue. Its host determines the region, or is the endpoint if it is not AWS's.
        client: makes a client at the first use; one of the usual AWS chain unless given.
    """

    def __init__(self, url: str, *, client: Callable[[], Any] | None = None) -> None:
        self._url = url
        self._make_client = client or self._usual_client

    def send(self, bodies: Sequence[Json], *, after: int = 0) -> None:
        """Add a message for each body, ten at a time."""
        texts = [json.dumps(body) for body in bodies]
        later: Entry = {"DelaySeconds": min(after, _LONGEST_DELAY)} if after else {}
        for chunk in _chunks(texts):
            entries: list[Entry] = [
                {"Id": str(number), "MessageBody": text} | later for number, text in enumerate(chunk)
            ]
            self._batch("send_message_batch", entries)

    def receive(self, limit: int = 10, *, invisible: int = 60) -> list[Message]:
        """Receive up to `limit` messages; fewer only when SQS returned none for a second."""
        received: list[Message] = []
        while len(received) < limit:
            answer = self._call(
                "receive_message",
                MaxNumberOfMessages=min(_AT_ONCE, limit - len(received)),
                VisibilityTimeout=min(invisible, _LONGEST_INVISIBLE),
                WaitTimeSeconds=_WAIT_SECONDS if not received else 0,
                AttributeNames=["ApproximateReceiveCount"],
            )
            messages = answer.get("Messages", [])
            received += map(_message, messages)
            if not messages:
                break
        return received

    def delete(self, receipts: Sequence[str]) -> None:
        """Delete processed messages."""
        self._each("delete_message_batch", receipts)

    def release(self, receipts: Sequence[str], reason: str, *, after: int = 0) -> None:
        """Release failed messages, to be redelivered after `after` seconds. SQS cannot store the reason."""
        self._each(
            "change_message_visibility_batch", receipts, VisibilityTimeout=min(after, _LONGEST_INVISIBLE)
        )

    def depth(self) -> int:
        """The approximate number of messages."""
        return sum(self._numbers(self._url))

    def counts(self) -> Counts:
        """The approximate number of messages by state; all in its dead letter queue are dead.

        Several queues may share that one.
        """
        waiting, in_flight, delayed = self._numbers(self._url)
        dead = self._dead_letter_queue()
        return Counts(waiting + delayed, in_flight, sum(self._numbers(dead[0])) if dead else 0)

    def dead_letters(self, limit: int = 100) -> list[DeadLetter]:
        """None: SQS shows a message only to its receiver, and stores no reasons."""
        return []

    def revive(self) -> int:
        """Make SQS move each dead letter back to its source queue; their number.

        SQS continues after this call.
        """
        dead = self._dead_letter_queue()
        if dead is None:
            return 0
        count = sum(self._numbers(dead[0]))
        if count:
            self._call("start_message_move_task", url=None, SourceArn=dead[1])
        return count

    def reclaim(self, reason: str, *, after: int = 0) -> int:
        """Do nothing: others may receive from it."""
        return 0

    def _numbers(self, url: str) -> tuple[int, int, int]:
        """Numbers of messages that are visible, in flight, and delayed."""
        names = [f"ApproximateNumberOfMessages{which}" for which in ("", "NotVisible", "Delayed")]
        attributes = self._call("get_queue_attributes", url=url, AttributeNames=names)["Attributes"]
        waiting, in_flight, delayed = (int(attributes[name]) for name in names)
        return waiting, in_flight, delayed

    def _dead_letter_queue(self) -> tuple[str, str] | None:
        """URL and ARN of the dead letter queue."""
        answer = self._call("get_queue_attributes", AttributeNames=["RedrivePolicy"])
        policy = answer.get("Attributes", {}).get("RedrivePolicy")
        if policy is None:
            return None
        arn = str(json.loads(policy)["deadLetterTargetArn"])
        found = self._call("get_queue_url", url=None, QueueName=arn.rpartition(":")[2])
        return str(found["QueueUrl"]), arn

    def _each(self, operation: str, receipts: Sequence[str], **more: object) -> None:
        for start in range(0, len(receipts), _AT_ONCE):
            chunk = receipts[start : start + _AT_ONCE]
            entries = [
                {"Id": str(number), "ReceiptHandle": receipt, **more} for number, receipt in enumerate(chunk)
            ]
            self._batch(operation, entries, passed_over=_OVER)

    def _batch(self, operation: str, entries: list[Entry], passed_over: Collection[str] = ()) -> None:
        """Send the entries, and retry those that failed, except for the ignored reasons."""
        for _ in range(_TRIES):
            failures = {
                failure["Id"]: failure for failure in self._call(operation, Entries=entries).get("Failed", ())
            }
            entries = [
                entry
                for entry in entries
                if entry["Id"] in failures and failures[entry["Id"]].get("Code") not in passed_over
            ]
            if not entries:
                return
        raise Unavailable(f"the queue did not take {len(entries)} of its messages")

    def _call(self, operation: str, *, url: str | None = "", **arguments: object) -> dict[str, Any]:
        """Call SQS about the queue at `url`, by default this one; None for no queue."""
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - slow to import

        try:
            named = {} if url is None else {"QueueUrl": url or self._url}
            answer: dict[str, Any] = getattr(self._client, operation)(**named, **arguments)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if "Throttl" in code:
                raise Throttled("the queue asks to slow down") from error
            raise Unavailable(f"the queue can't be used: {code}") from error
        except BotoCoreError as error:
            raise Unavailable("the queue does not answer") from error
        return answer

    @cached_property
    def _client(self) -> Any:
        return self._make_client()

    def _usual_client(self) -> Any:
        from botocore.config import Config  # noqa: PLC0415 - a third of a second, for those that meet a bad row
        from botocore.session import get_session  # noqa: PLC0415

        config = Config(
            connect_timeout=2, read_timeout=5, retries={"mode": "standard", "total_max_attempts": 3}
        )
        place = urlsplit(self._url)
        found = _AWS_HOST.match(place.hostname or "")
        where = {"region_name": found[1]} if found else {"endpoint_url": f"{place.scheme}://{place.netloc}"}
        return get_session().create_client("sqs", config=config, **where)


def _message(received: dict[str, Any]) -> Message:
    try:
        body = json.loads(received["Body"])
    except ValueError:  # not one of ours; whoever reads it says so
        body = received["Body"]
    count = int(received.get("Attributes", {}).get("ApproximateReceiveCount", 1))
    return Message(
        body, received["ReceiptHandle"], count, received.get("MessageId", received["ReceiptHandle"])
    )


def _chunks(texts: Sequence[str]) -> Iterator[list[str]]:
    """Chunks of at most ten entries and 256 KB.

    Raises:
        TooLarge: a single entry exceeds 256 KB.
    """
    chunk: list[str] = []
    size = 0
    for text in texts:
        weight = len(text.encode())
        if weight > _MAX_BYTES:
            raise TooLarge(f"a message may have {_MAX_BYTES // 1024} KB")
        if chunk and (len(chunk) == _AT_ONCE or size + weight > _MAX_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(text)
        size += weight
    if chunk:
        yield chunk
