"""The cron expressions of EventBridge: six fields, from minutes to years.

Source of the rules: "Cron expressions reference", Amazon EventBridge User Guide.
"""

import calendar
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

_MONTHS = {name.upper(): number for number, name in enumerate(calendar.month_abbr) if number}
_DAYS = {name: number for number, name in enumerate(("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"), 1)}
_MINUTE, _HOUR, _DAY_OF_MONTH = ("minutes", 0, 59), ("hours", 0, 23), ("day of month", 1, 31)
_MONTH, _DAY_OF_WEEK, _YEAR = ("month", 1, 12), ("day of week", 1, 7), ("year", 1970, 2199)
_FIELDS = 6
_WEEK = 7
_SATURDAY, _SUNDAY = 5, 6  # as `date.weekday` counts

DayRule = Callable[[date], bool]


@dataclass(frozen=True, slots=True)
class Cron:
    """The times of an expression, to the minute, in any time zone."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    months: frozenset[int]
    years: tuple[int, ...]
    days: tuple[DayRule, ...]

    def after(self, moment: datetime) -> Iterator[datetime]:
        """All times after this one, in order, without time zone."""
        first = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
        for day in self._days(first.date()):
            for hour in self.hours:
                for minute in self.minutes:
                    found = datetime(day.year, day.month, day.day, hour, minute)
                    if found >= first:
                        yield found

    def _days(self, first: date) -> Iterator[date]:
        for year in self.years:
            if year < first.year:
                continue
            for month in sorted(self.months):
                if (year, month) < (first.year, first.month):
                    continue
                for number in range(1, _last(year, month) + 1):
                    day = date(year, month, number)
                    if day >= first and any(rule(day) for rule in self.days):
                        yield day


def parse(fields: str) -> Cron:
    """Parse the text between the brackets of `cron(...)`.

    Raises:
        ValueError: it is invalid; the message names the field.
    """
    parts = fields.upper().split()
    if len(parts) != _FIELDS:
        raise ValueError(f"a cron expression has {_FIELDS} fields, from minutes to years, not {len(parts)}")
    minutes, hours, of_month, months, of_week, years = parts
    if (of_month == "?") == (of_week == "?"):
        raise ValueError("one of day of month and day of week, and only one, must be ?")
    rules = _of_week(of_week) if of_month == "?" else _of_month(of_month)
    return Cron(
        minutes=tuple(sorted(_values(minutes, *_MINUTE))),
        hours=tuple(sorted(_values(hours, *_HOUR))),
        months=frozenset(_values(months, *_MONTH, _MONTHS)),
        years=tuple(sorted(_values(years, *_YEAR))),
        days=tuple(rules),
    )


def _values(text: str, field: str, low: int, high: int, names: dict[str, int] | None = None) -> set[int]:
    """The values of a list of values, ranges and steps."""

    def number(word: str) -> int:
        value = (names or {}).get(word)
        if value is None:
            value = int(word) if word.isdecimal() and word.isascii() else -1
        if not low <= value <= high:
            raise ValueError(f"{field}: {word or 'nothing'} is not one of {low} to {high}")
        return value

    found: set[int] = set()
    for part in text.split(","):
        base, slash, step = part.partition("/")
        first, dash, last = base.partition("-")
        start, end = (low, high) if base == "*" else (number(first), number(last if dash else first))
        if slash and not dash:
            end = high
        if start > end:
            raise ValueError(f"{field}: {base} runs backwards")
        if slash and (not step.isdecimal() or int(step) < 1):
            raise ValueError(f"{field}: {part} needs a step of 1 or more")
        found.update(range(start, end + 1, int(step) if slash else 1))
    return found


def _of_month(text: str) -> Iterator[DayRule]:
    for part in text.split(","):
        if part == "L":
            yield lambda day: day.day == _last(day.year, day.month)
        elif part.endswith("W"):
            (number,) = _values(part.removesuffix("W"), *_DAY_OF_MONTH)
            yield _nearest_weekday(number)
        else:
            yield _among(frozenset(_values(part, *_DAY_OF_MONTH)))


def _of_week(text: str) -> Iterator[DayRule]:
    if "#" in text:
        day, _, turn = text.partition("#")
        (number,) = _values(day, *_DAY_OF_WEEK, _DAYS)
        (which,) = _values(turn, "turn of a day of the week", 1, 5)
        yield lambda day: _weekday(day) == number and (day.day - 1) // _WEEK + 1 == which
        return
    for part in text.split(","):
        if part != "L" and part.endswith("L"):
            (number,) = _values(part.removesuffix("L"), *_DAY_OF_WEEK, _DAYS)
            yield _last_of_its_kind(number)
        else:
            days = frozenset({_WEEK} if part == "L" else _values(part, *_DAY_OF_WEEK, _DAYS))
            yield _on(days)


def _among(numbers: frozenset[int]) -> DayRule:
    return lambda day: day.day in numbers


def _on(weekdays: frozenset[int]) -> DayRule:
    return lambda day: _weekday(day) in weekdays


def _last_of_its_kind(weekday: int) -> DayRule:
    return lambda day: _weekday(day) == weekday and day.day + _WEEK > _last(day.year, day.month)


def _nearest_weekday(number: int) -> DayRule:
    """The day from Monday to Friday that is nearest to a day, in the same month."""

    def holds(day: date) -> bool:
        last = _last(day.year, day.month)
        if number > last:
            return False
        wanted = date(day.year, day.month, number)
        if wanted.weekday() == _SATURDAY:
            wanted += timedelta(days=-1 if number > 1 else 2)
        elif wanted.weekday() == _SUNDAY:
            wanted += timedelta(days=1 if number < last else -2)
        return day == wanted

    return holds


def _weekday(day: date) -> int:
    """As the expressions count: 1 is Sunday."""
    return day.isoweekday() % _WEEK + 1


def _last(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]
