"""Topics of everyday life, and the words in English and Spanish that point to them: "crown" and "molar" to the dentist.

The table `topics.txt` was written for this project. A word may point to several topics.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from strata.domain.text.analysis import words
from strata.domain.text.common import common_stem
from strata.domain.text.folding import fold

_MOST = 8
"""A word that points to more topics tells of none."""

Topics = Mapping[int, float]
"""How much of a text points to each topic, by the topic's number."""


def topics_of(stems: Sequence[str]) -> dict[int, float]:
    """The topics that stems in their order point to; a word that points to several counts for a share of each."""
    single, double = _table()
    found: dict[int, float] = {}
    for at, stem in enumerate(stems):
        for topics in (single.get(stem, ()), double.get(tuple(stems[at : at + 2]), ())):
            for topic in topics:
                found[topic] = found.get(topic, 0.0) + 1 / len(topics)
    return found


def topics_of_word(stem: str) -> tuple[int, ...]:
    """The numbers of the topics that one stem points to."""
    return _table()[0].get(stem, ())


def likeness(one: Topics, other: Topics) -> float:
    """The cosine of two texts' topics, 0 to 1."""
    shared = sum(weight * other[topic] for topic, weight in one.items() if topic in other)
    return shared / math.sqrt(_square(one) * _square(other)) if shared else 0.0


def _square(topics: Topics) -> float:
    return sum(weight * weight for weight in topics.values())


@cache
def _table() -> tuple[Mapping[str, tuple[int, ...]], Mapping[tuple[str, ...], tuple[int, ...]]]:
    """The topics of each stem, and of two stems that follow each other."""
    found: dict[tuple[str, ...], dict[int, None]] = {}
    topic = 0
    for line in (files(__package__) / "topics.txt").read_text("utf-8").splitlines():
        if not line.startswith(" "):
            topic += 1
            continue
        for term in line.partition(":")[2].split(","):
            found.setdefault(tuple(map(common_stem, words(fold(term)))), {})[topic] = None
    kept = {
        stems: tuple(topics)
        for stems, topics in found.items()
        if len(topics) <= _MOST and all(len(stem) > 1 for stem in stems)
    }
    single = {stems[0]: topics for stems, topics in kept.items() if len(stems) == 1}
    return single, {stems: topics for stems, topics in kept.items() if len(stems) == 2}
