"""The steps of the sweep over one person's conclusions: pure functions from rows to changes.

Every date is a UTC day, and what a day takes away follows from dates, never from the number of sweeps.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from strata.domain.knowledge.sameness import Told, says_the_same
from strata.domain.times import DAY
from strata.ports.rows import Item
from strata.services.knowledge.drawing import Change, with_past

FADING = 0.9
"""The share of its confidence that a stale conclusion keeps each day."""
FEWEST, SHARE = 10, 5
"""Of this many conclusions or more a run of the dreamer, or a day of sweeps, takes at most a fifth away."""
HIDDEN_DAYS = 30
"""Days for which a conclusion that the sweep took away is hidden and can be put back."""
_MOST_MERGED = 40
"""Conclusions that a day merges into one, at most: they change in one transaction, and one undo."""
_DAY = DAY * 1_000_000
_BY_SWEEP = ("merged", "pruned")

Rows = Mapping[str, Item]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds of the sweep.

    Attributes:
        stale_days: days without support after which a conclusion is stale.
        redundancy: the least Jaccard similarity of the words of two conclusions that are merged.
        prune: the confidence below which a conclusion is hidden.
    """

    stale_days: int = 90
    redundancy: float = 0.85
    prune: float = 0.3


@dataclass(frozen=True, slots=True)
class Tended:
    """The changes of one step, and how many others wait for another day."""

    changes: list[Change] = field(default_factory=list)
    waiting: int = 0


Plan = Callable[[Rows, int, Thresholds], Tended]
"""The conclusions by id, the time (µs), the thresholds."""


def is_kept(row: Item) -> bool:
    """Whether the person said it or put it back: it neither fades nor is pruned."""
    return row["type"] == "explicit" or "kept" in row


def border_group(row: Item) -> tuple[object, ...]:
    """The same for conclusions that everybody sees together or not at all."""
    return (*row["agents"], None, *row["projects"], None, row["confined"])


def flag_stale(rows: Rows, now: int, by: Thresholds) -> Tended:
    """Flag what nothing supported for long."""
    return _each(rows, lambda row: _flagged(row, now, by))


def fade(rows: Rows, now: int, by: Thresholds) -> Tended:
    """Take confidence from what is stale, a share for every day; any number of times a day is once."""
    return _each(rows, lambda row: _faded(row, now, by))


def merge_redundant(rows: Rows, now: int, by: Thresholds) -> Tended:
    """Merge what says the same within the same borders: the surest stays, with the sources of all."""
    candidates = [row for row in _shown(rows) if "kept" not in row]
    told = {row["id"]: Told.of(row["text"]) for row in candidates}
    groups: dict[tuple[object, ...], list[Item]] = {}
    for row in sorted(candidates, key=_rank, reverse=True):
        groups.setdefault(border_group(row), []).append(row)
    found: dict[str, list[Item]] = {}
    left, waiting = room(rows, now), 0
    for group in groups.values():
        for winner, loser in _pairs(group, told, by.redundancy):
            if left and len(found.get(winner["id"], ())) < _MOST_MERGED:
                found.setdefault(winner["id"], []).append(loser)
                left -= 1
            else:
                waiting += 1
    return Tended([_merged(rows[winner], losers, now) for winner, losers in found.items()], waiting)


def prune(rows: Rows, now: int, by: Thresholds) -> Tended:
    """Hide what has too little confidence, the weakest first; delete what was hidden long enough."""
    weak = [row for row in _shown(rows) if not is_kept(row) and _faded(row, now, by)["confidence"] < by.prune]
    weak.sort(key=lambda row: (row["confidence"], row["last"], row["id"]))
    left = room(rows, now)
    hidden = [_changed(row, row | {"hidden": {"why": "pruned", "at": now}}) for row in weak[:left]]
    over = [row for row in rows.values() if _over(row) <= now]
    return Tended([*hidden, *(Change({row["id"]: row}, {row["id"]: None}) for row in over)], len(weak[left:]))


def next_due(rows: Rows, now: int, by: Thresholds) -> int | None:
    """The next time (µs) at which the sweep has something to do without a change; None for never."""
    tomorrow = (now // _DAY + 1) * _DAY
    dates = [_over(row) for row in rows.values() if _over(row) < _NEVER]
    for row in _shown(rows):
        if _stale_at(row, by) > now:
            dates.append(_stale_at(row, by))
        elif not is_kept(row):
            dates.append(tomorrow)
    if room(rows, now) == 0 or prune(rows, now, by).waiting:
        dates.append(tomorrow)
    return min(dates, default=None)


_NEVER = 1 << 62


def _over(row: Item) -> int:
    """The time (µs) at which a conclusion that the sweep took away is deleted."""
    hidden = row.get("hidden", {})
    return hidden["at"] + HIDDEN_DAYS * _DAY if hidden.get("why") in _BY_SWEEP else _NEVER


def _shown(rows: Rows) -> Iterator[Item]:
    return (row for row in rows.values() if "hidden" not in row)


def _each(rows: Rows, after: Callable[[Item], Item]) -> Tended:
    return Tended([_changed(row, then) for row in _shown(rows) if (then := after(row)) != row])


def _changed(before: Item, after: Item) -> Change:
    return Change({before["id"]: before}, {before["id"]: after})


def _stale_at(row: Item, by: Thresholds) -> int:
    at: int = row["last"] + by.stale_days * _DAY
    return at


def _flagged(row: Item, now: int, by: Thresholds) -> Item:
    at = _stale_at(row, by)
    plain = {name: value for name, value in row.items() if name != "stale"}
    return plain | {"stale": at} if at <= now else plain


def _faded(row: Item, now: int, by: Thresholds) -> Item:
    full: float = row["undecayed"] if "undecayed" in row else row["confidence"]
    plain = {name: value for name, value in row.items() if name != "undecayed"} | {"confidence": full}
    at = _stale_at(row, by)
    if at > now or is_kept(row):
        return plain
    days = now // _DAY - at // _DAY + 1
    return plain | {"undecayed": full, "confidence": round(full * FADING**days, 6)}


def room(rows: Rows, now: int) -> int:
    """The number of conclusions that may still be taken away today."""
    hidden = [row["hidden"] for row in rows.values() if "hidden" in row]
    today = sum(1 for each in hidden if each["at"] // _DAY == now // _DAY)
    there = today + sum(1 for _ in _shown(rows))
    return there if there < FEWEST else max(0, there // SHARE - today)


def _rank(row: Item) -> tuple[object, ...]:
    return is_kept(row), row["confidence"], row["last"], row["id"]


def _pairs(group: Sequence[Item], told: Mapping[str, Told], least: float) -> Iterator[tuple[Item, Item]]:
    """Each conclusion that another one, of a higher rank, makes redundant. `group` is the surest first."""
    merged: set[str] = set()
    for place, winner in enumerate(group):
        if winner["id"] in merged:
            continue
        for loser in group[place + 1 :]:
            if loser["id"] not in merged and says_the_same(told[winner["id"]], told[loser["id"]], least):
                merged.add(loser["id"])
                yield winner, loser


def _merged(winner: Item, losers: Sequence[Item], now: int) -> Change:
    after = winner
    for loser in losers:
        after = with_past(after, loser | {"confidence": 0.0}, set())
    own = set(winner["sessions"])
    united = {*winner.get("united", ()), *(each for each in after["sessions"] if each not in own)}
    last = max(row["last"] for row in (winner, *losers))
    rows: dict[str, Item | None] = {winner["id"]: after | {"united": sorted(united), "last": last}}
    for loser in losers:
        rows[loser["id"]] = loser | {"hidden": {"why": "merged", "at": now, "into": winner["id"]}}
    return Change({row["id"]: row for row in (winner, *losers)}, rows)
