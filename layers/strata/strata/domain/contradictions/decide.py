"""The decision whether two short notes about one person contradict each other, differ, or say the same.

Two claims are compared where at most one of them has words of weight that the other one lacks. They contradict each other
if they then give another value of the same thing, deny what the other affirms, say the opposite of it, or have two words
the other way round.
"""

import re
from collections.abc import Sequence, Set
from datetime import date
from typing import Literal

from strata.domain.contradictions.claims import Claim, Clause, Word, read
from strata.domain.contradictions.quantities import agree
from strata.domain.contradictions.vocabulary import BESIDE_VALUES
from strata.domain.knowledge.sameness import Told, says_the_same

Relation = Literal["contradicts", "differs", "same"]
Reason = Literal["order", "value", "negation", "opposite"]

_DATES = frozenset(("date", "year", "weekday"))
_SIZES = frozenset(("length", "mass"))
_HABITS = frozenset(("week", "part", "season"))
_PERSONAL = frozenset(("married", "alive", "vegetarian", "smoke"))
"""Words for a state or a habit of a person, without an object."""
_SINGLE = frozenset(("home", "manager"))
"""Things of which a person has one at a time."""
_ADDITIVE = re.compile(
    r"\b(?:likes?|loves?|enjoys?|has|have|own|owns|wears?|buys?|bought|speaks?|learn\w*|tiene|lleva|compro|habla|gusta\w*|encanta\w*)\b"
)
"""Verbs of which there may be several values."""
_AGAIN = re.compile(
    r"\b(?:visited|went|saw|ran|bought|read|ate|met|travel+ed|played|watched|tried|visito|viajo|compro|vio|corrio|leyo|comio|jugo|fue a)\b"
)
"""Deeds that may be done again on another day."""
_COMPARED = re.compile(r"\b(?:prefer\w*|prefiere\w*|rather|than|mas \w+ que|menos \w+ que)\b")
_MUTUAL = re.compile(
    r"\b(?:and|y|e|with|con|by|por|from|meets?|met|married|casad[oa]|sisters?|brothers?|cousins?|friends?|herman[oa]s?|prim[oa]s?|amig[oa]s?|(?:was|were) \w+ed)\b"
)
"""Words that make two names change places without another meaning."""
_COPULA = re.compile(
    r"\b(?:is|are|es|son|esta|estan|was|called|named|llama|lives|home|born|nacio|nacid[oa]|works|trabaja|runs|reports|uses|usa)"
    r"(?: (?:hosted|located|based|written|built|called|named|now))?(?: (?P<join>in|at|on|of|to|for|en|a|de|para|the|el|la|an?|una?))*\Z"
)
"""Words between a thing and its name, or the name of its place."""


def relation(one: str, other: str, said_one: date | None = None, said_other: date | None = None) -> Relation:
    """The relation of two notes about one person, by the days on which they were said."""
    if contradiction(read(one, said_one), read(other, said_other)):
        return "contradicts"
    return "same" if says_the_same(Told.of(one), Told.of(other)) else "differs"


def contradiction(one: Claim, other: Claim) -> Reason | None:
    """The reason why two claims can't both be so; None if they can."""
    one, other = one.beside(other), other.beside(one)
    if one.unsure or other.unsure or one.past != other.past or one.kin != other.kin:
        return None
    if _other_way_round(one, other):
        return "order"
    opposed = [
        (mine, theirs)
        for mine in one.clauses
        for theirs in other.clauses
        if _opposed(mine, theirs, mine.signs.keys() & theirs.signs.keys())
    ]
    if opposed:
        return _denies(one, other, opposed)
    return "value" if _another_value(one, other) or _another_choice(one, other) else None


def _opposed(mine: Clause, theirs: Clause, shared: Set[str]) -> bool:
    """Whether one of two clauses affirms what the other denies, by negations and opposites."""
    opposites = sum(mine.signs[key] != theirs.signs[key] for key in shared)
    return bool(shared) and (mine.denied != theirs.denied) != (opposites % 2 == 1)


def _denies(one: Claim, other: Claim, opposed: Sequence[tuple[Clause, Clause]]) -> Reason | None:
    """The way in which one claim denies the other: all that a negated clause has is said there."""
    if _kinds(one, other) & _kinds(other, one) or (one.names - other.keys and other.names - one.keys):
        return None
    comparable = _comparable(one, other)
    for mine, theirs in opposed:
        shared = mine.signs.keys() & theirs.signs.keys()
        covered = [
            clause.signs.keys() - BESIDE_VALUES <= there.keys
            for clause, there in ((mine, other), (theirs, one))
        ]
        if not shared & _PERSONAL and not (comparable and len(shared) > 1):
            continue
        if any(covered) if mine.denied == theirs.denied else covered[theirs.denied]:
            return "opposite" if mine.denied == theirs.denied else "negation"
    return None


def _comparable(one: Claim, other: Claim) -> bool:
    """Whether at most one of two claims has words that the other lacks, and then they share two at least."""
    mine, theirs = _apart(one, other)
    shared = len(one.keys & other.keys)
    return not (mine and theirs) and shared > (1 if mine or theirs else 0)


def is_plain(one: Claim, other: Claim) -> bool:
    """Whether two claims that contradict each other agree in all words but names and the choices of a set.

    Of such pairs fewer are wrong: no further word may tell of another thing.
    """
    left = _apart(one.beside(other), other.beside(one))
    return all(word.name or word.among for words in left for word in words)


def _apart(one: Claim, other: Claim) -> tuple[list[Word], list[Word]]:
    """The words of each claim that the other lacks, without those that only go with a value."""
    mine, theirs = (
        [word for word in claim.words if word.key not in there.keys and word.key not in BESIDE_VALUES]
        for claim, there in ((one, other), (other, one))
    )
    return mine, theirs


def _kinds(one: Claim, other: Claim) -> set[str]:
    """The kinds of quantities that the other claim does not have."""
    return {each.kind for each in one.quantities if not any(agree(each, there) for there in other.quantities)}


def _classes(one: Claim, other: Claim) -> set[str]:
    """The sets of values of which a claim names one that the other lacks."""
    return {word.among for word in one.words if word.among and word.key not in other.keys}


def _other_way_round(one: Claim, other: Claim) -> bool:
    """Whether both have the same words, and two of them have changed places around others."""
    first, second = one.words, other.words
    moved = [(here, there) for here, there in zip(first, second, strict=False) if here.key != there.key]
    return (
        len(first) == len(second)
        and len(moved) == 2
        and [each.key for each in moved[0]] == [each.key for each in reversed(moved[1])]
        and (all(word.name for pair in moved for word in pair) or bool(_COMPARED.search(one.folded)))
        and not _MUTUAL.search(one.folded)
    )


def _another_value(one: Claim, other: Claim) -> bool:
    """Whether both give another number, amount or time of the same thing."""
    mine, theirs = _kinds(one, other), _kinds(other, one)
    kinds, rest = mine & theirs, mine ^ theirs
    if not kinds or "ordinal" in mine | theirs or "like" in one.keys & other.keys:
        return False
    if kinds <= _DATES:
        if rest - _DATES or all(_AGAIN.search(each.folded) for each in (one, other)):
            return False
    elif len(kinds) > 1 or rest:
        return False
    if _classes(one, other) & _classes(other, one):
        return False
    return _comparable(one, other) or (kinds <= _SIZES and not any(_apart(one, other)))


def _another_choice(one: Claim, other: Claim) -> bool:
    """Whether both choose another one of values of which only one can be, such as names in one place."""
    mine, theirs = _apart(one, other)
    shared = one.keys & other.keys
    if not mine or not theirs or not shared or _kinds(one, other) & _kinds(other, one):
        return False
    if any(_heads(one, mine, key) and _heads(other, theirs, key) for key in shared & _SINGLE):
        return True
    (kind, *others) = {"name" if word.name else word.among for word in (*mine, *theirs)}
    if others or not kind:
        return False
    if one.only or other.only:
        return True
    additive = _ADDITIVE.search(one.folded) or _ADDITIVE.search(other.folded)
    joined = [_joined(claim, words[0]) for claim, words in ((one, mine), (other, theirs))]
    alike = joined[0] == joined[1] is not None if kind == "name" else kind not in _HABITS
    return not additive and alike


def _heads(claim: Claim, own: list[Word], key: str) -> bool:
    """Whether a claim gives a name of this thing, and no word of its own before it but a name."""
    before = claim.words[: [word.key for word in claim.words].index(key)]
    return any(word.name for word in own) and all(word.name or word not in own for word in before)


def _joined(claim: Claim, name: Word) -> str | None:
    """The preposition before the name of what a claim is about; None where it is none."""
    at = re.search(rf"\b{re.escape(name.text)}\b", claim.folded)
    found = at and _COPULA.search(claim.folded[: at.start()].rstrip())
    return (found["join"] or "") if found else None
