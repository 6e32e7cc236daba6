"""Fires the template's schedules: each firing is a message, delivered like any other.

Firings missed while no server ran are made up for once, at the next start.
"""

import json
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from strata.local.template.event_sources import Schedule
from strata.ports.clock import Clock
from strata.ports.queue import Message
from strata.ports.rows import Json

_SECOND = 1_000_000
_ACCOUNT = "local:000000000000"


class Firings(Protocol):
    """Stores the last firings of schedules; see `SqliteFirings`."""

    def last(self, name: str) -> tuple[str, int] | None:
        """The expression, and when it fired last or began (µs)."""

    def begin(self, name: str, expression: str, at: int) -> None:
        """Store the expression, valid from this time on."""

    def fire(self, name: str, at: int, body: Json) -> None:
        """Send the message, and record the firing at this time."""

    def keep_only(self, names: list[str]) -> None:
        """Forget every other schedule."""


class Timetable:
    """Sends the messages of due schedules.

    Args:
        schedules: the template's enabled schedules.
        firings: stores the last firings; opened at the first use.
    """

    def __init__(
        self, schedules: Sequence[Schedule], firings: Callable[[], Firings], clock: Callable[[], Clock]
    ) -> None:
        self._schedules = schedules
        self._firings = firings
        self._clock = clock
        self._due: dict[str, int | None] = {}

    def begin(self) -> None:
        """Load the last firings; new and changed schedules begin now, disabled ones are forgotten."""
        firings, now = self._firings(), self._clock().now_us()
        firings.keep_only([schedule.name for schedule in self._schedules])
        for schedule in self._schedules:
            said = f"{schedule.expression} {schedule.zone}"
            last = firings.last(schedule.name)
            if last is None or last[0] != said:
                firings.begin(schedule.name, said, now)
                last = (said, now)
            self._due[schedule.name] = schedule.timing.after(last[1])

    def fire(self) -> None:
        """Send due messages."""
        if not self._schedules:
            return
        now = self._clock().now_us()
        for schedule in self._schedules:
            due = self._due[schedule.name]
            if due is None or due > now:
                continue
            following = schedule.timing.after(due)
            late = following is not None and following <= now
            at = now if late else due  # of all that were missed one is made up for
            self._firings().fire(schedule.name, at, {"id": str(uuid.uuid4()), "time": _rfc3339(due)})
            self._due[schedule.name] = schedule.timing.after(at) if late else following


def event_of(schedule: Schedule, message: Message) -> Any:
    """The function's event: the schedule's Input, or EventBridge's default event.

    Source: "Adding context attributes" and "Templated targets", EventBridge Scheduler User Guide; "Events
    from scheduled rules", EventBridge User Guide.
    """
    firing: Any = message.body
    scheduler = schedule.source == "aws.scheduler"
    kind = "scheduler" if scheduler else "events"
    name = schedule.name.replace(".", "")
    arn = f"arn:aws:{kind}:{_ACCOUNT}:{'schedule/default' if scheduler else 'rule'}/{name}"
    if schedule.input is not None:
        text = schedule.input
        if scheduler:
            known = {
                "schedule-arn": arn,
                "scheduled-time": firing["time"],
                "execution-id": firing["id"],
                "attempt-number": str(message.deliveries),
            }
            for word, value in known.items():
                text = text.replace(f"<aws.scheduler.{word}>", value)
        return json.loads(text)
    return {
        "version": "0",
        "id": firing["id"],
        "detail-type": "Scheduled Event",
        "source": schedule.source,
        "account": _ACCOUNT.rpartition(":")[2],
        "time": firing["time"],
        "region": "local",
        "resources": [arn],
        "detail": "{}" if scheduler else {},
    }


def _rfc3339(moment: int) -> str:
    return datetime.fromtimestamp(moment // _SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
