"""How likely a value that is stated takes the place of one that was stated before.

The two need have no word in common: "my dentist is Dr Osei", "Marta Lind did my crown". What is compared are their
words, the topics that these point to, and how the values are written.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from strata.domain.entities.clues import lists_with
from strata.domain.entities.reading import words
from strata.domain.entities.vocabulary import ROLES, TITLES
from strata.domain.knowledge.stated import stems
from strata.domain.knowledge.statements import STATED, Sighting
from strata.domain.knowledge.succession_weights import WEIGHTS
from strata.domain.knowledge.topics import Topics, likeness, topics_of
from strata.domain.text.common import common_stem, is_common
from strata.domain.text.stop_words import ENGLISH, SPANISH

_BEFORE, _AFTER = 7, 6
"""So many words before and after a value are near it."""
_MANY = 3
_LISTS = ("fn", "cn", "pl", "lp", "kn=")


@dataclass(frozen=True, slots=True)
class Told:
    """The parts of a statement that are compared with others.

    Attributes:
        value: the stems of its value.
        others: the stems of the other words of its message that not everybody uses.
        common: those that everybody uses.
        near: the stems of the words near the value.
        every: the stems of all words.
        topics, topics_near, topics_value: of the message, of what is near the value, of the value.
        roles: the stems of the words near the value for who somebody is to the person: "dentist".
        lists: the lists of names that have a word of the value.
        capital: whether the value begins with a capital.
        digit: whether it has one.
        words: the number of its words.
        changes: whether it is told as a change.
    """

    value: frozenset[str]
    others: frozenset[str]
    common: frozenset[str]
    near: frozenset[str]
    every: frozenset[str]
    topics: Topics
    topics_near: Topics
    topics_value: Topics
    roles: frozenset[str]
    lists: frozenset[str]
    capital: bool
    digit: bool
    words: int
    changes: bool


@lru_cache(2_048)
def told(sighting: Sighting) -> Told:
    """Take from a statement the parts that are compared with others."""
    of_value = words(sighting.value)
    of_quote = words(sighting.quote)
    untitled = [word for word in of_value if word.fold not in TITLES]
    value_stems = stems(untitled) or tuple(common_stem(word.fold) for word in of_value)
    value = frozenset(value_stems)
    place = sighting.quote.find(sighting.value)
    at = next((at for at, word in enumerate(of_quote) if word.end > place), 0)
    near = of_quote[max(0, at - _BEFORE) : at + len(of_value) + _AFTER]
    every = stems(words(sighting.message))
    rest = set(every) - value
    common = {each for each in rest if _is_common(each)}
    lists = {clue for word in of_value for clue in lists_with(word.fold) if clue.startswith(_LISTS)}
    return Told(
        value,
        frozenset(rest - common),
        frozenset(common),
        frozenset(stems(near)) - value,
        frozenset(every),
        topics_of(every),
        topics_of(stems(near)),
        topics_of(value_stems),
        frozenset(common_stem(word.fold) for word in near if word.fold in ROLES),
        frozenset(each for each in lists if each in _LISTS or each.startswith("kn=")),
        sighting.value[:1].isupper(),
        any(letter.isdigit() for letter in sighting.value),
        len(of_value),
        sighting.changes,
    )


def odds(older: Sighting, newer: Sighting) -> float:
    """The logarithm of the odds that `newer` takes the place of `older`, the two alone.

    Where the attributes of both are known, they decide.
    """
    if is_named(older) and is_named(newer):
        return math.inf if older.subject == newer.subject else -math.inf
    if older.at >= newer.at:
        return -math.inf
    found = features(told(older), told(newer))
    return WEIGHTS["bias"] + sum(WEIGHTS[name] * value for name, value in found.items())


def is_named(sighting: Sighting) -> bool:
    """Whether the attribute of a value is known."""
    return not sighting.subject.startswith(f"{STATED}:")


def features(older: Told, newer: Told) -> Mapping[str, float]:
    """The signs for and against it, by the names that weights are fitted to."""
    named = bool(older.value) and older.value <= newer.every and older.value != newer.value
    same_topic = likeness(older.topics, newer.topics)
    near = likeness(older.topics_near, newer.topics_near)
    of_value = likeness(older.topics_value, newer.topics_value)
    crossed = max(
        likeness(older.topics_value, newer.topics_near), likeness(older.topics_near, newer.topics_value)
    )
    mass = sum(min(weight, newer.topics.get(topic, 0.0)) for topic, weight in older.topics.items())
    shared = older.others & newer.others
    return {
        "words": min(len(shared), _MANY),
        "any word": bool(shared),
        "common words": min(len(older.common & newer.common), _MANY),
        "words near": min(len({each for each in older.near & newer.near if each in shared}), _MANY),
        "named": named,
        "part": len(older.value & newer.every) / max(1, len(older.value)),
        "equal": older.value == newer.value,
        "case": older.capital == newer.capital,
        "capitals": older.capital and newer.capital,
        "digits": older.digit == newer.digit,
        "length": min(abs(older.words - newer.words), _MANY),
        "lists": len(older.lists & newer.lists),
        "any list": bool(older.lists & newer.lists),
        "other lists": bool(older.lists ^ newer.lists),
        "changes": newer.changes,
        "changes the named": newer.changes and named,
        "topics": same_topic,
        "topics near": near,
        "topics of values": of_value,
        "topics crossed": crossed,
        "one topic": max(same_topic, near, of_value) > 0.5,
        "mass": min(mass, _MANY),
        "role": not older.roles.isdisjoint(newer.roles),
        "apart": bool(older.topics and newer.topics) and not mass,
        "apart near": bool(older.topics_near and newer.topics_near) and not near,
        "values apart": bool(older.topics_value and newer.topics_value) and not of_value,
    }


@lru_cache(8_192)
def _is_common(stem: str) -> bool:
    return (
        stem in ENGLISH or stem in SPANISH or is_common(stem, spanish=False) or is_common(stem, spanish=True)
    )
