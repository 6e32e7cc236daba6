"""The relation of two facts about one person: the same, conflicting, or different."""

import hashlib
import re
from typing import Literal

from strata.domain.assembly.likeness import alike
from strata.domain.facts.found import FoundFact
from strata.domain.facts.languages import LANGUAGES
from strata.domain.text.analysis import stem, words
from strata.domain.text.folding import fold
from strata.domain.text.lexicon import WordLexicon

Relation = Literal["same", "conflicting", "different"]

_SINGLE = frozenset({"name", "role", "place", "contact_language"})
"""Categories with a single value: a newer one replaces it."""
_TASTES = frozenset({"preference", "dislike"})
_ARTICLES = frozenset("a an the el la lo los las un una unos unas".split())  # noqa: SIM905
_ORIGIN = re.compile(
    r"\b(?:(?:comes?|came|is|are|originally|hails?) from|born|grew up|raised|originally|native of|hometown"
    r"|(?:es|son|viene) (?:originari[oa] )?(?:de|del)|nacio|nacid[oa]|se crio|crecio|natural de)\b"
)
_WORKPLACE = re.compile(r"\b(?:works?|teach(?:es)?|practi[cs]es|employed|trabaja|ejerce)\b")


def fact_hash(found: FoundFact) -> str:
    """The hash of a fact's category and value; case, accents, punctuation and articles are ignored."""
    return hashlib.sha256(f"{found.category} {' '.join(_told(found.value))}".encode()).hexdigest()


def relation(known: FoundFact, found: FoundFact, lexicon: WordLexicon | None = None) -> Relation:
    """The relation of a known fact to one that was just found.

    `conflicting` means that the newer fact replaces the other. That holds for categories with a single value
    (name, residence, work, language and channel of answers), for a date that moved, and for a taste that turned
    from liking to dislike or back. Two values in the same sentence are different facts. `lexicon` recognises
    synonyms; without it, words must agree but for their endings.
    """
    if known.category != found.category:
        turned = {known.category, found.category} == _TASTES and _alike(known.value, found.value)
        return "conflicting" if turned else "different"
    if found.category == "date":
        return _dates(known, found, lexicon)
    if fact_slot(known) != fact_slot(found):
        return "different"
    if _is_same(known, found, lexicon):
        return "same"
    in_one_breath = known.basis == found.basis
    return "conflicting" if found.category in _SINGLE and not in_one_breath else "different"


def _is_same(known: FoundFact, found: FoundFact, lexicon: WordLexicon | None) -> bool:
    if _alike(known.value, found.value):
        return True
    if found.category == "name" and _is_part(known.value, found.value):
        return True
    return lexicon is not None and alike(known.fact, found.fact, lexicon)


def _dates(known: FoundFact, found: FoundFact, lexicon: WordLexicon | None) -> Relation:
    """Values are "14 March: birthday"."""
    day, _, occasion = known.value.partition(":")
    other_day, _, other = found.value.partition(":")
    about = _alike(occasion, other) or (lexicon is not None and alike(occasion, other, lexicon))
    if not about:
        return "different"
    return "same" if _told(day) == _told(other_day) else "conflicting"


def fact_slot(found: FoundFact) -> str:
    """The part of a category that has a single value: home, origin or work; language or channel."""
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
    """Whether both have the same words but for order and endings, hence the same figures and negations."""
    return sorted(map(stem, _told(one))) == sorted(map(stem, _told(other)))


def _is_part(one: str, other: str) -> bool:
    """Whether one name is a part of the other."""
    mine, theirs = set(_told(one)), set(_told(other))
    return mine <= theirs or theirs <= mine
