"""How likely a statement takes the places of older ones, among all that it might replace.

Two statements alone are compared by `succession`. Here it counts, too, whether another one fits better, and how likely
the words of both are a statement at all.
"""

import math
from collections.abc import Sequence

from strata.domain.knowledge.link_weights import WEIGHTS
from strata.domain.knowledge.statements import Sighting

_LEAST = 1e-3
"""Added to a probability and to its opposite, so that the odds of 0 and 1 are finite."""

Older = tuple[Sighting, float]
"""A statement that a newer one might replace, and the finite log odds by which the two alone are compared."""


def link_odds(newer: Sighting, older: Sequence[Older]) -> list[float]:
    """The logarithms of the odds that `newer` takes the place of each of the older ones."""
    return [
        WEIGHTS["bias"] + sum(WEIGHTS[name] * value for name, value in found.items())
        for found in link_features(newer, older)
    ]


def link_features(newer: Sighting, older: Sequence[Older]) -> list[dict[str, float]]:
    """The signs for and against each link, by the names that weights are fitted to."""
    ranked = sorted((odds for _, odds in older), reverse=True)
    of_newer = _features("newer", newer)
    found: list[dict[str, float]] = []
    for each, odds in older:
        rank = ranked.index(odds)
        place = {"odds": odds, "first": not rank, "rank": math.log1p(rank)}
        found.append(place | _features("older", each) | of_newer)
    return found


def _features(which: str, sighting: Sighting) -> dict[str, float]:
    sure = math.log((sighting.sure + _LEAST) / (1 - sighting.sure + _LEAST))
    return {f"{which} sure": sure, f"{which} changes": sighting.changes}
