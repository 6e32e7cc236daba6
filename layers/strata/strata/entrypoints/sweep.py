"""Scheduled maintenance: a firing of the schedule, or messages that carry a run on."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from strata.entrypoints.observing import Observing
from strata.entrypoints.queue import queue_handler
from strata.services.maintenance.sweep import Sweeper, for_seconds

AT_A_TIME = 30
"""Seconds that one call works; a longer run goes on by a further message."""

Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


def sweep_handler(sweeping: Sweeper, observing: Observing) -> Handler:
    """A Lambda handler for EventBridge's events and for batches of messages."""
    by_message = queue_handler(lambda message: sweeping.go_on(message, for_seconds(AT_A_TIME)), observing)

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        if "Records" in event:
            return by_message(event, context)
        with observing.invocation(event, context):
            fired_at = datetime.fromisoformat(event["time"])
            sweeping.on_schedule(int(fired_at.timestamp() * 1000), for_seconds(AT_A_TIME))
        return {}

    return handle
