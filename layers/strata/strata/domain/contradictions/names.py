"""Names in two claims: another one in the same place, or the same two the other way round."""

import re
from collections.abc import Set

from strata.domain.contradictions.claims import Claim, Word, apart
from strata.domain.contradictions.vocabulary import ONLY, VERBS_OF_VALUES
from strata.domain.knowledge.common import common_stem
from strata.domain.supersession.vocabulary import JOINS
from strata.domain.text.stop_words import ENGLISH, SPANISH

_THAN = re.compile(
    r"\b(?P<how>\w+er|more \w+|less \w+|mas \w+|menos \w+|mayor|menor|mejor|peor) (?:than|que)\b"
)
_PREFER = re.compile(r"\b(?:pref(?:er|ier)\w*|elegir|choose|rather)\b")
_TO = re.compile(r"(?<=\w)\s+(?:over|rather than|instead of|antes que|before|to|a)\b")
_SELF = frozenset("she he i ella el user usuario him me her".split())  # noqa: SIM905
_ALSO_ARTICLES = frozenset(("el", "her"))
_PASSIVE = re.compile(r"\b(?:by|por|from|lost|was \w+ed|were \w+ed)\b")
_MUTUAL = re.compile(
    r"\b(?:and|y|e|with|con|meets?|met|married|casad[oa]|sisters?|brothers?|cousins?|friends?|herman[oa]s?|prim[oa]s?|amig[oa]s?)\b"
)
_COPULA = re.compile(
    r"\b(?:is|are|es|son|esta|estan|was|se llama|reports|trabaja|works|home|in|called|runs?|corren?|uses?|usa|came|comes|viene)"
    r"(?: (?:now|called|named|hosted|located|based|written|built|the name of|natural|nacid[oa]|born|directo|se llama))*"
    r"(?: (?:in|at|on|of|by|to|for|with|en|a|de|para|con|por|the|el|la|an?|un|una|dr))*$"
)
_CALLED = re.compile(r"\b(?:called|name|llama\w*|nombre|answers to)\b")
_SOME = re.compile(r"\b(?:has|have|tiene|tienen) (?:an?|un|una|some|otro|otra|another)\b")
_SINGLE = frozenset(("home", "manager", "birthday"))
"""Things of which a person has one at a time."""


def other_way_round(one: Claim, other: Claim) -> bool:
    """Whether both set the same two things in relation, the other way round."""
    mine, theirs = _compared(one), _compared(other)
    if mine and theirs:
        return mine[:2] == theirs[1::-1] and mine[2] == theirs[2]
    if any(_PASSIVE.search(each.folded) for each in (one, other)):
        return False
    agents, others = _agents(one), _agents(other)
    if agents:
        return agents == others[::-1]
    first, second = ([word.key for word in claim.words] for claim in (one, other))
    return (
        len(one.names) == 2
        and first != second
        and sorted(first) == sorted(second)
        and [key for key in first if key not in one.names] == [key for key in second if key not in one.names]
        and not _MUTUAL.search(one.folded)
    )


def _compared(claim: Claim) -> tuple[str, str, str] | None:
    """The thing that is set before another one, that one, and the way it is said."""
    if found := _THAN.search(claim.folded):
        left, right = _content(claim.folded[: found.start()]), _content(claim.folded[found.end() :])
        return (left[0], right[0], found["how"]) if left and right else None
    if (chosen := _PREFER.search(claim.folded)) and (found := _TO.search(claim.folded, chosen.end())):
        left, right = _content(claim.folded[: found.start()]), _content(claim.folded[found.end() :])
        return (left[-1], right[0], "") if left and right else None
    return None


def _content(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+", text)
    return [
        "\0" if word in _SELF else common_stem(word)
        for place, word in enumerate(words)
        if (word in _SELF and (word not in _ALSO_ARTICLES or place + 1 == len(words)))
        or (word not in ENGLISH and word not in SPANISH)
    ]


def _agents(claim: Claim) -> tuple[str, ...]:
    """Two names and the verb between them."""
    names = [place for place, word in enumerate(claim.words) if word.name]
    if len(names) == 2 and names[1] == names[0] + 2:
        return tuple(word.key for word in claim.words[names[0] : names[1] + 1])
    return ()


def another_name(one: Claim, other: Claim) -> bool:
    """Whether both give a name of what has one at a time, and not the same."""
    if _SOME.search(one.folded) or _SOME.search(other.folded):
        return False
    if (called := _called(one)) and (there := _called(other)):
        return called[0] == there[0] and called[1].isdisjoint(there[1])
    mine = [word for word in one.words if word.name and word.key not in other.keys]
    theirs = [word for word in other.words if word.name and word.key not in one.keys]
    shared = (one.keys & other.keys) - one.names
    if not mine or not theirs or not shared or any(word.denied for word in (*mine, *theirs)):
        return False
    if any(_same_head(one, other, key) for key in shared & _SINGLE):
        return True
    left = apart(one, other, names=False)
    if ONLY.search(one.folded) or ONLY.search(other.folded):
        return not all(left)
    before = [_preposition(claim, names[0]) for claim, names in ((one, mine), (other, theirs))]
    return not any(left) and before[0] is not None and before[0] == before[1]


def _called(claim: Claim) -> tuple[Set[str], Set[str]] | None:
    """The name that a claim gives, and the thing that it names."""
    keys = [word.key for word in claim.words]
    if "call" not in keys or not _CALLED.search(claim.folded):
        return None
    at = keys.index("call")
    return ({*keys[:at]}, {*keys[at + 1 :]}) if 0 < at < len(keys) - 1 else None


def _same_head(one: Claim, other: Claim, key: str) -> bool:
    heads = [{word.key for word in claim.until({key})} - VERBS_OF_VALUES for claim in (one, other)]
    return heads[0] == heads[1] or (key == "manager" and heads[0] | heads[1] <= {"lin"})


def _preposition(claim: Claim, word: Word) -> str | None:
    """The preposition before a name that is the value of what the claim is about; None where it is none."""
    at = re.search(rf"\b{re.escape(word.text)}\b", claim.folded)
    found = at and _COPULA.search(claim.folded[: at.start()].rstrip())
    if not found:
        return None
    last = found.group().split()[-1]
    return last if last in JOINS else ""
