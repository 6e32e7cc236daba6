"""Whether two facts about one person are the same, contradict each other, or stand beside each other."""

import hashlib
import re
from typing import Literal

from strata.domain.assembly.likeness import Words, alike
from strata.domain.facts.found import FoundFact
from strata.domain.facts.languages import LANGUAGES
from strata.domain.text.analysis import stem, words
from strata.domain.text.folding import fold

Relation = Literal["same", "conflicting", "different"]

_SINGLE = frozenset({"name", "role", "place", "contact_language"})
"""Categories of which one value holds: a newer one takes its place."""
_TASTES = frozenset({"preference", "dislike"})
_ARTICLES = frozenset("a an the el la lo los las un una unos unas".split())  # noqa: SIM905
_ORIGIN = re.compile(
    r"\b(?:(?:comes?|came|is|are|originally|hails?) from|born|grew up|raised|originally|native of|hometown"
    r"|(?:es|son|viene) (?:originari[oa] )?(?:de|del)|nacio|nacid[oa]|se crio|crecio|natural de)\b"
)
_WORKPLACE = re.compile(r"\b(?:works?|teach(?:es)?|practi[cs]es|employed|trabaja|ejerce)\b")


def fact_hash(found: FoundFact) -> str:
    """The same for the same fact, however it is written: case, accents, marks and articles make no difference."""
    return hashlib.sha256(f"{found.category} {' '.join(_told(found.value))}".encode()).hexdigest()


def relation(known: FoundFact, found: FoundFact, lexicon: Words | None = None) -> Relation:
    """How a fact that is known and one that was just found go together.

    `conflicting`: the newer one takes the place of the other. That is so where one value holds (a name, where
    somebody lives, what they work as, the language and the channel to answer in), for a date that has moved, and
    for a thing liked that is now disliked. Two values told in one breath stand beside each other. `lexicon` knows
    words that mean the same; without it, words must be the same but for their endings.
    """
    if known.category != found.category:
        turned = {known.category, found.category} == _TASTES and _alike(known.value, found.value)
        return "conflicting" if turned else "different"
    if found.category == "date":
        return _dates(known, found, lexicon)
    if _slot(known) != _slot(found):
        return "different"
    if _is_same(known, found, lexicon):
        return "same"
    in_one_breath = known.basis == found.basis
    return "conflicting" if found.category in _SINGLE and not in_one_breath else "different"


def _is_same(known: FoundFact, found: FoundFact, lexicon: Words | None) -> bool:
    if _alike(known.value, found.value):
        return True
    if found.category == "name" and _is_part(known.value, found.value):
        return True
    return lexicon is not None and alike(known.fact, found.fact, lexicon)


def _dates(known: FoundFact, found: FoundFact, lexicon: Words | None) -> Relation:
    """Values are "14 March: birthday"."""
    day, _, occasion = known.value.partition(":")
    other_day, _, other = found.value.partition(":")
    about = _alike(occasion, other) or (lexicon is not None and alike(occasion, other, lexicon))
    if not about:
        return "different"
    return "same" if _told(day) == _told(other_day) else "conflicting"


def _slot(found: FoundFact) -> str:
    """What of a category holds one value: living somewhere, coming from there, working there; a language, a channel."""
    if found.category == "place":
        said = fold(found.fact)
        return "origin" if _ORIGIN.search(said) else "work" if _WORKPLACE.search(said) else "home"
    if found.category == "contact_language":
        return "language" if LANGUAGES.intersection(words(found.value)) else "channel"
    return ""


def _told(value: str) -> list[str]:
    said = words(value)
    return [word for word in said if word not in _ARTICLES] or said


def _alike(one: str, other: str) -> bool:
    """The same words but for their order and endings; so the same figures and as many denials."""
    return sorted(map(stem, _told(one))) == sorted(map(stem, _told(other)))


def _is_part(one: str, other: str) -> bool:
    """Whether a name is the other one, told in full or in short."""
    mine, theirs = set(_told(one)), set(_told(other))
    return mine <= theirs or theirs <= mine
