"""Subjects that recur: what a person comes back to on different days."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from strata.domain.knowledge import wording
from strata.domain.knowledge.hours import day, own_hours
from strata.domain.knowledge.statements import Proposal, Sighting
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, SPANISH

DAYS = 3
"""The fewest days, each with a session of its own, on which something must show before it is a pattern."""
MOST = 200
"""The most subjects that are compared with each other, the most frequent first."""
SHARED = 0.6
"""The share of the smaller support from which two subjects are one."""

MOST_VALUES = 3
"""The most words that a conclusion names."""

RARE = 50
"""Of so many messages, one at least must mention a subject: who writes much repeats words by chance."""

_AGAINST = 3
"""Support must be this many times the counter-examples."""


@dataclass(slots=True)
class _Theme:
    subject: str
    values: list[str]
    support: tuple[Sighting, ...]
    against: tuple[Sighting, ...]
    messages: frozenset[tuple[int, str]]


def repeated(by_subject: Mapping[str, Sequence[Sighting]]) -> list[Proposal]:
    """The conclusions from subjects that recur; subjects that are mentioned together make one."""
    messages = len({(each.at, each.source) for seen in by_subject.values() for each in seen})
    themes = [theme for subject, seen in by_subject.items() if (theme := _theme(subject, seen))]
    themes = [theme for theme in themes if len(theme.support) * RARE >= messages]
    themes.sort(key=lambda theme: (-len(theme.support), theme.subject))
    kept: list[_Theme] = []
    for theme in themes[:MOST]:
        like = next((each for each in kept if _is_one(each, theme)), None)
        if like is None:
            kept.append(theme)
        else:
            like.against = tuple(dict.fromkeys((*like.against, *theme.against)))
            like.values += [value for value in theme.values if not _is_part(value, like.values)]
    return [_proposal(theme) for theme in kept]


def _theme(subject: str, seen: Sequence[Sighting]) -> _Theme | None:
    support = tuple(each for each in seen if not each.against)
    against = tuple(each for each in seen if each.against)
    if len(days(support)) < DAYS or len({each.source for each in support}) < DAYS:
        return None
    if len(against) * _AGAINST > len(support):
        return None
    messages = frozenset((each.at, each.source) for each in support)
    return _Theme(subject, [_phrase(support)], support, against, messages)


def of_hours(by_subject: Mapping[str, Sequence[Sighting]]) -> list[Proposal]:
    """The conclusions from times of day of the person's own at which the same is mentioned on two days or more."""
    seen = [each for of_one in by_subject.values() for each in of_one]
    found = []
    for hours in own_hours([each.at for each in seen]):
        inside: dict[str, list[Sighting]] = defaultdict(list)
        for each in seen:
            if each.at in hours.moments and not each.stated and not each.against:
                inside[each.subject].append(each)
        often = [of_one for of_one in inside.values() if len(days(of_one)) > 1]
        often.sort(key=lambda of_one: (-len(days(of_one)), of_one[0].subject))
        about = {each.at: each for of_one in reversed(often) for each in of_one}
        told_on = days(list(about.values()))
        for each in sorted((each for of_one in inside.values() for each in of_one), key=lambda each: each.at):
            if len(told_on) < DAYS and day(each.at) not in told_on:
                about[each.at] = each
                told_on.add(day(each.at))
        told = len({each.at for of_one in often for each in of_one})
        if often and told * 2 >= len(hours.moments) and len(told_on) >= DAYS:
            support = tuple(about[at] for at in sorted(about))
            values = [_phrase(of_one) for of_one in often[:MOST_VALUES]]
            text = wording.at_hours(
                hours.first, hours.last, len(days(support)), values, [each.quote for each in support]
            )
            subject = f"hours:{often[0][0].subject.partition(':')[2]}"
            found.append(Proposal(subject, "inductive", text, confidence(len(support), 0, 1), support, ()))
    return found


def days(seen: Sequence[Sighting]) -> set[int]:
    """The days (UTC) of sightings."""
    return {day(each.at) for each in seen}


def _is_one(larger: _Theme, smaller: _Theme) -> bool:
    shared = larger.messages & smaller.messages
    return len(shared) >= SHARED * len(smaller.messages) and len(shared) > 1


def _is_part(value: str, of: Sequence[str]) -> bool:
    return any(fold(value) in fold(other) for other in of)


def _phrase(support: Sequence[Sighting]) -> str:
    """The commonest form, with the words that stand beside it in most quotes: "slow cooker" for "cooker"."""
    value = Counter(each.value for each in support).most_common(1)[0][0]
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for each in support:
        found = re.search(rf"(?:(\w+) )?\b{re.escape(each.value)}\b((?:'s)? \w+)?", each.quote)
        if found:
            before[fold(found[1] or "")] += 1
            after[fold(found[2] or "").strip()] += 1
    first, last = (_neighbour(counted, len(support), support) for counted in (before, after))
    return " ".join(part for part in (first, value, last) if part)


def _neighbour(counted: Counter[str], of: int, support: Sequence[Sighting]) -> str:
    """The word that stands there in two quotes of three, as it was written; "" for none or a function word."""
    word, count = counted.most_common(1)[0] if counted else ("", 0)
    if count * 3 < of * 2 or word in ENGLISH | SPANISH or not word:
        return ""
    written = (found.group() for each in support for found in re.finditer(r"\w+", each.quote))
    return next((form for form in written if fold(form) == word), word)


def _proposal(theme: _Theme) -> Proposal:
    quotes = [each.quote for each in theme.support]
    return Proposal(
        theme.subject,
        "inductive",
        wording.mentioned(", ".join(theme.values[:MOST_VALUES]), len(days(theme.support)), quotes),
        confidence(len(theme.support), len(theme.against), 1),
        theme.support,
        theme.against,
    )


def confidence(support: int, against: int, prior: int) -> float:
    """The mean of a Beta posterior whose prior has `prior` successes and one failure."""
    return round((support + prior) / (support + against + prior + 1), 3)
