"""The expressions of EventBridge, as its user guide describes them."""

import re
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.local.queues.cron import parse
from strata.local.queues.timing import timing


def us(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1_000_000


def firings(expression: str, start: str, count: int, zone: str = "UTC") -> list[str]:
    """The next times, in UTC."""
    when, moment, found = timing(expression, zone), us(start), []
    while len(found) < count and (following := when.after(moment)) is not None:
        moment = following
        found.append(datetime.fromtimestamp(moment / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M"))
    return found


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("0 3 * * ? *", ["2026-01-01 03:00", "2026-01-02 03:00"]),
        ("15 10 ? * 6L 2026-2028", ["2026-01-30 10:15", "2026-02-27 10:15"]),
        ("0 18 ? * MON-FRI *", ["2026-01-01 18:00", "2026-01-02 18:00", "2026-01-05 18:00"]),
        ("0 8 1 * ? *", ["2026-01-01 08:00", "2026-02-01 08:00"]),
        ("0/20 * * * ? *", ["2026-01-01 00:20", "2026-01-01 00:40", "2026-01-01 01:00"]),
        ("1/10 0 * * ? *", ["2026-01-01 00:01", "2026-01-01 00:11"]),
        ("0-30/15 5,17 1,15 JAN,jun ? *", ["2026-01-01 05:00", "2026-01-01 05:15", "2026-01-01 05:30"]),
        ("0 0 L * ? *", ["2026-01-31 00:00", "2026-02-28 00:00"]),
        ("0 0 29 2 ? *", ["2028-02-29 00:00", "2032-02-29 00:00"]),
        ("0 9 ? * 3#2 *", ["2026-01-13 09:00", "2026-02-10 09:00"]),
        ("0 9 ? * SAT#5 *", ["2026-01-31 09:00", "2026-05-30 09:00"]),
        ("0 9 ? * L *", ["2026-01-03 09:00", "2026-01-10 09:00"]),
        ("0 9 3W * ? *", ["2026-01-02 09:00", "2026-02-03 09:00"]),  # January 3rd is a Saturday
        ("0 9 4W * ? *", ["2026-01-05 09:00", "2026-02-04 09:00"]),  # and the 4th a Sunday
        ("0 9 1W 8 ? *", ["2026-08-03 09:00", "2027-08-02 09:00"]),  # never out of the month
        ("0 9 31W 1,5 ? *", ["2026-01-30 09:00", "2026-05-29 09:00"]),
        ("0 9 1 1 ? 2027", ["2027-01-01 09:00"]),
        ("0 9 30 2 ? *", []),
        ("0 9 1 1 ? 1970", []),
    ],
)
def test_an_expression_names_these_times(fields, expected):
    assert firings(f"cron({fields})", "2026-01-01T00:00:00+00:00", max(len(expected), 1)) == expected


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("cron(0 3 * * *)", "has 6 fields"),
        ("cron(0 3 * * * *)", "must be ?"),
        ("cron(0 3 ? * ? *)", "must be ?"),
        ("cron(60 3 * * ? *)", "minutes: 60 is not one of 0 to 59"),
        ("cron(0 24 * * ? *)", "hours: 24"),
        ("cron(0 3 0 * ? *)", "day of month: 0"),
        ("cron(0 3 32W * ? *)", "day of month: 32"),
        ("cron(0 3 * 13 ? *)", "month: 13"),
        ("cron(0 3 ? * 8 *)", "day of week: 8"),
        ("cron(0 3 ? * MON#6 *)", "turn of a day of the week: 6"),
        ("cron(0 3 ? * 2#1,3#1 *)", "turn of a day of the week"),
        ("cron(0 3 * * ? 1969)", "year: 1969"),
        ("cron(0/0 3 * * ? *)", "needs a step"),
        ("cron(30-10 3 * * ? *)", "minutes: 30-10 runs backwards"),
        ("cron(, 3 * * ? *)", "minutes: nothing"),
        ("cron(\u0663 3 * * ? *)", "minutes: \u0663"),
        ("rate(0 minutes)", "a number from 1 on"),
        ("rate(1.5 days)", "minutes, hours or days"),
        ("rate(5 seconds)", "minutes, hours or days"),
        ("at(2026-01-01T00:00:00)", "neither cron(...) nor rate(...)"),
        ("0 3 * * ? *", "neither cron(...) nor rate(...)"),
    ],
)
def test_what_is_no_expression_is_refused_by_its_field(expression, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        timing(expression)


def test_an_unknown_time_zone_is_refused():
    for zone in ("Mars/Olympus", "../etc/passwd", "UTC\0"):
        with pytest.raises(ValueError, match="there is no time zone"):
            timing("rate(1 day)", zone)


def test_a_time_is_one_on_the_clocks_of_its_zone():
    assert firings("cron(0 3 * * ? *)", "2026-03-27T12:00:00+00:00", 3, "Europe/Berlin") == [
        "2026-03-28 02:00",
        "2026-03-29 01:00",
        "2026-03-30 01:00",
    ]


def test_a_time_that_the_clocks_leave_out_is_left_out():
    assert firings("cron(30 2 * * ? *)", "2026-03-28T12:00:00+00:00", 2, "Europe/Berlin") == [
        "2026-03-30 00:30",
        "2026-03-31 00:30",
    ]


def test_a_time_that_the_clocks_show_twice_fires_once():
    assert firings("cron(30 2 * * ? *)", "2026-10-24T12:00:00+00:00", 2, "Europe/Berlin") == [
        "2026-10-25 00:30",
        "2026-10-26 01:30",
    ]


def test_a_rate_is_counted_in_hours_not_on_the_clocks():
    assert firings("rate(1 day)", "2026-03-28T12:00:00+00:00", 2, "Europe/Berlin") == [
        "2026-03-29 12:00",
        "2026-03-30 12:00",
    ]
    assert firings("rate(90 minutes)", "2026-01-01T00:00:00+00:00", 1) == ["2026-01-01 01:30"]


numbers = st.integers(0, 59)
weekdays = st.lists(st.integers(1, 7), min_size=1, max_size=3)


@given(
    minutes=st.lists(numbers, min_size=1, max_size=3),
    hours=st.lists(st.integers(0, 23), min_size=1, max_size=3),
    days=weekdays,
    start=st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)),
)
def test_no_time_is_passed_over_and_none_comes_twice(minutes, hours, days, start):
    fields = [",".join(map(str, each)) for each in (minutes, hours)]
    cron = parse(f"{fields[0]} {fields[1]} ? * {','.join(map(str, days))} *")
    found = list(islice(cron.after(start), 8))
    tried, expected = start.replace(second=0, microsecond=0), []
    while len(expected) < 8:
        tried += timedelta(minutes=1)
        if tried.isoweekday() % 7 + 1 not in days:
            tried = tried.replace(hour=23, minute=59)
        elif tried.hour not in hours:
            tried = tried.replace(minute=59)
        elif tried.minute in minutes:
            expected.append(tried)
    assert found == expected


@given(day=st.integers(1, 31), month=st.integers(1, 12), year=st.integers(1970, 2199))
def test_the_nearest_weekday_is_one_of_the_same_month_and_at_most_two_days_off(day, month, year):
    found = list(parse(f"0 0 {day}W {month} ? {year}").after(datetime(1969, 1, 1)))
    try:
        wanted = date(year, month, day)
    except ValueError:
        assert found == []
        return
    (nearest,) = found
    assert nearest.weekday() < 5
    assert nearest.month == month
    assert abs(nearest.date() - wanted) <= timedelta(days=2 if day in (1, 28, 29, 30, 31) else 1)


@given(
    moment=st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)), minute=numbers, hour=st.integers(0, 23)
)
def test_the_next_time_is_later_and_on_the_clocks_of_any_zone(moment, minute, hour):
    for zone in ("Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"):
        when = timing(f"cron({minute} {hour} * * ? *)", zone)
        now = int(moment.replace(tzinfo=UTC).timestamp()) * 1_000_000
        following = when.after(now)
        assert now < following <= now + 50 * 3600 * 1_000_000
        shown = datetime.fromtimestamp(following // 1_000_000, ZoneInfo(zone))
        assert (shown.hour, shown.minute) == (hour, minute)
