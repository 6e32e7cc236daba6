"""Event sources of functions besides requests and the stream: queues and schedules.

Source of the properties: SAM specification (SQS, Schedule, ScheduleV2), CloudFormation (AWS::SQS::Queue).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from strata.local.queues.timing import Timing, timing
from strata.local.template.cloudformation import TemplateError

_BATCH_SIZE = 10
_VISIBILITY_TIMEOUT = 30
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SCHEDULER, _RULE = "aws.scheduler", "aws.events"


@dataclass(frozen=True, slots=True)
class QueueSpec:
    """A queue of the template, with its visibility timeout in seconds and its maximum of deliveries."""

    logical_id: str
    visibility: int = _VISIBILITY_TIMEOUT
    max_deliveries: int | None = None
    dead_letters: str | None = None
    """The logical id of its dead letter queue on AWS."""

    @property
    def name(self) -> str:
        """Its name in the code: `extraction` for `ExtractionQueue`, `dead_letters` for `DeadLetters`."""
        return _WORD.sub("_", self.logical_id.removesuffix("Queue")).lower()


@dataclass(frozen=True, slots=True)
class QueueSource:
    """A queue that calls a function, with up to `batch_size` messages at a time."""

    queue: QueueSpec
    batch_size: int = _BATCH_SIZE
    reports_failures: bool = False
    """Whether the function reports failed messages of a batch (ReportBatchItemFailures)."""


@dataclass(frozen=True)
class Schedule:
    """A schedule that calls a function; `name` is `<function>.<event>`."""

    name: str
    expression: str
    zone: str = "UTC"
    source: str = _SCHEDULER
    input: str | None = None

    @cached_property
    def timing(self) -> Timing:
        """Its firing times."""
        return timing(self.expression, self.zone)


def queues_of(resources: Mapping[str, Any]) -> dict[str, QueueSpec]:
    """The queues of the template, by logical id.

    Raises:
        TemplateError: one cannot run on one machine.
    """
    return {
        name: _queue(name, resource.get("Properties", {}), resources)
        for name, resource in resources.items()
        if resource.get("Type") == "AWS::SQS::Queue"
    }


def _queue(name: str, properties: Mapping[str, Any], resources: Mapping[str, Any]) -> QueueSpec:
    if properties.get("FifoQueue"):
        raise TemplateError(f"{name}: queues that keep an order (FIFO) cannot run on one machine")
    visibility = int(properties.get("VisibilityTimeout", _VISIBILITY_TIMEOUT))
    match properties.get("RedrivePolicy"):
        case None:
            return QueueSpec(name, visibility)
        case {
            "deadLetterTargetArn": {"Fn::GetAtt": [str(dead), "Arn"]},
            "maxReceiveCount": int(most) | str(most),
        }:
            if resources.get(dead, {}).get("Type") != "AWS::SQS::Queue":
                raise TemplateError(f"{name}: its queue of dead letters, {dead}, is not declared")
            return QueueSpec(name, visibility, int(most), dead)
        case _:
            raise TemplateError(
                f"{name}: RedrivePolicy needs maxReceiveCount, and deadLetterTargetArn as !GetAtt <queue>.Arn"
            )


def queue_source(
    where: str, properties: Mapping[str, Any], queues: Mapping[str, QueueSpec], timeout: int
) -> QueueSource | None:
    """The queue of an SQS event of a function with this timeout; None when it is disabled.

    Raises:
        TemplateError: there is no such queue, or it cannot call a function here.
    """
    match properties.get("Queue"):
        case {"Fn::GetAtt": [str(name), "Arn"]} if name in queues:
            queue = queues[name]
        case _:
            raise TemplateError(f"{where}: Queue must be !GetAtt <queue>.Arn of a queue of the template")
    if properties.get("FilterCriteria"):
        raise TemplateError(f"{where}: a filter before a queue cannot run on one machine")
    if name in {each.dead_letters for each in queues.values()}:
        raise TemplateError(
            f"{where}: on one machine {name} keeps nothing; dead letters stay where they died"
        )
    if queue.visibility < timeout:  # Lambda refuses it too: a message would come again while it is worked on
        raise TemplateError(f"{where}: VisibilityTimeout of {name} is less than the function's Timeout")
    if _is_off(properties):
        return None
    reports = "ReportBatchItemFailures" in properties.get("FunctionResponseTypes", ())
    return QueueSource(queue, int(properties.get("BatchSize", _BATCH_SIZE)), reports)


def schedule(where: str, kind: str, properties: Mapping[str, Any]) -> Schedule | None:
    """The schedule of a Schedule or ScheduleV2 event; None when it is disabled.

    Raises:
        TemplateError: its expression or time zone is invalid.
    """
    expression = properties.get("ScheduleExpression" if kind == "ScheduleV2" else "Schedule")
    zone, given = properties.get("ScheduleExpressionTimezone", "UTC"), properties.get("Input")
    if not isinstance(expression, str) or not isinstance(zone, str) or not isinstance(given, str | None):
        raise TemplateError(f"{where}: a schedule's expression, time zone and Input must be plain text")
    source = _SCHEDULER if kind == "ScheduleV2" else _RULE
    found = Schedule(where, expression, zone or "UTC", source, given)
    try:
        _ = found.timing
    except ValueError as error:
        raise TemplateError(f"{where}: {error}") from None
    return None if _is_off(properties) else found


def _is_off(properties: Mapping[str, Any]) -> bool:
    return properties.get("State") == "DISABLED" or str(properties.get("Enabled", True)).lower() == "false"
