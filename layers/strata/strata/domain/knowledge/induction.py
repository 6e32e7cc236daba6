"""Conclusions from sightings without a language model: what was stated, and what repeats."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from strata.domain.knowledge import wording
from strata.domain.knowledge.statements import Proposal, Sighting

DAYS = 3
"""The fewest days, each with a session of its own, on which something must show before it is a pattern."""

_DAY = 86_400_000_000


def conclude(sightings: Sequence[Sighting]) -> list[Proposal]:
    """The conclusions that follow from all sightings of one person, in any order; repeats count once.

    Of a subject with one value at a time the newest stands. A pattern shows on at least three days and in
    three sessions.

    The confidence is the mean of a Beta posterior, (support + a) / (support + against + a + b), where
    something stated begins at a = 3, b = 1 and what only repeats at a = 1, b = 1.
    """
    by_subject: dict[str, list[Sighting]] = defaultdict(list)
    for each in sorted(set(sightings), key=_order):
        by_subject[each.subject].append(each)
    found = [
        proposal
        for subject, of_one in sorted(by_subject.items())
        for proposal in (_stated(subject, of_one) if of_one[-1].stated else _repeated(subject, of_one))
    ]
    return found


def _order(sighting: Sighting) -> tuple[int, str, str, str]:
    return sighting.at, sighting.source, sighting.quote, sighting.value


def _stated(subject: str, seen: list[Sighting]) -> Iterable[Proposal]:
    newest = seen[-1]
    support = [
        each
        for each in seen
        if each.against == newest.against
        and (not newest.single or each.value.casefold() == newest.value.casefold())
    ]
    against = [] if newest.single else [each for each in seen if each.against != newest.against]
    text = wording.stated(subject, newest.value, [newest.quote], against=newest.against)
    yield Proposal(
        subject, "explicit", text, _confidence(len(support), len(against), 3), tuple(support), tuple(against)
    )


def _repeated(subject: str, seen: list[Sighting]) -> Iterable[Proposal]:
    support = [each for each in seen if not each.against]
    against = [each for each in seen if each.against]
    days = len({each.at // _DAY for each in support})
    if days < DAYS or len({each.source for each in support}) < DAYS or len(against) * 2 > len(support):
        return
    value = Counter(each.value for each in support).most_common(1)[0][0]
    text = wording.mentioned(value, days, [each.quote for each in support])
    yield Proposal(
        subject, "inductive", text, _confidence(len(support), len(against), 1), tuple(support), tuple(against)
    )


def _confidence(support: int, against: int, prior: int) -> float:
    return round((support + prior) / (support + against + prior + 1), 3)
