"""Settles confirmed contradictions: which of two conclusions stays, and which changes follow from that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from strata.domain.times import DAY
from strata.ports.rows import Item
from strata.services.knowledge.drawing import Change
from strata.services.knowledge.upkeep import Rows, Tended, is_kept, room

_DAY = DAY * 1_000_000


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Two conclusions that contradict each other: the one that stays, the other, and why."""

    stays: Item
    falls: Item
    reason: str

    @classmethod
    def of(cls, one: Item, other: Item) -> Self:
        """The later of two stays by the day when it was said, else the better supported one.

        What the person themselves said does not fall for what was inferred.
        """
        days = [row["last"] // _DAY for row in (one, other)]
        if is_kept(one) != is_kept(other):
            first, reason = is_kept(one), "stated"
        elif days[0] != days[1]:
            first, reason = days[0] > days[1], "newer"
        else:
            support = [
                (len(row["sources"]), row["confidence"], row["last"], row["id"]) for row in (one, other)
            ]
            first, reason = support[0] > support[1], "better supported"
        return cls(one, other, reason) if first else cls(other, one, reason)


def superseded(rows: Rows, found: Sequence[Confirmed], now: int) -> Tended:
    """Supersede what falls, unless one of the two has changed since or was put back."""
    changes: dict[str, Change] = {}
    left, waiting = room(rows, now), 0
    for each in found:
        stays, falls = each.stays["id"], each.falls["id"]
        if rows.get(stays) != each.stays or rows.get(falls) != each.falls:
            continue
        if stays in changes or falls in changes:
            continue
        if len(changes) >= left:
            waiting += 1
            continue
        hidden = {"why": "contradicted", "at": now, "by": stays, "reason": each.reason}
        changes[falls] = Change({falls: each.falls}, {falls: each.falls | {"hidden": hidden}})
    return Tended([*changes.values()], waiting)
