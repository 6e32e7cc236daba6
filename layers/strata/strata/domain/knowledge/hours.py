"""Times of day (UTC) at which a person comes back: hours of their own, apart from when they usually write."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WINDOW = 25
"""The most minutes from the first to the last time of day."""
APART = 30
"""Minutes before and after with next to no other message."""
DAYS = 4
"""The fewest days: three messages at a like time are chance."""

_MINUTE = 60_000_000
_OF_A_DAY = 1440


@dataclass(frozen=True, slots=True)
class Hours:
    """A time of day at which messages were sent.

    Attributes:
        first: the first minute of the day, 0 to 1439 (UTC).
        last: the last one, which may lie after midnight.
        moments: when the messages were sent, in microseconds since 1970.
    """

    first: int
    last: int
    moments: frozenset[int]


def minute(at: int) -> int:
    """The minute of the day (UTC)."""
    return at // _MINUTE % _OF_A_DAY


def day(at: int) -> int:
    """The number of the day (UTC)."""
    return at // (_MINUTE * _OF_A_DAY)


def own_hours(moments: Sequence[int]) -> Iterator[Hours]:
    """The times of day that stand apart from all others, the most frequent first; none overlap.

    When most of somebody's messages are sent is no time of its own.
    """
    sent = sorted((minute(at), at) for at in set(moments))
    times = [time for time, _ in sent] + [time + _OF_A_DAY for time, _ in sent]
    ats = [at for _, at in sent] * 2
    found = []
    for start in range(len(sent)):
        end = bisect_left(times, times[start] + WINDOW + 1)
        beside = bisect_left(times, times[end - 1] + APART + 1) - end
        before = start - bisect_left(times, times[start] - APART)
        if beside + before > 1 or (end - start) * 2 > len(sent):
            continue
        inside = frozenset(ats[start:end])
        days = len(set(map(day, inside)))
        if days >= DAYS:
            found.append((-days, times[start], times[end - 1], inside))
    taken: set[int] = set()
    for _, first, last, ats_of in sorted(found, key=lambda each: each[:3]):
        if taken.isdisjoint(ats_of):
            taken |= ats_of
            yield Hours(first, last % _OF_A_DAY, ats_of)
