"""The evidence that two notes about one person contradict each other: the reasons to look at all, and named numbers."""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from strata.domain.contradictions.claims import Claim
from strata.domain.contradictions.exclusions import Opposition, oppositions
from strata.domain.contradictions.quantities import agree
from strata.domain.contradictions.vocabulary import BESIDE_VALUES
from strata.domain.entities.roles import role_class

FITTED = ("exclusion", "value", "denial")
"""Reasons with weights: other classes of an attribute; another number or name of something; a denial by one of the two."""
ORDER = "order"
"""The reason that two words have changed places."""

_COMPARED = re.compile(r"\b(?:prefer\w*|prefiere\w*|rather|than|mas \w+ que|menos \w+ que)\b")
_MUTUAL = re.compile(
    r"\b(?:and|y|e|with|con|by|por|from|meets?|met|married|casad[oa]|sisters?|brothers?|cousins?|friends?|herman[oa]s?|prim[oa]s?|amig[oa]s?|(?:was|were) \w+ed)\b"
)
"""Words that make two names change places without another meaning."""
_ADDITIVE = re.compile(
    r"\b(?:likes?|loves?|enjoys?|has|have|own|owns|wears?|buys?|bought|speaks?|learn\w*|tiene|lleva|compro|habla|gusta\w*|encanta\w*)\b"
)
"""Verbs of which there may be several values."""
_AGAIN = re.compile(
    r"\b(?:likes?|loves?|enjoys?|visited|went|saw|ran|lent|gave|paid|bought|read|ate|met|travel+ed|played|watched|tried"
    r"|gustan?|encantan?|visito|viajo|presto|pago|recet\w+|compro|vio|corrio|leyo|comio|jugo|fue a)\b"
)
"""Tastes of which there may be several, and deeds that may be done again on another day."""

_DATES = frozenset(("date", "year", "weekday"))

Rarity = Callable[[str], float]
"""How seldom two notes that have nothing to do with each other are in other classes of an attribute: a logarithm."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The reasons for which two notes may contradict each other, and the numbers that weigh them."""

    reasons: Sequence[str]
    numbers: Mapping[str, float]


def evidence(one: Claim, other: Claim, rarity: Rarity) -> Evidence | None:
    """The evidence of two notes, in either order; None where nothing tells that they may contradict each other.

    A note about somebody else, a wish, what is so only usually, and a value of another occasion or deed contradict nothing.
    """
    shared = one.stems & other.stems
    if one.unsure or other.unsure or not (shared or one.signs.keys() & other.signs.keys()):
        return None
    mine, theirs = _other_kinds(one, other), _other_kinds(other, one)
    names, values = _names_apart(one, other), bool(mine & theirs)
    again = bool(_AGAIN.search(one.folded) and _AGAIN.search(other.folded))
    if values and (again or (one.occasions - other.occasions and other.occasions - one.occasions)):
        return None
    denied = one.denials % 2 != other.denials % 2
    opposed = sorted(
        oppositions(one.signs, other.signs),
        key=lambda each: (-each.strength * rarity(each.attribute), each.attribute),
    )
    ordered = _other_way_round(one, other)
    given = (bool(opposed), bool(shared) and (values or names), bool(shared) and denied, ordered)
    reasons = [reason for reason, holds in zip((*FITTED, ORDER), given, strict=True) if holds]
    cues = {stem for each in opposed[:1] for sign in (each.one, each.other) for stem in sign.cue}
    if not reasons or _is_elsewhere(one, other, cues) or _is_elsewhere(other, one, cues):
        return None
    named = one.names | other.names
    left = [one.stems - other.stems - BESIDE_VALUES, other.stems - one.stems - BESIDE_VALUES]
    every = left[0] | left[1]
    contained = not (left[0] and left[1])
    comparable = contained and len(shared) > bool(every)
    plain = every <= named | cues
    past = one.past != other.past
    additive = bool(_ADDITIVE.search(one.folded) or _ADDITIVE.search(other.folded))
    jaccard = len(shared) / max(1, len(one.stems | other.stems))
    found = bool(opposed)
    many = len(mine & theirs) > 1 and not mine & theirs <= _DATES
    numbers = {
        "shared": min(len(shared), 4),
        "jaccard": jaccard,
        "fewer left": min(*map(len, left), 2),
        "more left": min(max(map(len, left)), 3),
        "contained": contained,
        "comparable": comparable,
        "plain": plain,
        "plain opposed": plain and found and not past,
        "only names left": bool(every) and every <= named,
        "shared names": min(2, len(one.names & other.names)),
        "other names": names,
        "another name": bool(one.names - other.stems) != bool(other.names - one.stems),
        "clear names": names and every <= named and not (past or additive or again or values),
        "one frame": names and one.frame == other.frame and not additive,
        "values": values,
        "another value": bool(mine ^ theirs),
        "many values": many,
        "equal values": any(agree(here, there) for here in one.quantities for there in other.quantities),
        "values comparable": values and comparable,
        "clear values": values and comparable and not (past or many or mine ^ theirs),
        "denied": denied,
        "denials": bool(one.denials or other.denials),
        "both deny": bool(one.denials and other.denials),
        "subject": bool(one.subjects or other.subjects),
        "past": past,
        "additive": additive,
        "only": one.only or other.only,
        "both only": one.only and other.only,
    } | _of_oppositions(opposed, rarity)
    return Evidence(reasons, {name: float(number) for name, number in numbers.items()})


def _of_oppositions(opposed: Sequence[Opposition], rarity: Rarity) -> dict[str, float]:
    """How surely the notes are in other classes, by the likeliest attribute and the next one."""
    weights = [each.strength * rarity(each.attribute) for each in opposed] + [0, 0]
    signs = [(each.one, each.other) for each in opposed[:1]]
    cues = [sign.cue for pair in signs for sign in pair]
    denials = [sign.denial for pair in signs for sign in pair if sign.denial]
    same = bool(cues) and not {*cues[0]}.isdisjoint(cues[1])
    return {
        "opposed": weights[0],
        "opposed twice": weights[1],
        "any opposed": bool(opposed),
        "one cue": same,
        "other cues": 0 if same else weights[0],
        "cue denied": bool(denials),
        "shorter cue": min(map(len, cues), default=1) - 1,
        "longer cue": max(map(len, cues), default=1) - 1,
        "next to denial": 1 in denials,
        "far from denial": bool(denials) and min(denials) > 2,
    }


def _other_kinds(one: Claim, other: Claim) -> set[str]:
    """The kinds of quantities that the other claim does not have."""
    return {each.kind for each in one.quantities if not any(agree(each, there) for there in other.quantities)}


def _names_apart(one: Claim, other: Claim) -> bool:
    """Whether each note has a name that the other lacks."""
    return bool(one.names - other.stems) and bool(other.names - one.stems)


def _is_elsewhere(one: Claim, other: Claim, cues: Set[str]) -> bool:
    """Whether a note is about somebody else, and the question isn't whether the person has them at all."""
    unknown = {role for role in one.subjects if role not in other.people}
    asked = {role_class(word.text) for word in one.words if word.stem in cues}
    return (bool(unknown) and unknown.isdisjoint(asked)) or len(one.subjects) > len(other.subjects) > 0


def _other_way_round(one: Claim, other: Claim) -> bool:
    """Whether both have the same words, and two of them have changed places around others."""
    pairs = zip(one.words, other.words, strict=False)
    moved = [(here.stem, there.stem) for here, there in pairs if here.stem != there.stem]
    return (
        len(one.words) == len(other.words)
        and len(moved) == 2
        and moved[0] == moved[1][::-1]
        and (
            {*moved[0]} <= one.names | other.names
            or bool(_COMPARED.search(one.folded) and _COMPARED.search(other.folded))
        )
        and not (_MUTUAL.search(one.folded) or _MUTUAL.search(other.folded))
    )
