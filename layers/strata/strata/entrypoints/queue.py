"""Messages of a queue, each handled on its own: a message that fails is retried, the others are done.

A record's body is JSON. A failure is reported by the message's id (`batchItemFailures`), and logged by its
type and place, without the texts of message and error. After as many deliveries as the queue allows, the
message becomes a dead letter.
Source: "Using Lambda with Amazon SQS", AWS Lambda Developer Guide.
"""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from strata.domain.errors import StrataError
from strata.domain.faults import reason
from strata.entrypoints.handler import Handler
from strata.entrypoints.observing import Observing

Work = Callable[[Mapping[str, Any]], object]
"""Handles a message; raises where the message is to be retried."""

_log = logging.getLogger("strata.queues")


def queue_handler(work: Work, observing: Observing) -> Handler:
    """A Lambda handler for batches of messages."""

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        with observing.invocation(event, context):
            told: dict[str, str] = getattr(context, "failures", {})  # kept with the message, on one machine
            failed = [record["messageId"] for record in event["Records"] if not done(record, told)]
        return {"batchItemFailures": [{"itemIdentifier": each} for each in failed]}

    def done(record: Mapping[str, Any], told: dict[str, str]) -> bool:
        try:
            work(json.loads(record["body"]))
        except StrataError as error:
            told[record["messageId"]] = reason(error)
            _log.warning("message %s comes again: %s (%s)", record["messageId"], error.code, reason(error))
        except Exception as error:
            told[record["messageId"]] = reason(error)
            _log.error("message %s comes again: %s", record["messageId"], reason(error))
        else:
            return True
        return False

    return handle
