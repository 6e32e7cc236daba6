"""Conclusions from sightings without a language model: what was stated, and what repeats."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from strata.domain.knowledge import wording
from strata.domain.knowledge.common import common_stem
from strata.domain.knowledge.mentions import is_silent
from strata.domain.knowledge.recurrence import confidence, of_hours, repeated
from strata.domain.knowledge.statements import Proposal, Sighting
from strata.domain.text.analysis import words

_PLACES = frozenset({"in", "at", "en"})
_PLACED = frozenset({"home", "work"})
"""A change that tells where a person is from now on may be one of home or of work."""


def conclude(sightings: Sequence[Sighting]) -> list[Proposal]:
    """The conclusions that follow from all sightings of one person, in any order; repeats count once.

    Of a subject with one value at a time the newest stands, unless a change that was told later names its
    attribute or its value. A pattern shows on at least three days and in three sessions.

    The confidence is the mean of a Beta posterior, (support + a) / (support + against + a + b), where
    something stated begins at a = 3, b = 1 and what only repeats at a = 1, b = 1.
    """
    by_subject: dict[str, list[Sighting]] = defaultdict(list)
    changes: dict[str, list[Sighting]] = defaultdict(list)
    for each in sorted(set(sightings), key=_order):
        by_subject[each.subject].append(each)
        for key in each.about if each.changes else ():
            changes[key].append(each)
        if each.changes and each.subject.partition(" ")[0] in _PLACES:
            changes[""].append(each)
    return [
        *(
            proposal
            for subject, seen in sorted(by_subject.items())
            if seen[-1].stated
            for proposal in _stated(subject, seen, changes)
        ),
        *of_hours(by_subject),
        *repeated({subject: seen for subject, seen in by_subject.items() if not seen[-1].stated}),
    ]


def _order(sighting: Sighting) -> tuple[int, str, str, str]:
    return sighting.at, sighting.source, sighting.quote, sighting.value


def _stated(subject: str, seen: list[Sighting], changes: Mapping[str, list[Sighting]]) -> Iterable[Proposal]:
    newest = seen[-1]
    if _has_ended(newest, changes):
        return
    support = [
        each
        for each in seen
        if each.against == newest.against
        and (not newest.single or each.value.casefold() == newest.value.casefold())
    ]
    against = [] if newest.single else [each for each in seen if each.against != newest.against]
    yield Proposal(
        subject,
        "explicit",
        wording.stated(newest.says, newest.quote),
        confidence(len(support), len(against), 3),
        tuple(support),
        tuple(against),
    )


def _has_ended(old: Sighting, changes: Mapping[str, list[Sighting]]) -> bool:
    """Whether a later change ends this statement.

    It does if it names the value, a name, that was stated. A statement that was no change itself also ends if the
    change names its attribute, or tells of another place to be at, or has no attribute and is about the same.
    """
    value = {common_stem(word) for word in words(old.value) if not is_silent(word)}
    if value and old.value != old.value.lower():
        for new in changes.get(min(value), ()):
            if new.at > old.at and value <= set(new.about) and new.subject != old.subject:
                return True
    verb, _, of_verb = old.subject.partition(" ")
    if old.changes and not of_verb:
        return False
    keys = old.about if old.changes else (*old.about, old.subject, *([""] if old.subject in _PLACED else []))
    for key in keys:
        for new in changes.get(key, ()):
            vague = " " in new.subject and (not old.changes or new.subject.partition(" ")[0] == verb)
            if new.at > old.at and (vague or key == old.subject):
                return True
    return False
