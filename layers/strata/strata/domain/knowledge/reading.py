"""From a person's messages to sightings: what they state of themselves, and the subjects that they touch."""

import re
from collections.abc import Iterator, Sequence

from strata.domain.facts.conflicts import fact_slot
from strata.domain.facts.found import FoundFact
from strata.domain.facts.patterns.finder import facts_in
from strata.domain.knowledge.common import common_stem, is_common
from strata.domain.knowledge.mentions import is_silent, mentions
from strata.domain.knowledge.stated import stated, stems, turns
from strata.domain.knowledge.statements import Said, Sighting
from strata.domain.text.analysis import words
from strata.domain.text.folding import fold

_ONE = r"\b(?:the|this|that|these|those|your|his|her|their|its|est[aeo]s?|es[aeo]s?|tus?|sus?|about [^,.]{1,40} and)"
_IT = r"(?:them|it|him|her|you|this|that|these|those|the|are|is|was|were|be|being|who|which)\b"
LONGEST = 20_000
"""The most characters of a message that is read for facts; a longer one was pasted."""

_TASTES = {"preference": False, "dislike": True}


def sightings(said: Sequence[Said]) -> list[Sighting]:
    """The sightings in these messages, in order; a message that is given twice counts once.

    Pure; the time is linear in the length of the text.
    """
    found: list[Sighting] = []
    for each in dict.fromkeys(said):
        told = list(_stated(each))
        found += [*told, *turns(each), *mentions(each, told)]
    return found


def _stated(said: Said) -> Iterator[Sighting]:
    framed = list(stated(said))
    found = facts_in(said.text) if len(said.text) <= LONGEST else []
    facts = [(subject, fact) for fact in found if (subject := _subject(fact))]
    for subject, fact in facts:
        like = next((each for each in framed if each.subject == subject or fact.value in each.value), None)
        if fact.category == "role" and "volunt" in fold(fact.basis):
            continue
        if fact.category == "place" and is_silent(fold(fact.value)):
            continue
        if fact.category in _TASTES and _is_of_one_thing(fact):
            continue
        if fact.category == "role" and like is None and any(each.value in fact.value for each in framed):
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
            changes=like is not None and like.changes,
            about=like.about if like else stems(fold(fact.basis)),
        )
    told = {fact.value for _, fact in facts}
    taken = {subject for subject, _ in facts}
    yield from (each for each in framed if each.subject not in taken and each.value not in told)


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
