"""What a person's messages have that is compared, as numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strata.domain.knowledge.hours import day, minute
from strata.domain.knowledge.patterns import Message
from strata.domain.knowledge.stated import stems_of
from strata.domain.knowledge.topics import topics_of

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
OF_A_DAY = 1440


@dataclass(frozen=True, slots=True)
class Held:
    """Which messages have which things, words or topics.

    Attributes:
        much: how much of it a message has: (messages, things).
        rarity: the log of all messages to those that have it: (things,).
    """

    much: Numbers
    rarity: Numbers

    @property
    def common(self) -> Numbers:
        """The number of messages that have each thing, at least one."""
        found: Numbers = np.maximum((self.much > 0).sum(0), 1).astype(float)
        return found

    def cosines(self) -> Numbers:
        """(messages, messages)."""
        rows = unit(self.much * self.rarity)
        return rows @ rows.T

    def rarest(self) -> Numbers:
        """The most that two messages share of one thing, times its rarity: (messages, messages)."""
        found = np.zeros((len(self.much), len(self.much)))
        for column, rarity in zip(self.much.T, self.rarity, strict=True):
            have = np.flatnonzero(column)
            if len(have) > 1:
                both = np.ix_(have, have)
                shared = np.minimum(column[have, None], column[None, have]) * rarity
                found[both] = np.maximum(found[both], shared)
        return found


@dataclass(frozen=True, slots=True)
class Traits:
    """The messages of one person, oldest first, in arrays of their number."""

    vectors: Numbers
    day: NDArray[np.int64]
    minute: NDArray[np.int64]
    sources: Sequence[str]
    length: Numbers
    stated: Numbers
    words: Held
    topics: Held

    @property
    def other_day(self) -> Flags:
        """Whether two messages are of different days: (messages, messages)."""
        found: Flags = self.day[:, None] != self.day[None]
        return found


def traits(messages: Sequence[Message], vectors: NDArray[Any]) -> Traits:
    """The traits of messages with their unit vectors: (messages, dimensions)."""
    stems = [stems_of(each.text) for each in messages]
    return Traits(
        vectors.astype(float),
        np.array([day(each.at) for each in messages]),
        np.array([minute(each.at) for each in messages]),
        [each.source for each in messages],
        np.array([float(len(each)) for each in stems]),
        np.array([each.stated for each in messages]),
        _held([dict.fromkeys(each.words, 1.0) for each in messages]),
        _held([topics_of(each) for each in stems]),
    )


def unit(rows: Numbers) -> Numbers:
    """Rows of length one; a row of zeros stays."""
    length: Numbers = np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)
    return rows / length


def _held(of_each: Sequence[Mapping[Any, float]]) -> Held:
    names = {name: place for place, name in enumerate(sorted({name for each in of_each for name in each}))}
    much = np.zeros((len(of_each), len(names)))
    for row, each in zip(much, of_each, strict=True):
        for name, weight in each.items():
            row[names[name]] = weight
    rarity = np.log((len(of_each) + 1) / np.maximum((much > 0).sum(0), 1))
    return Held(much, rarity)
