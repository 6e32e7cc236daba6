"""How likely a statement takes the places of older ones, among all that it might replace.

Two statements alone are compared by `succession`. Here it counts, too, whether another one fits better, how likely
the words of both are a statement at all, and, where a model reads them, what it says.
"""

import math
from collections.abc import Callable, Sequence

from strata.domain.knowledge import doubtful_link_weights, read_link_weights
from strata.domain.knowledge.link_weights import WEIGHTS
from strata.domain.knowledge.statements import Sighting

SURE = 0.6
"""The least probability from which a value is taken alone; less probable ones are doubtful."""
_LEAST = 1e-3
"""Added to a probability and to its opposite, so that the odds of 0 and 1 are finite."""

Older = tuple[Sighting, float]
"""A statement that a newer one might replace, and the finite log odds by which the two alone are compared."""


Compare = Callable[[Sighting, Sequence[Sighting]], Sequence[float]]
"""From a newer statement and older ones to the log odds that it takes each one's place, by a model that reads both."""

READ = 6
"""The older statements that are read beside a newer one, the best by their words: the right one is nearly always
among them."""
_UNREAD = -6.0
"""The log odds of those that are not read."""


def link_odds(newer: Sighting, older: Sequence[Older], compare: Compare | None = None) -> list[float]:
    """The logarithms of the odds that `newer` takes the place of each of the older ones.

    Of a doubtful statement that is read they are the odds that it is one at all, too.
    """
    weights = WEIGHTS
    if compare is not None:
        weights = (doubtful_link_weights if newer.sure < SURE else read_link_weights).WEIGHTS
    return [
        weights["bias"] + sum(weights[name] * value for name, value in found.items())
        for found in link_features(newer, older, compare)
    ]


def link_features(
    newer: Sighting, older: Sequence[Older], compare: Compare | None = None
) -> list[dict[str, float]]:
    """The signs for and against each link, by the names that weights are fitted to."""
    ranked = sorted((odds for _, odds in older), reverse=True)
    of_newer = _features("newer", newer)
    found: list[dict[str, float]] = []
    for each, odds in older:
        rank = ranked.index(odds)
        place = {"odds": odds, "first": not rank, "rank": math.log1p(rank)}
        found.append(place | _features("older", each) | of_newer)
    if compare is None or not older:
        return found
    read = _read(newer, older, compare)
    best = max(read)
    of_read = [{"read": each, "read first": each == best, "read behind": best - each} for each in read]
    return [one | other for one, other in zip(found, of_read, strict=True)]


def _read(newer: Sighting, older: Sequence[Older], compare: Compare) -> list[float]:
    """The log odds of each of the older ones by a model."""
    likeliest = sorted(range(len(older)), key=lambda place: -older[place][1])[:READ]
    told = dict(zip(likeliest, compare(newer, [older[place][0] for place in likeliest]), strict=True))
    return [told.get(place, _UNREAD) for place in range(len(older))]


def sure_odds(sighting: Sighting) -> float:
    """The finite log odds that a value is stated at all."""
    return math.log((sighting.sure + _LEAST) / (1 - sighting.sure + _LEAST))


def _features(which: str, sighting: Sighting) -> dict[str, float]:
    return {f"{which} sure": sure_odds(sighting), f"{which} changes": sighting.changes}
