"""Cues of people: what the words around a name say of somebody."""

from collections.abc import Iterator
from itertools import pairwise

from strata.domain.entities import cue_words as said
from strata.domain.entities import name_lists
from strata.domain.entities import vocabulary as known
from strata.domain.entities.name import is_doing
from strata.domain.entities.surroundings import Evidence, Surroundings
from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.relevance.small_talk import GREETINGS

_CLITICS = word_set("me te se lo la le nos os les los las")
_TO_THEM = frozenset(("le", "les"))
_MINE = word_set("my our mi mis nuestro nuestra")


def of_people(around: Surroundings) -> Iterator[Evidence]:
    """The signs that a name is somebody's."""
    yield from _of_somebody(around)
    yield from _to_somebody(around)
    yield from _by_somebody(around)


def role(around: Surroundings) -> str:
    """The word for who somebody is: "my sister Ana", "Ana, my sister"; "" without one."""
    if around.one in known.ROLES and (not around.two or {around.two, around.three} & (_MINE | said.ARTICLES)):
        return around.one
    after = around.after(4)
    for whose, what in pairwise(after):
        if whose.fold in _MINE and what.fold in known.ROLES and not what.possessive:
            return what.fold if after[0].comma or after[0].fold in said.COPULAS else ""
    return ""


def _of_somebody(around: Surroundings) -> Iterator[Evidence]:
    """Words before somebody's name: who it is."""
    one, two = around.one, around.two
    if one in known.ROLES:
        whose = (
            {two, around.three} & (known.POSSESSIVES | said.ARTICLES)
            if not around.comma
            else {two} & known.POSSESSIVES
        )
        if whose or not two:
            yield "person", 5
        elif not around.comma and one in known.KIN:
            yield "person", 3
    if around.comma and around.near(known.ROLES, 1, 4) and around.near(known.POSSESSIVES, 2, 6):
        yield "person", 3
    if one in said.COPULAS and around.near(known.ROLES, 2, 4) and around.near(known.POSSESSIVES, 3, 6):
        yield "person", 5
    if (one == "me" and two == "call") or one in said.CALL_ME:
        yield "person", 2
    if one in said.SELF or (one in said.COPULAS and two in {"name", "nombre", "it's", "this"}):
        yield "person", 3


def _to_somebody(around: Surroundings) -> Iterator[Evidence]:
    """Words before somebody's name: what is done to them."""
    one = around.one
    if one in said.TELLING and around.two in _CLITICS:
        yield "person", 2.5
    if one in said.SAYING_ES and "place" not in around.name.scores:
        yield "person", 2
    if _is_family(around):
        yield "person", 3
    if one in said.ADDRESSING:
        yield "person", 2
    if one in {"with", "con"}:
        yield "person", 2 if around.is_unknown and around.near(said.TOGETHER, 1, 6) else 1
    if (one == "into" and around.two in said.RUNNING) or (one == "by" and around.two in said.GOING):
        yield "person", 2.5
    if (one == "to" and around.near(said.TO_SOMEBODY, 2, 4)) or (
        one == "a" and (around.near(said.TO_SOMEBODY_ES, 2, 4) or _is_object(around))
    ):
        yield "person", 2.5
    if "person" in around.name.scores:
        greeted = one in GREETINGS and (not around.comma or around.ends)
        if greeted or (around.comma and around.ends):
            yield "person", 2


def _is_object(around: Surroundings) -> bool:
    """Whether a name follows the "a" by which Spanish marks people: "le gano a Kike"."""
    return not around.english and around.is_unknown and around.near(_TO_THEM, 2, 4)


def _is_subject(around: Surroundings) -> bool:
    """Whether a name before a verb may be somebody's: listed as such, or one unknown word without an article."""
    scores = around.name.scores
    if "person" in scores:
        return around.one not in said.PREPOSITIONS
    bare = around.one not in said.ARTICLES | known.POSSESSIVES | said.PREPOSITIONS
    return not scores and bare and len(around.name.folded) == 1


def _is_family(around: Surroundings) -> bool:
    """Whether a name in the plural is a family's: "the Patels", "los García"."""
    whole = around.name.whole
    if around.one == "los":
        return not whole.endswith("s") and len(around.name.folded) == 1
    surname = whole.removesuffix("s")
    several = (
        around.near(said.HOUSEHOLDS, 2, 3)
        or around.following in said.SEVERAL
        or surname in name_lists.first_names()
    )
    return around.one == "the" and surname != whole and several and len(around.name.folded) == 1


def _by_somebody(around: Surroundings) -> Iterator[Evidence]:
    """Words after somebody's name."""
    after = around.after(3)
    if around.following in said.STRONG_TELLING:
        yield "person", 3
    elif around.following in said.TELLING - said.AUXILIARY and _is_subject(around):
        yield "person", 2
    elif around.following in said.TELLING and "place" not in around.name.scores:
        clitic = around.following in _CLITICS and len(after) > 1 and after[1].fold in said.TELLING
        yield "person", 2.5 if clitic else 1
    led = around.one in said.PREPOSITIONS
    if around.following in {"and", "y"} and not led and len(after) > 1 and after[1].fold in {"i", "yo", "me"}:
        yield "person", 3
    if around.following == "from" and len(after) > 1 and after[1].fold in said.ROOMS:
        yield "person", 3
    if around.words[around.name.last].possessive:
        told = is_doing(around.following) or around.following in said.OWNED
        yield "person", 2 if told else 0.5
    if around.one in {"de", "of"} and around.two in said.OWNED and around.is_unknown:
        yield "person", 2
    if not after or not (after[0].comma or after[0].fold in said.COPULAS):
        return
    folded = [word.fold for word in after]
    if around.one not in said.PREPOSITIONS and any(
        whose in known.POSSESSIVES and what in known.ROLES for whose, what in pairwise(folded)
    ):
        yield "person", 4
    elif after[0].comma and folded[0] in {"who", "quien", "que"}:
        yield "person", 2
