"""Scheduled maintenance: an event of the schedule begins a run, messages carry it on."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from strata.entrypoints.handler import Handler
from strata.entrypoints.observing import Observing
from strata.entrypoints.queue import queue_handler
from strata.services.maintenance.sweep import Sweeper

AT_A_TIME = 30
"""Seconds that one invocation works; another message carries on a longer run."""


def sweep_handler(sweeper: Sweeper, observing: Observing) -> Handler:
    """A Lambda handler for EventBridge's events and for batches of messages."""
    by_message = queue_handler(
        lambda message: sweeper.carry_on(message, sweeper.for_seconds(AT_A_TIME)), observing
    )

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        if "Records" in event:
            return by_message(event, context)
        with observing.invocation(event, context):
            fired_at = datetime.fromisoformat(event["time"])
            sweeper.run_scheduled(int(fired_at.timestamp() * 1000), sweeper.for_seconds(AT_A_TIME))
        return {}

    return handle
