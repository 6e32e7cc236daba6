"""Groups of messages that may show a pattern, and how likely each does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from strata.adapters.knowledge.patterns.pairs import standard
from strata.adapters.knowledge.patterns.traits import OF_A_DAY, Held, Numbers, Traits
from strata.domain.knowledge.recurrence import DAYS

MOST = 7
"""The most messages of one group; what more there are makes a group of its own."""
_SEEDS = 3
"""Each message begins a group with so many others, the likeliest."""
_UNLIKELY = -7.0
"""No group grows by a message whose log odds with it are lower."""
_LARGER = 0.15
"""What a message more adds to the place of a group among those that overlap."""

Group = tuple[int, ...]


def candidates(of: Traits, odds: Numbers) -> list[Group]:
    """The groups of three to seven messages, on three days and in three sessions, that grow from pairs.

    A group takes the message whose log odds are best: their mean, and half of the lowest.
    """
    number = len(odds)
    near = odds.copy()
    np.fill_diagonal(near, -50)
    first = np.repeat(np.arange(number), _SEEDS)
    second = np.argsort(-near, axis=1, kind="stable")[:, :_SEEDS].ravel()
    members = np.stack([first, second], axis=1)
    total, lowest = near[first] + near[second], np.minimum(near[first], near[second])
    found: set[Group] = set()
    while members.shape[1] < MOST and len(members):
        fit = total / members.shape[1] + 0.5 * lowest
        np.put_along_axis(fit, members, -99, axis=1)
        best = fit.argmax(1)
        grows = fit.max(1) >= _UNLIKELY
        best = best[grows]
        members = np.concatenate([members[grows], best[:, None]], axis=1)
        total, lowest = total[grows] + near[best], np.minimum(lowest[grows], near[best])
        found |= {tuple(sorted(each)) for each in members.tolist()}
    return [each for each in sorted(found) if _is_spread(of, each)]


def _is_spread(of: Traits, group: Group) -> bool:
    days, sources = of.day[list(group)], {of.sources[place] for place in group}
    return len(set(days.tolist())) >= DAYS and len(sources) >= DAYS


def group_features(of: Traits, odds: Numbers, kinds: Numbers, found: Sequence[Group]) -> Numbers:
    """What tells of a group: (groups, features).

    Args:
        of: the messages.
        odds: of all pairs of them: (messages, messages).
        kinds: what each tells by itself: (messages, 3).
        found: the groups.
    """
    cosines = of.vectors @ of.vectors.T
    return np.array(
        [
            [
                *_odds(odds, list(each)),
                *_times(of, list(each)),
                *_things(of.words, list(each)),
                *_things(of.topics, list(each)),
                *_members(of, cosines, kinds, list(each)),
            ]
            for each in found
        ]
    )


def _odds(odds: Numbers, group: list[int]) -> Iterator[float]:
    """How likely its pairs are, and how much likelier than pairs with other messages."""
    inside = odds[np.ix_(group, group)]
    pairs = np.sort(inside[np.triu_indices(len(group), 1)])
    means = inside.sum(1) / (len(group) - 1)
    others = np.delete(odds[group], group, axis=1)
    left_out = np.sort(others.mean(0))[::-1]
    np.fill_diagonal(inside, -99)
    best = inside.max(1)
    ahead = best - others.max(1)
    second = np.sort(inside, axis=1)[:, -2]
    yield from (pairs.mean(), pairs[0], pairs[1], np.median(pairs), pairs[-1], means.min(), means.max())
    yield from (left_out[0], left_out[1], means.min() - left_out[0], pairs.mean() - left_out[0])
    yield from (ahead.min(), ahead.mean(), (ahead > 0).mean(), best.min(), second.min(), second.mean())


def _times(of: Traits, group: list[int]) -> Iterator[float]:
    """The days and the time of day, and how many other messages are of that time."""
    days = np.unique(of.day[group])
    minutes = np.sort(of.minute[group])
    gaps = np.diff(np.append(minutes, minutes[0] + OF_A_DAY))
    widest = int(gaps.argmax())
    lasts, begins = OF_A_DAY - gaps[widest], minutes[(widest + 1) % len(minutes)]
    beside = int(((of.minute - begins) % OF_A_DAY <= lasts).sum()) - len(group)
    yield from (len(group), len(days), np.log1p(np.ptp(days)), float(np.ptp(np.diff(days)) == 0))
    yield from (np.log1p(lasts), beside / len(of.minute), beside / len(group))


def _things(held: Held, group: list[int]) -> Iterator[float]:
    """The best words, or topics, that two of its messages share: how many have it, and how few others."""
    have = (held.much[group] > 0).sum(0)
    shared = have > 1
    share = have / len(group)
    yield (share * held.rarity)[shared].max(initial=0)
    yield (share * held.rarity * have / held.common)[shared].max(initial=0)
    yield share[shared].max(initial=0)


def _members(of: Traits, cosines: Numbers, kinds: Numbers, group: list[int]) -> Iterator[float]:
    """How alike its messages are by vectors, how long, and what each tells by itself."""
    alike = cosines[np.ix_(group, group)][np.triu_indices(len(group), 1)]
    pattern, change, nothing = kinds[group].T
    stated = of.stated[group]
    yield from (alike.mean(), alike.min(), np.log1p(of.length[group].mean()), np.log(len(of.minute)))
    yield from (pattern.mean(), pattern.min(), change.mean(), *np.sort(change)[-2:])
    yield from (nothing.mean(), nothing.max(), (stated > 0.5).mean(), stated.mean())


@dataclass(frozen=True, slots=True)
class Linear:
    """A logistic regression.

    Attributes:
        mean, scale: of each feature.
        weights: of each feature.
        bias: the log odds without any.
    """

    mean: Numbers
    scale: Numbers
    weights: Numbers
    bias: float

    def __call__(self, features: Numbers) -> Numbers:
        """Log odds of each row: (rows, features) to (rows,)."""
        found: Numbers = standard(features, self.mean, self.scale) @ self.weights + self.bias
        return found


def chosen(found: Sequence[Group], odds: Numbers, least: float) -> Iterator[tuple[Group, float]]:
    """The likeliest groups of which no two share a message, with their log odds, from `least` on."""
    taken: set[int] = set()
    places = [-(chance + _LARGER * len(each)) for each, chance in zip(found, odds, strict=True)]
    for _, each, chance in sorted(zip(places, found, odds, strict=True)):
        if chance >= least and taken.isdisjoint(each):
            taken |= {*each}
            yield each, float(chance)
