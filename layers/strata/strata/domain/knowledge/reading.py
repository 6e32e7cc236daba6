"""From a person's messages to sightings: what they state of themselves, and the subjects that they touch."""

from collections.abc import Iterator, Sequence

from strata.domain.facts.conflicts import fact_slot
from strata.domain.facts.found import FoundFact
from strata.domain.facts.patterns.finder import facts_in
from strata.domain.knowledge.mentions import common_stem, mentions
from strata.domain.knowledge.statements import Said, Sighting
from strata.domain.text.analysis import words

_TASTES = {"preference": False, "dislike": True}


def sightings(said: Sequence[Said]) -> list[Sighting]:
    """The sightings in these messages, in order; a message that is given twice counts once.

    Pure; the time is linear in the length of the text.
    """
    return [found for each in dict.fromkeys(said) for found in (*_stated(each), *mentions(each))]


def _stated(said: Said) -> Iterator[Sighting]:
    for fact in facts_in(said.text):
        if fact.category == "date":
            continue
        subject = _subject(fact)
        yield Sighting(
            subject,
            fact.value,
            ":" not in subject,
            _TASTES.get(fact.category, False),
            True,
            fact.basis,
            said.at,
            said.source,
        )


def _subject(fact: FoundFact) -> str:
    if fact.category in _TASTES:
        kind = (
            "uses"
            if fact.fact.startswith("Uses ")
            else "wants"
            if fact.fact.startswith("Wants ")
            else "likes"
        )
        return f"{kind}:{' '.join(sorted(map(common_stem, words(fact.value))))}"
    return fact_slot(fact) or fact.category
