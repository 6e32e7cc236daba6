"""Maintenance, as it goes over the wire (agtOS)."""

from typing import Literal

from pydantic import Field

from strata.domain.wire.base import Wire


class Report(Wire):
    """What a run of maintenance came to, or has come to so far.

    Attributes:
        timestamp: when it began, Unix milliseconds; names it.
        trigger: who began it.
        status: `running` until every step was done.
        duration_ms: of all steps.
        summary: by step, what was counted.
        durations: by step, in milliseconds.
        errors: by step, why it could not be done; the next run does it.
    """

    timestamp: int
    trigger: Literal["manual", "schedule"]
    status: Literal["running", "done"]
    duration_ms: int = Field(alias="durationMs")
    summary: dict[str, dict[str, int]]
    durations: dict[str, int]
    errors: dict[str, str]


class Reports(Wire):
    """The newest reports, newest first."""

    reports: list[Report]
