"""Moments and durations. A moment is a number of microseconds since 1970; a duration is in seconds."""

from datetime import UTC, datetime, timedelta

HOUR = 3_600
DAY = 86_400

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rfc3339(us: int) -> str:
    """Microseconds since 1970 as RFC 3339 in UTC."""
    return (_EPOCH + timedelta(microseconds=us)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def iso_time(us: int) -> str:
    """Microseconds since 1970 in the format of KAOS: ISO 8601 with an offset."""
    return (_EPOCH + timedelta(microseconds=us)).isoformat(timespec="microseconds")


def microseconds(moment: datetime) -> int:
    """A moment as microseconds since 1970; without a time zone it is UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def day(us: int) -> str:
    """The day of microseconds since 1970, in UTC and in words: 8 May 2023."""
    moment = _EPOCH + timedelta(microseconds=us)
    return f"{moment.day} {moment:%B %Y}"
