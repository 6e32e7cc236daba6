"""From a person's messages to sightings: what they state of themselves, and the subjects that they touch."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from strata.domain.facts.conflicts import fact_slot
from strata.domain.facts.found import FoundFact
from strata.domain.facts.patterns.finder import facts_in
from strata.domain.knowledge.mentions import is_silent, mentions
from strata.domain.knowledge.stated import LONGEST as LONGEST_MESSAGE
from strata.domain.knowledge.stated import Tagger, own_words, stated
from strata.domain.knowledge.statements import ENDED, Said, Sighting
from strata.domain.text.analysis import words
from strata.domain.text.common import common_stem, is_common
from strata.domain.text.folding import fold

_ONE = r"\b(?:the|this|that|these|those|your|his|her|their|its|est[aeo]s?|es[aeo]s?|tus?|sus?|about [^,.]{1,40} and)"
_IT = r"(?:them|it|him|her|you|this|that|these|those|the|are|is|was|were|be|being|who|which)\b"
LONGEST = 20_000
"""The most characters of a message that is read for facts; a longer one was pasted."""

_DOUBTFUL = 0.8
"""Words of a value that is no surer than this may recur as well."""
_TASTES = {"preference": False, "dislike": True}


def sightings(said: Sequence[Said], tagger: Tagger) -> list[Sighting]:
    """The sightings in these messages, in order; a message that is given twice counts once.

    The time is linear in the length of the text.

    Raises:
        ModelFailed: the tagger lacks its weights.
    """
    found: list[Sighting] = []
    for each in dict.fromkeys(said):
        told = list(_stated(each, tagger))
        found += [*told, *mentions(each, [one for one in told if one.sure > _DOUBTFUL])]
    return found


def _stated(said: Said, tagger: Tagger) -> Iterator[Sighting]:
    """Facts, and the other values that are stated: a fact has an attribute, and a sentence that says it.

    A value that is told as a change is stated beside a fact of which there may be many ("I use Emacs instead of Vim"):
    only so it takes an older one's place.
    """
    values = list(stated(said, tagger))
    facts = list(_facts(said))
    for fact in facts:
        like = next(
            (each for each in values if each.subject != ENDED and _overlap(each.value, fact.value)), None
        )
        yield fact if like is None else replace(fact, changes=like.changes)
    for each in values:
        same = [fact for fact in facts if _overlap(each.value, fact.value)]
        if each.subject == ENDED or not any(fact.single or not each.changes for fact in same):
            yield each


def _overlap(one: str, other: str) -> bool:
    first, second = set(words(one)), set(words(other))
    return first <= second or second <= first


def _facts(said: Said) -> Iterator[Sighting]:
    found = facts_in(said.text) if len(said.text) <= LONGEST else []
    for fact in found:
        subject = _subject(fact)
        if (
            not subject
            or (fact.category == "role" and "volunt" in fold(fact.basis))
            or (fact.category == "place" and is_silent(fold(fact.value)))
            or (fact.category in _TASTES and _is_of_one_thing(fact))
        ):
            continue
        yield Sighting(
            subject,
            fact.value,
            single=":" not in subject,
            against=_TASTES.get(fact.category, False),
            stated=True,
            quote=fact.basis,
            at=said.at,
            source=said.source,
            says=fact.fact,
            message=own_words(said.text) if len(said.text) <= LONGEST_MESSAGE else fact.basis,
        )


def _is_of_one_thing(fact: FoundFact) -> bool:
    """Whether a taste is of one thing at hand: "I love the colour of it", "I like watching them"."""
    value = re.escape(fold(fact.value))
    if is_common(fold(fact.value), spanish=False):
        return True
    return (
        re.search(rf"{_ONE} (?:[\w-]+,? ){{0,4}}{value}\b|\b{value} (?:\w+ )?{_IT}", fold(fact.basis))
        is not None
    )


def _subject(fact: FoundFact) -> str:
    if fact.category == "date":
        return ""
    if fact.category in _TASTES:
        if fact.fact.startswith(("Wants", "Quiere", "No quiere")):
            return ""
        kind = "uses" if fact.fact.startswith(("Uses", "Usa")) else "likes"
        return f"{kind}:{' '.join(sorted(map(common_stem, words(fact.value))))}"
    if fact.category == "role":
        return "work" if fact.fact.startswith(("Works at", "Works for", "Trabaja en")) else "role"
    return fact_slot(fact) or fact.category
