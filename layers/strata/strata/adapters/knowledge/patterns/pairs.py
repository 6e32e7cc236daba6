"""How likely it is that two messages of a person show the same pattern, from what they have in common."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from strata.adapters.knowledge.patterns.traits import OF_A_DAY, Numbers, Traits

_NEAREST = 5


@dataclass(frozen=True, slots=True)
class Likeness:
    """Which differences of vectors tell: probabilistic linear discriminant analysis (Ioffe, 2006).

    Attributes:
        project: to the axes on which messages of one pattern lie close: (dimensions, axes).
        center: the mean of messages on these axes.
        spread: how much patterns differ on each axis, in variances within one.
    """

    project: Numbers
    center: Numbers
    spread: Numbers

    def __call__(self, vectors: Numbers) -> Numbers:
        """Log odds for two messages: (messages, messages)."""
        placed = vectors @ self.project - self.center
        placed = placed - 0.5 * placed.mean(0)  # half way to the person's own mean
        spread = self.spread
        alone = (placed * placed) @ ((spread + 1) / (2 * spread + 1) - 1 / (spread + 1))
        together = (placed * spread / (2 * spread + 1)) @ placed.T
        constant = np.log(spread + 1).sum() - 0.5 * np.log(2 * spread + 1).sum()
        found: Numbers = constant - 0.5 * (alone[:, None] + alone[None]) + together
        return found


@dataclass(frozen=True, slots=True)
class Kinds:
    """What a message tells by its vector alone: log odds of a pattern, of a change, of nothing.

    Attributes:
        weights: (3, dimensions).
        bias: (3,).
    """

    weights: Numbers
    bias: Numbers

    def __call__(self, vectors: Numbers) -> Numbers:
        """(messages, 3)."""
        return vectors @ self.weights.T + self.bias


@dataclass(frozen=True, slots=True)
class Quadratic:
    """A logistic regression over features and the products of two of them.

    Attributes:
        mean, scale: of each feature.
        weights: of the features, then of the products, row by row of the upper triangle.
        bias: the log odds without any.
    """

    mean: Numbers
    scale: Numbers
    weights: Numbers
    bias: float

    def __call__(self, features: Numbers) -> Numbers:
        """Log odds of each row: (rows, features) to (rows,)."""
        rows = standard(features, self.mean, self.scale)
        width = rows.shape[1]
        matrix = np.zeros((width, width))
        matrix[np.triu_indices(width)] = self.weights[width:]
        found: Numbers = rows @ self.weights[:width] + ((rows @ matrix) * rows).sum(1) + self.bias
        return found


def standard(features: Numbers, mean: Numbers, scale: Numbers) -> Numbers:
    """Features around 0, at most three deviations away."""
    return np.clip((features - mean) / scale, -3, 3)


def pair_features(of: Traits, likeness: Likeness, kinds: Kinds) -> Numbers:
    """What two messages have in common: (messages, messages, features)."""
    cosines = of.vectors @ of.vectors.T
    alike = likeness(of.vectors)
    return np.stack(
        [
            *_compared(of, cosines, _NEAREST),
            *_compared(of, alike, 3),
            *_words(of),
            *_times(of),
            *_forms(of),
            *_kinds(kinds(of.vectors)),
        ],
        axis=-1,
    )


def _compared(of: Traits, alike: Numbers, nearest: int) -> list[Numbers]:
    """How alike two messages are, also by their places among the likeliest of other days."""
    elsewhere = np.where(of.other_day, alike, -math.inf)
    rank = np.log1p((-elsewhere).argsort(1, kind="stable").argsort(1).astype(float))
    best = np.maximum(np.sort(elsewhere, 1)[:, ::-1][:, :nearest], -50).mean(1)
    return [alike, np.minimum(rank, rank.T), np.maximum(rank, rank.T), 2 * alike - _sum(best)]


def _words(of: Traits) -> list[Numbers]:
    weighed = of.words.much * np.sqrt(of.words.rarity)
    topics = of.topics
    return [
        weighed @ weighed.T,
        of.words.rarest(),
        of.words.cosines(),
        topics.cosines(),
        topics.rarest(),
    ]


def _times(of: Traits) -> list[Numbers]:
    apart = np.abs(of.minute[:, None] - of.minute[None])
    apart = np.minimum(apart, OF_A_DAY - apart)
    found = [np.log1p(apart)]
    for minutes in (30, 90):
        near = apart <= minutes
        found.append(near - _sum(near.mean(1)))
    return [*found, ~of.other_day * 1.0, np.log1p(np.abs(of.day[:, None] - of.day[None]))]


def _forms(of: Traits) -> list[Numbers]:
    length, stated = np.log1p(of.length), of.stated
    return [
        np.minimum(length[:, None], length[None]),
        np.abs(length[:, None] - length[None]),
        np.maximum(stated[:, None], stated[None]),
        _sum(stated),
    ]


def _kinds(told: Numbers) -> list[Numbers]:
    pattern, change, nothing = told.T
    return [
        np.minimum(pattern[:, None], pattern[None]),
        _sum(pattern),
        np.maximum(change[:, None], change[None]),
        np.maximum(nothing[:, None], nothing[None]),
    ]


def _sum(each: Numbers) -> Numbers:
    return each[:, None] + each[None]


def odds_of(pairs: Quadratic, features: Numbers) -> Numbers:
    """Log odds that two messages show one pattern; 0 on the diagonal: (messages, messages)."""
    number = len(features)
    first, second = np.triu_indices(number, 1)
    found = np.zeros((number, number))
    found[first, second] = found[second, first] = pairs(features[first, second])
    return found


def read(written: Mapping[str, Numbers]) -> tuple[Likeness, Kinds, Quadratic]:
    """The parts of a file of weights that compare two messages."""
    given = {name: each.astype(float) for name, each in written.items()}
    return (
        Likeness(given["project"], given["center"], given["spread"]),
        Kinds(given["kinds"], given["kinds_bias"]),
        Quadratic(
            given["pair_mean"], given["pair_scale"], given["pair_weights"], float(given["pair_bias"][0])
        ),
    )
