"""Conclusions from sightings without a language model: what was stated and still holds, and what repeats."""

import itertools
import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from strata.domain.knowledge.links import SURE, Compare, link_odds, sure_odds
from strata.domain.knowledge.patterns import FEWEST, Grouping, messages, patterns
from strata.domain.knowledge.recurrence import confidence, of_hours, repeated
from strata.domain.knowledge.statements import ENDED, Proposal, Sighting
from strata.domain.knowledge.succession import is_named, odds, told

RECENT = 30
"""The statements that a newer one is compared with, the newest that stand."""
FAINT = 0.03
"""The least probability of a value that is not read beside others."""
MOST_DOUBTFUL = 150
"""The doubtful values that are read beside others, the newest ones: they take some 14 seconds of a processor."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least log odds by which a newer value is taken, or an older one falls.

    Attributes:
        taken: of the likeliest link, from which a doubtful value is taken, too; by words alone the log odds of the
            value itself are added.
        falls: of the likeliest link, from which the older value falls, though it is doubtful: an outdated value is
            believed, a missing one is told again.
    """

    taken: float
    falls: float


BY_WORDS = Thresholds(taken=-3.0, falls=-1.5)
"""Where words alone are compared."""
BY_READING = Thresholds(taken=0.0, falls=-1.9)
"""Where statements are read beside each other: `taken` chosen by diaries of unknown authors, `falls` by authors left
out and by people who change half of their values."""


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
    stated = [each for each in ordered if each.stated and (each.single or each.subject == ENDED)]
    standing = _by_words(stated) if compare is None else _by_reading(stated, compare)
    return [
        *_told_once(_untold(standing, tastes.values())),
        *(_taste(subject, seen) for subject, seen in sorted(tastes.items())),
        *_patterns([each for each in ordered if each.sure >= FAINT], by_subject, grouping),
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

    def others(self, told_now: Sighting) -> list[_Statement]:
        """The recent ones of another value."""
        same = self.same(told_now)
        return [one for one in self.recent(told_now.at) if one is not same]

    def end(self, ended: Sighting) -> None:
        """Let the recent ones fall whose value no longer holds."""
        for one in self.recent(ended.at):
            if told(one.newest).value <= told(ended).value:
                self._remove(one)

    def tell(self, told_now: Sighting, fallen: Iterable[_Statement]) -> None:
        """Let a value stand that takes the places of others; those that never stood change nothing."""
        same = self.same(told_now)
        for one in fallen:
            if one in self.statements:
                self._remove(one)
        if same is not None:
            self._remove(same)
        statement = _Statement([*(same.seen if same else ()), told_now])
        self.statements[statement] = None
        self._of_value.setdefault(told(told_now).value, []).append(statement)

    def proposals(self) -> Iterator[Proposal]:
        """The conclusions that these values stand for."""
        for one in self.statements:
            newest, support = one.newest, tuple(one.seen)
            sure = confidence(len(support), 0, 3)
            yield Proposal(newest.subject, "explicit", newest.says, sure, support, ())

    def _remove(self, statement: _Statement) -> None:
        del self.statements[statement]
        self._of(statement.newest).remove(statement)

    def _of(self, sighting: Sighting) -> list[_Statement]:
        return self._of_value.get(told(sighting).value, [])


def _by_words(stated: Iterable[Sighting]) -> Iterator[Proposal]:
    """The values that nothing took the place of, by their words alone.

    Args:
        stated: values that are stated, and those that ended, oldest first.
    """
    standing = _Standing()
    for each in stated:
        if each.subject == ENDED:
            standing.end(each)
            continue
        links = _links(standing.others(each), each, None)
        likeliest = max(links.values(), default=-math.inf)
        if each.sure >= SURE or (each.sure >= FAINT and likeliest + sure_odds(each) > BY_WORDS.taken):
            standing.tell(each, _fallen(links, BY_WORDS))
    return standing.proposals()


def _by_reading(stated: Sequence[Sighting], compare: Compare) -> Iterator[Proposal]:
    """The same by a model that reads two statements.

    A doubtful value is taken if it takes an older one's place, also that of a doubtful one that never stood: two
    messages that tell two values of one thing make each other likelier.
    """
    standing = _Standing()
    waiting: deque[_Statement] = deque(maxlen=RECENT)
    doubtful = [each for each in stated if each.sure < SURE and each.subject != ENDED]
    unread = {*doubtful[:-MOST_DOUBTFUL]}
    for each in stated:
        if each.subject == ENDED:
            standing.end(each)
            continue
        if each in unread:
            continue
        others = standing.others(each)
        if each.sure >= SURE:
            standing.tell(each, _fallen(_links(others, each, compare), BY_READING))
            continue
        links = _links([*others, *(one for one in waiting if one.newest.at < each.at)], each, compare)
        likeliest = max(links, key=links.__getitem__, default=None)
        if likeliest is None or links[likeliest] <= BY_READING.taken:
            waiting.append(_Statement([each]))
            continue
        if likeliest in waiting:
            waiting.remove(likeliest)
        standing.tell(each, [likeliest])
    return standing.proposals()


def _fallen(links: Mapping[_Statement, float], least: Thresholds) -> list[_Statement]:
    """The older values whose places a newer one takes, by the log odds of each."""
    likeliest = max(links.values(), default=-math.inf)
    return [one for one, chance in links.items() if chance > 0 or chance == likeliest > least.falls]


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
