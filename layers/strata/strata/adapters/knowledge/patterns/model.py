"""Groups a person's messages by what they show, with sentence vectors."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from strata.adapters.knowledge.patterns.groups import (
    Group,
    Linear,
    candidates,
    chosen,
    group_features,
)
from strata.adapters.knowledge.patterns.pairs import odds_of, pair_features, read
from strata.adapters.knowledge.patterns.traits import Numbers, Traits, traits

if TYPE_CHECKING:
    from strata.domain.knowledge.patterns import Message
    from strata.ports.language import Embedder, Vectors

WEIGHTS = Path(__file__).with_name("weights.npz")
LEAST = 1.0
"""The least log odds of a group that becomes a conclusion: .94 of those of unknown authors are right."""
LONGEST = 300
"""The characters of a message that are embedded."""


class PairModel:
    """Compares the messages of a person two by two."""

    def __init__(self, written: Mapping[str, Numbers]) -> None:
        self.likeness, self.kinds, self.pairs = read(written)

    def features(self, of: Traits) -> Numbers:
        """(messages, messages, features)."""
        return pair_features(of, self.likeness, self.kinds)

    def grown(self, of: Traits) -> tuple[list[Group], Numbers]:
        """The groups that may show a pattern, with their features: (groups, features)."""
        odds = odds_of(self.pairs, self.features(of))
        found = candidates(of, odds)
        return found, group_features(of, odds, self.kinds(of.vectors), found)


class SentencePatterns:
    """A `Grouping` of messages, by an embedder's vectors of queries.

    Args:
        embedder: the one that the weights were fitted to.
        weights: None for those of the package, which are read at the first use.
    """

    def __init__(self, embedder: "Embedder", weights: Mapping[str, Numbers] | None = None) -> None:
        self._embedder = embedder
        self._given = weights

    def __call__(self, messages: "Sequence[Message]") -> list[Group]:
        """The groups of messages that show a pattern, none of which overlap.

        Raises:
            Unavailable: the embedder cannot be loaded.
        """
        of = traits(messages, embedded(messages, self._embedder))
        model, groups = self._weights
        found, features = model.grown(of)
        return [each for each, _ in chosen(found, groups(features), LEAST)] if found else []

    @cached_property
    def _weights(self) -> tuple[PairModel, Linear]:
        written = _written() if self._given is None else self._given
        bias = float(written["group_bias"][0])
        groups = Linear(written["group_mean"], written["group_scale"], written["group_weights"], bias)
        return PairModel(written), groups


def _written() -> dict[str, Numbers]:
    with np.load(WEIGHTS) as file:
        return {name: file[name].astype(float) for name in file.files}


def embedded(messages: "Sequence[Message]", embedder: "Embedder") -> "Vectors":
    """The vectors of the beginnings of messages: (messages, dimensions)."""
    return np.stack([embedder.embed_query(each.text[:LONGEST]) for each in messages])
