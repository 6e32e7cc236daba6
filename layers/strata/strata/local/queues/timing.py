"""Times of a schedule: `cron(...)` in its time zone, or `rate(...)`.

Source of the rules: "Schedule types on EventBridge Scheduler", EventBridge Scheduler User Guide.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from strata.local.queues.cron import Cron, parse

_SECOND = 1_000_000
_EXPRESSION = re.compile(r"\s*(cron|rate)\s*\((.*)\)\s*")
_RATE = re.compile(r"\s*([1-9][0-9]{0,5})\s+(minute|hour|day)s?\s*")
_SECONDS = {"minute": 60, "hour": 3600, "day": 86400}


class Timing(Protocol):
    """Computes firing times, in microseconds since 1970."""

    def after(self, moment: int) -> int | None:
        """The first time after this moment; None when there is none."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A fixed interval in seconds; a day has 24 hours, also when the clocks change."""

    seconds: int

    def after(self, moment: int) -> int:
        """The moment plus the interval."""
        return moment + self.seconds * _SECOND


@dataclass(frozen=True, slots=True)
class CronIn:
    """The times of an expression in a time zone.

    A time that the clocks skip does not fire; one that they repeat fires the first time.
    """

    cron: Cron
    zone: tzinfo

    def after(self, moment: int) -> int | None:
        """The first time after the moment."""
        here = datetime.fromtimestamp(moment // _SECOND, self.zone).replace(tzinfo=None)
        for shown in self.cron.after(here):
            there = shown.replace(tzinfo=self.zone).astimezone(UTC)
            found = int(there.timestamp()) * _SECOND
            exists = there.astimezone(self.zone).replace(tzinfo=None) == shown
            if exists and found > moment:
                return found
        return None


def timing(expression: str, zone: str = "UTC") -> Timing:
    """Parse an expression.

    Raises:
        ValueError: it is neither cron nor rate, or the time zone is unknown; the message says which.
    """
    found = _EXPRESSION.fullmatch(expression)
    if found is None:
        raise ValueError(f"{expression} is neither cron(...) nor rate(...)")
    kind, inside = found.groups()
    try:
        known = UTC if zone == "UTC" else ZoneInfo(zone)  # the one that needs no data of the system
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"there is no time zone {zone}") from None
    if kind == "cron":
        try:
            return CronIn(parse(inside), known)
        except ValueError as error:
            raise ValueError(f"{expression}: {error}") from None
    rate = _RATE.fullmatch(inside)
    if rate is None:
        raise ValueError(f"{expression}: a rate is a number from 1 on and minutes, hours or days")
    return Rate(int(rate[1]) * _SECONDS[rate[2]])
