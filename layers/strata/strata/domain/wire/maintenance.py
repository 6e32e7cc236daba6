"""Reports of maintenance runs as they go over the wire (agtOS)."""

from typing import Literal

from pydantic import Field

from strata.domain.wire.base import Wire

MOST_FLAGGED = 100


class Report(Wire):
    """The report of a maintenance run, finished or running.

    Attributes:
        timestamp: start of the run in Unix milliseconds, which is its id.
        trigger: `manual`, or `schedule` for a timed run.
        status: `running` until every step is done.
        duration_ms: duration of all steps.
        summary: the counts of each step.
        flagged: ids that steps flag, `MOST_FLAGGED` of each at most: episodes that are orphans.
        durations: milliseconds of each step.
        dry_run: whether it only counted what it would do to people's conclusions.
        errors: the failure of each failed step; the next run retries it.
    """

    timestamp: int
    trigger: Literal["manual", "schedule"]
    status: Literal["running", "done"]
    duration_ms: int = Field(alias="durationMs")
    summary: dict[str, dict[str, int]]
    flagged: dict[str, list[str]] = Field(default_factory=dict)
    durations: dict[str, int]
    errors: dict[str, str]
    dry_run: bool = Field(False, alias="dryRun")


class Reports(Wire):
    """The latest reports, newest first."""

    reports: list[Report]
