"""Conclusions from sightings without a language model: what was stated and still holds, and what repeats."""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from strata.domain.knowledge.links import Compare, link_odds, sure_odds
from strata.domain.knowledge.patterns import FEWEST, Grouping, messages, patterns
from strata.domain.knowledge.recurrence import confidence, of_hours, repeated
from strata.domain.knowledge.statements import ENDED, Proposal, Sighting
from strata.domain.knowledge.succession import is_named, odds, told

RECENT = 30
"""The statements that a newer one is compared with, the newest that stand."""
SURE = 0.6
"""The least probability from which a value is taken alone."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least log odds by which a newer value is taken, or an older one falls.

    Attributes:
        taken: of the likeliest link and of the value itself, added up, from which a less probable value is taken, too.
        falls: of the likeliest link, from which the older value falls, though it is doubtful: an outdated value is
            believed, a missing one is told again.
    """

    taken: float
    falls: float


BY_WORDS = Thresholds(taken=-3.0, falls=-1.5)
"""Where words alone are compared."""
BY_READING = Thresholds(taken=-4.0, falls=-1.9)
"""Where statements are read beside each other: chosen by authors left out, and by people who change half of their
values."""


def conclude(
    sightings: Sequence[Sighting], grouping: Grouping | None = None, compare: Compare | None = None
) -> list[Proposal]:
    """The conclusions that follow from all sightings of one person, in any order; repeats count once.

    Of values that take each other's place the newest stands. A pattern shows on at least three days and in three
    sessions. Patterns are groups of messages where `grouping` is given and there are enough of them; else they are
    words that recur. Which value takes which one's place is told by their words, and by `compare` where it is given.

    The confidence is the mean of a Beta posterior, (support + a) / (support + against + a + b), where
    something stated begins at a = 3, b = 1, and what only repeats at a = 1, b = 1.
    """
    ordered = sorted(set(sightings), key=_order)
    by_subject: dict[str, list[Sighting]] = defaultdict(list)
    for each in ordered:
        if not (each.stated and each.single) and each.subject != ENDED:
            by_subject[each.subject].append(each)
    tastes = {subject: seen for subject, seen in by_subject.items() if seen[-1].stated}
    stated = (each for each in ordered if each.stated and (each.single or each.subject == ENDED))
    return [
        *_told_once(_untold(_standing(stated, compare), tastes.values())),
        *(_taste(subject, seen) for subject, seen in sorted(tastes.items())),
        *_patterns(ordered, by_subject, grouping),
    ]


def _patterns(
    ordered: Sequence[Sighting], by_subject: Mapping[str, Sequence[Sighting]], grouping: Grouping | None
) -> Iterator[Proposal]:
    said = messages(ordered) if grouping is not None else []
    if grouping is not None and len(said) >= FEWEST:
        yield from patterns(said, grouping, by_subject)
    else:
        yield from of_hours(by_subject)
        yield from repeated({subject: seen for subject, seen in by_subject.items() if not seen[-1].stated})


def _order(sighting: Sighting) -> tuple[int, str, str, str]:
    return sighting.at, sighting.source, sighting.quote, sighting.value


@dataclass(slots=True, eq=False)
class _Statement:
    """A value that stands, with every sighting of it; the newest tells it."""

    seen: list[Sighting]

    @property
    def newest(self) -> Sighting:
        return self.seen[-1]


class _Standing:
    """The values that nothing took the place of, the one that was told last at the end."""

    def __init__(self) -> None:
        self.statements: dict[_Statement, None] = {}
        self._of_value: dict[frozenset[str], list[_Statement]] = {}

    def recent(self, at: int) -> list[_Statement]:
        """The newest that were told before a moment, and those of it whose attribute is known."""
        newest = itertools.islice(reversed(self.statements), RECENT)
        return [each for each in newest if each.newest.at < at or is_named(each.newest)]

    def same(self, told_now: Sighting) -> _Statement | None:
        """The one of the same value: of one attribute, or of an attribute that only one of both names."""
        return next((each for each in self._of(told_now) if _may_be_one(each.newest, told_now)), None)

    def add(self, statement: _Statement) -> None:
        self.statements[statement] = None
        self._of_value.setdefault(told(statement.newest).value, []).append(statement)

    def remove(self, statement: _Statement) -> None:
        del self.statements[statement]
        self._of(statement.newest).remove(statement)

    def _of(self, sighting: Sighting) -> list[_Statement]:
        return self._of_value.get(told(sighting).value, [])


def _standing(stated: Iterable[Sighting], compare: Compare | None) -> Iterator[Proposal]:
    """The values that nothing took the place of.

    Args:
        stated: values that are stated, and those that ended, oldest first.
        compare: reads two statements; None where their words alone decide.
    """
    standing = _Standing()
    least = BY_WORDS if compare is None else BY_READING
    for each in stated:
        recent = standing.recent(each.at)
        if each.subject == ENDED:
            for one in recent:
                if told(one.newest).value <= told(each).value:
                    standing.remove(one)
            continue
        same = standing.same(each)
        links = _links([one for one in recent if one is not same], each, compare)
        likeliest = max(links.values(), default=-math.inf)
        if each.sure < SURE and likeliest + sure_odds(each) <= least.taken:
            continue
        for one, chance in links.items():
            if chance > 0 or chance == likeliest > least.falls:
                standing.remove(one)
        if same is not None:
            standing.remove(same)
        standing.add(_Statement([*(same.seen if same else ()), each]))
    for one in standing.statements:
        told_by = one.newest
        yield Proposal(
            told_by.subject, "explicit", told_by.says, confidence(len(one.seen), 0, 3), tuple(one.seen), ()
        )


def _untold(standing: Iterable[Proposal], tastes: Iterable[Sequence[Sighting]]) -> Iterator[Proposal]:
    """The values that no taste tells from the same message: those were only to take an older one's place."""
    known: dict[tuple[str, int], list[frozenset[str]]] = defaultdict(list)
    for each in itertools.chain.from_iterable(tastes):
        known[each.message, each.at].append(told(each).value)
    for one in standing:
        newest = one.support[-1]
        mine = told(newest).value
        values = known.get((newest.message, newest.at), ())
        if is_named(newest) or not any(value <= mine or mine <= value for value in values):
            yield one


def _told_once(proposals: Iterable[Proposal]) -> Iterable[Proposal]:
    """One proposal for each text: of two values in one sentence, the better supported one."""
    best: dict[str, Proposal] = {}
    for each in sorted(proposals, key=lambda one: (-one.confidence, one.subject)):
        best.setdefault(each.text.casefold(), each)
    return best.values()


def _may_be_one(older: Sighting, newer: Sighting) -> bool:
    return older.subject == newer.subject or is_named(older) != is_named(newer)


def takes_over(older: Sighting, newer: Sighting) -> bool:
    """Whether a newer value takes an older one's place for sure."""
    return odds(older, newer) > 0


def _links(older: Sequence[_Statement], newer: Sighting, compare: Compare | None) -> dict[_Statement, float]:
    """Log odds that a value takes the places of those that it may take."""
    alone = {one: odds(one.newest, newer) for one in older}
    links = {one: chance for one, chance in alone.items() if chance == math.inf}
    doubtful = {one: chance for one, chance in alone.items() if math.isfinite(chance)}
    weighed = link_odds(newer, [(one.newest, chance) for one, chance in doubtful.items()], compare)
    return links | dict(zip(doubtful, weighed, strict=True))


def _taste(subject: str, seen: list[Sighting]) -> Proposal:
    newest = seen[-1]
    support = tuple(each for each in seen if each.against == newest.against)
    against = tuple(each for each in seen if each.against != newest.against)
    return Proposal(
        subject, "explicit", newest.says, confidence(len(support), len(against), 3), support, against
    )
