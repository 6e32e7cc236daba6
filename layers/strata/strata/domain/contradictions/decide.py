"""The decision whether two short notes about one person contradict each other, differ, or say the same.

A claim contradicts another one if it gives another value of the same thing, denies all that the other affirms,
says the opposite of the same thing, or sets the same two things in relation the other way round.
"""

import re
from datetime import date
from typing import Literal

from strata.domain.contradictions.claims import Claim, Word, apart, read
from strata.domain.contradictions.names import another_name, other_way_round
from strata.domain.contradictions.quantities import Quantity, agree
from strata.domain.contradictions.vocabulary import ONLY, PAST, UNSURE
from strata.domain.knowledge.sameness import Told, says_the_same

Relation = Literal["contradicts", "differs", "same"]
Reason = Literal["order", "value", "negation", "opposite"]

_DATES = frozenset(("date", "year", "weekday"))
_TALL = frozenset(("length", "mass"))
_HABITS = frozenset(("week", "part", "season"))
_PERSONAL = frozenset(("married", "employed", "alive", "vegetarian", "remote", "smoke", "sober", "extrovert"))
"""Verbs of being and doing alone, without a word of their object."""
_ADDITIVE = re.compile(
    r"\b(?:like|love|enjoy|has|have|own|owns|wears?|buys?|bought|speaks?|plays?|learn\w*|likes|loves|tiene|lleva"
    r"|compro|habla|toca|gusta\w*|encanta\w*)\b"
)
"""Verbs of which there may be several values."""
_AGAIN = re.compile(
    r"\b(?:visited|went|saw|ran|bought|ordered|read|ate|met|travel+ed|called|played|watched|tried|did|visito|viajo"
    r"|compro|vio|corrio|leyo|comio|llamo|jugo|pidio|estuvo|fue a)\b"
)
"""Deeds that may be done again on another day."""
_OFTEN = re.compile(
    r"\b(?:often|usually|sometimes|at times|mostly|a menudo|a veces|suele|suelen|muchas veces)\b"
)
"""Words that leave room for another time."""
_WHITHER = re.compile(r"\b(to|from|into|hacia|desde|ida|vuelta)\b")
_UNDONE = re.compile(r"(?:un|dis|in|im|des)\w{4,}")


def relation(one: str, other: str, said_one: date | None = None, said_other: date | None = None) -> Relation:
    """The relation of two notes about one person, by the days on which they were said."""
    if contradiction(read(one, said_one), read(other, said_other)):
        return "contradicts"
    return "same" if says_the_same(Told.of(one), Told.of(other)) else "differs"


def contradiction(one: Claim, other: Claim) -> Reason | None:
    """The reason why two claims can't both be so; None if they can."""
    names = one.names | other.names
    one, other = one.naming(names), other.naming(names)
    if _OFTEN.search(one.folded) or _OFTEN.search(other.folded):
        return None
    if other_way_round(one, other):
        return "order"
    if one.subject_kin != other.subject_kin or any(
        bool(found.search(one.folded)) != bool(found.search(other.folded)) for found in (PAST, UNSURE)
    ):
        return None
    return _unlike(one, other)


def is_plain(one: Claim, other: Claim) -> bool:
    """Whether two claims that contradict each other agree in all words but names and the choices of a set.

    Of such pairs fewer are wrong: no further word may tell of another thing.
    """
    chosen = {word.key for claim in (one, other) for word in claim.words if word.choice}
    return all(left <= chosen for left in apart(one, other, names=False))


def _unlike(one: Claim, other: Claim) -> Reason | None:
    mine, theirs = _left(one, other), _left(other, one)
    chosen, same_kin = _choices_differ(one, other), one.kin == other.kin
    alike = same_kin and not _opposed(one, other)
    if alike and not chosen and _another_value(one, other, mine, theirs):
        return "value"
    if not {each.kind for each in mine}.isdisjoint(each.kind for each in theirs):
        return None
    if alike and (_another_choice(one, other) or another_name(one, other)):
        return "value"
    if chosen or (one.names - other.keys and other.names - one.keys):
        return None
    if _denies(one, other) or _denies(other, one):
        return "negation"
    return "opposite" if same_kin and _opposes(one, other) else None


def _left(one: Claim, other: Claim) -> list[Quantity]:
    """The quantities that the other claim does not have."""
    return [each for each in one.quantities if not any(agree(each, there) for there in other.quantities)]


def _another_value(one: Claim, other: Claim, mine: list[Quantity], theirs: list[Quantity]) -> bool:
    """Whether both give another number, amount or time of the same thing."""
    kinds = {each.kind for each in mine} & {each.kind for each in theirs}
    rest = {each.kind for each in mine} ^ {each.kind for each in theirs}
    if not kinds or "ordinal" in kinds | rest or "like" in one.keys & other.keys:
        return False
    if {*_WHITHER.findall(one.folded)} ^ {*_WHITHER.findall(other.folded)} >= {"to", "from"}:
        return False
    if kinds <= _DATES:
        again = all(_AGAIN.search(each.folded) for each in (one, other))
        ahead = max(each.start for each in (mine[0], theirs[0])) < 8
        if again or ahead or rest - _DATES - {"number"}:
            return False
    elif len(kinds) > 1 or rest & _DATES:
        return False
    left = apart(one, other)
    if not one.keys & other.keys:
        return kinds <= _TALL and not any(left)
    return not all(left)


def _another_choice(one: Claim, other: Claim) -> bool:
    """Whether both choose another one of values of which only one can be."""
    if _ADDITIVE.search(one.folded) or _ADDITIVE.search(other.folded):
        return False
    exclusive = ONLY.search(one.folded) or ONLY.search(other.folded)
    mine, theirs = ({word.choice: word for word in claim.words if word.choice} for claim in (one, other))
    for choice in mine.keys() & theirs.keys():
        pair = mine[choice], theirs[choice]
        if pair[0].key == pair[1].key or pair[0].denied or pair[1].denied:
            continue
        left = apart(one, other, choice)
        if one.keys & other.keys and not any(left) and (exclusive or choice not in _HABITS):
            return True
    return False


def _choices_differ(one: Claim, other: Claim) -> bool:
    """Whether each names another value of one set, as "the red bike" and "the blue bike" do."""
    mine, theirs = (
        {(word.choice, word.key) for word in claim.words if word.choice} for claim in (one, other)
    )
    return bool({choice for choice, _ in mine - theirs} & {choice for choice, _ in theirs - mine})


def _opposed(one: Claim, other: Claim) -> set[str]:
    """The meanings that one affirms and the other denies."""
    truth = {word.key: word.truth for word in other.words}
    return {word.key for word in one.words if truth.get(word.key) == -word.truth}


def _denies(one: Claim, other: Claim) -> bool:
    """Whether a claim denies what the other says: all that it denies is affirmed there."""
    affirmed = {word.key: word for word in other.words}
    if any(_UNDONE.fullmatch(word.text) and word.key not in one.keys for word in other.words):
        return False
    if any(each.kind == "ordinal" for each in _left(other, one)):
        return False
    for clause in one.clauses:
        denied = [word for word in clause if word.denied % 2]
        if (
            denied
            and all(word.key in affirmed and affirmed[word.key].truth == -word.truth for word in denied)
            and not _other_subject(one, other, {word.key for word in denied})
        ):
            return True
    return False


def _other_subject(one: Claim, other: Claim, met: set[str]) -> bool:
    """Whether what stands before the shared words differs on both sides."""
    return all(apart(one.until(met), other.until(met), keys=(one.keys, other.keys)))


def _opposes(one: Claim, other: Claim) -> bool:
    """Whether a word of one says the opposite of a word of the other about the same thing."""
    return any(
        word.key == each.key
        and word.truth == -each.truth
        and word.sign != each.sign
        and _same_thing(one, other, (clause, there), word.key)
        for clause in one.clauses
        for there in other.clauses
        for word in clause
        for each in there
    )


def _same_thing(
    one: Claim, other: Claim, clauses: tuple[tuple[Word, ...], tuple[Word, ...]], key: str
) -> bool:
    mine, theirs = ({word.key for word in clause} - {key} for clause in clauses)
    if key in _PERSONAL and not (mine and theirs):
        return True
    shared = mine & other.keys | theirs & one.keys
    if {key} != {
        word.key
        for word in clauses[0]
        for each in clauses[1]
        if word.key == each.key and word.truth != each.truth
    }:
        return False
    return (
        bool(shared)
        and len(shared) * 3 >= 2 * min(len(mine), len(theirs))
        and not _other_subject(one, other, {key})
    )
