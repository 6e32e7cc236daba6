"""The decision whether two short notes about one person contradict each other, differ, or say the same.

A logistic regression for each reason to look at them weighs the evidence; the surest one counts. `weights.py` is fitted to
labelled pairs by `python -m evals.contradictions fit`, and so is the likelihood from which they are taken for contradictions.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from strata.domain.contradictions import weights as fitted
from strata.domain.contradictions.claims import Claim, read
from strata.domain.contradictions.evidence import ORDER, evidence
from strata.domain.contradictions.vocabulary import BESIDE_VALUES
from strata.domain.knowledge.sameness import Told, says_the_same

Relation = Literal["contradicts", "differs", "same"]

_OF_ORDER = 0.97
"""The likelihood where words have changed places: too few pairs to fit, of which all contradict."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of evidence.

    Attributes:
        by_reason: the weights of its numbers, and a bias, for each reason.
        rarity: how seldom unrelated notes are in other classes of an attribute, a logarithm.
        usual: the same for attributes that are not in it.
    """

    by_reason: Mapping[str, Mapping[str, float]]
    rarity: Mapping[str, float]
    usual: float

    def of(self, attribute: str) -> float:
        """The rarity of an attribute."""
        return self.rarity.get(attribute, self.usual)


SHIPPED = Weights(fitted.WEIGHTS, fitted.RARITY, fitted.USUAL)
LIKELY = fitted.LIKELY
"""The likelihood from which two notes are taken for a contradiction: of pairs by authors whom the weights don't know 90 of
100 are right from there on."""


def relation(one: str, other: str, said_one: date | None = None, said_other: date | None = None) -> Relation:
    """The relation of two notes about one person, by the days on which they were said."""
    if likelihood(read(one, said_one), read(other, said_other)) >= LIKELY:
        return "contradicts"
    return "same" if says_the_same(Told.of(one), Told.of(other)) else "differs"


def likelihood(one: Claim, other: Claim, weights: Weights = SHIPPED) -> float:
    """How likely it is that two claims, in either order, contradict each other: 0 to 1; 0 without a reason for it."""
    found = evidence(one, other, weights.of)
    if found is None:
        return 0.0
    return max(
        _OF_ORDER if reason == ORDER else _chance(found.numbers, weights.by_reason[reason])
        for reason in found.reasons
    )


def _chance(numbers: Mapping[str, float], weights: Mapping[str, float]) -> float:
    odds = weights["bias"] + sum(weights[name] * number for name, number in numbers.items())
    return 1 / (1 + math.exp(-odds))


def surely_contradict(one: Claim, other: Claim) -> bool:
    """Whether one may take the other's place unseen: they contradict, and agree in all words but names and values."""
    return is_plain(one, other) and likelihood(one, other) >= LIKELY


def is_plain(one: Claim, other: Claim) -> bool:
    """Whether two claims have the same words but for names, and what goes with a value: no word tells of another thing."""
    return (one.stems ^ other.stems) - BESIDE_VALUES <= one.names | other.names
