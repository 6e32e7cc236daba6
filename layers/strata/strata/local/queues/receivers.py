"""Connects the functions of the template's queues and schedules with the application's queues."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from strata.bootstrap import Application
from strata.local.queues.delivery import Deliveries, Receiver, sqs_event
from strata.local.queues.schedules import Timetable, event_of
from strata.local.queues.watch import Watch
from strata.local.template.declarations import FunctionSpec, Template
from strata.local.template.event_sources import QueueSource, Schedule

_LOCK_FILE = "queues.worker"

FIRINGS = 3
"""Deliveries of a firing: Lambda retries a failed function twice."""
_LONGEST_DELAY = 900

Call = Callable[[Any, dict[str, str]], Any]
"""Calls a function with an event and a mapping for the reasons of its failures."""


def deliveries(
    spec: Template,
    calls: Mapping[str, Call],
    app: Callable[[], Application],
    data: Path,
    *,
    drain: Callable[[], None],
    watch: Watch | None = None,
) -> Deliveries:
    """The deliveries of the template's queues and schedules to `calls`, one for each function.

    `app` opens the queues at their first use; `drain` delivers the stream.
    """
    receivers = [
        receiver
        for name, function in spec.functions.items()
        for receiver in (
            *(_of_queue(function, source, calls[name], app) for source in function.queues),
            *(_of_schedule(function, schedule, calls[name], app) for schedule in function.schedules),
        )
    ]
    schedules = [schedule for function in spec.functions.values() for schedule in function.schedules]
    timetable = Timetable(schedules, lambda: app().queues.firings, lambda: app().clock)
    return Deliveries(receivers, timetable, data / _LOCK_FILE, drain, watch or Watch())


def _of_queue(
    function: FunctionSpec, source: QueueSource, call: Call, app: Callable[[], Application]
) -> Receiver:
    queue = source.queue
    return Receiver(
        function.name,
        lambda: app().queues.named(queue.name, max_deliveries=queue.max_deliveries),
        partial(sqs_event, queue),
        call,
        function.timeout,
        queue.visibility,
        queue.max_deliveries,
        source.batch_size,
        source.reports_failures,
    )


def _of_schedule(
    function: FunctionSpec, schedule: Schedule, call: Call, app: Callable[[], Application]
) -> Receiver:
    return Receiver(
        function.name,
        lambda: app().queues.named(schedule.name, max_deliveries=FIRINGS),
        lambda messages: event_of(schedule, messages[0]),
        call,
        function.timeout,
        max(function.timeout, _LONGEST_DELAY),
        FIRINGS,
    )
