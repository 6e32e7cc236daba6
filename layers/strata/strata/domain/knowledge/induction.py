"""Conclusions from sightings without a language model: what was stated, and what repeats."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from strata.domain.knowledge.common import common_stem
from strata.domain.knowledge.mentions import is_silent
from strata.domain.knowledge.recurrence import confidence, of_hours, repeated
from strata.domain.knowledge.statements import TURNED, Proposal, Sighting
from strata.domain.text.analysis import words
from strata.domain.text.folding import fold

RECENT = 50
"""The most changes with a word in common that are compared with a statement, the newest."""
SHORT = 120
"""The most characters of a message that tells what took the place of something."""
_PLACES = frozenset({"in", "at", "en", "with"})
_PLACED = frozenset({"home", "work"})
"""A change that tells where a person is from now on may be one of home or of work."""


def conclude(sightings: Sequence[Sighting]) -> list[Proposal]:
    """The conclusions that follow from all sightings of one person, in any order; repeats count once.

    Of a subject with one value at a time the newest stands, unless a change that was told later names its
    attribute or its value. A pattern shows on at least three days and in three sessions.

    The confidence is the mean of a Beta posterior, (support + a) / (support + against + a + b), where
    something stated begins at a = 3, b = 1, what took its place by a vaguer message at a = 2, b = 1, and what only
    repeats at a = 1, b = 1.
    """
    by_subject: dict[str, list[Sighting]] = defaultdict(list)
    changes: dict[str, list[Sighting]] = defaultdict(list)
    for each in sorted(set(sightings), key=_order):
        by_subject[each.subject].append(each)
        for key in each.about if each.changes else ():
            changes[key].append(each)
        if each.changes and each.subject.partition(" ")[0] in _PLACES:
            changes[""].append(each)
    stated = {subject: seen for subject, seen in by_subject.items() if seen[-1].stated and subject != TURNED}
    return [
        *(
            proposal
            for subject, seen in sorted(stated.items())
            for proposal in _stated(subject, seen, changes)
        ),
        *of_hours(by_subject),
        *repeated({subject: seen for subject, seen in by_subject.items() if not seen[-1].stated}),
    ]


def _order(sighting: Sighting) -> tuple[int, str, str, str]:
    return sighting.at, sighting.source, sighting.quote, sighting.value


def _stated(subject: str, seen: list[Sighting], changes: Mapping[str, list[Sighting]]) -> Iterable[Proposal]:
    newest = seen[-1]
    if ended := _ending(newest, changes):
        if ended.subject == TURNED and _replaces(ended, newest):
            yield Proposal(subject, "explicit", ended.says, confidence(1, 0, 2), (ended,), ())
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
        newest.says,
        confidence(len(support), len(against), 3),
        tuple(support),
        tuple(against),
    )


def _ending(old: Sighting, changes: Mapping[str, list[Sighting]]) -> Sighting | None:
    """The last change that ends this statement.

    It does if it names the value, a name, that was stated. A statement that was no change itself also ends if the
    change names its attribute, or tells of another place to be at, or has no attribute and is about the same.
    """
    if not old.single:
        return None
    ending = None
    verb, _, of_verb = old.subject.partition(" ")
    value = {common_stem(word) for word in words(old.value) if not is_silent(word)}
    keys = {old.subject, *value}
    if not old.changes or of_verb:
        keys |= {*old.about, *([""] if old.subject in _PLACED else [])}
    for key in keys:
        for new in changes.get(key, ())[-RECENT:]:
            if new.at <= old.at or new.subject == old.subject or (ending and new.at <= ending.at):
                continue
            named = not old.changes and old.value != old.value.lower() and value and value <= set(new.about)
            vague = " " in new.subject and (not old.changes or new.subject.partition(" ")[0] == verb)
            if named or (not old.changes and key == old.subject) or vague:
                ending = new
    return ending


def _replaces(new: Sighting, old: Sighting) -> bool:
    """Whether a short message about an old value, a name, also has another name."""
    if old.value == old.value.lower() or len(new.quote) > SHORT:
        return False
    names = re.findall(r"\b[^\W\d_a-z][\w'-]*|\b\d[\w-]*", new.quote)
    return any(fold(name) not in fold(old.value) and not is_silent(fold(name)) for name in names)
