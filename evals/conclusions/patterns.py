"""Fits the weights by which messages are grouped into patterns, and groups those of authors left out."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.conclusions.diaries import Diary
from evals.conclusions.measure import said
from evals.logistic import logistic
from strata.adapters.knowledge.patterns.groups import Group
from strata.adapters.knowledge.patterns.model import WEIGHTS, PairModel, embedded
from strata.adapters.knowledge.patterns.pairs import standard
from strata.adapters.knowledge.patterns.traits import Flags, Numbers, Traits, traits
from strata.domain.knowledge.patterns import Message, messages
from strata.domain.knowledge.statements import Sighting
from strata.ports.language import Embedder

FOLDS = 4
"""The authors are parted in so many."""
_TOGETHER = (1, 5)
"""Diaries are read alone, and so many by one author as if one person had written them: a long history."""
_AXES, _TO_DIAGONAL = 100, 0.1
"""The axes on which vectors are compared, and how far their covariance is moved to its diagonal."""
_DRAWN, _MOST_DRAWN = 20.0, 0.4
"""Of the pairs that show nothing so many a message are fitted to, and at most this share."""
_RIDGE_OF_KINDS, _RIDGE_OF_PAIRS, _RIDGE_OF_GROUPS = 100.0, 100.0, 20.0
_LARGE = frozenset(("project", "kinds"))
_DAY = 86_400_000_000

Places = NDArray[np.intp]
Weights = dict[str, Numbers]
Seen = Sequence[tuple[Diary, Sequence[Sighting]]]
Grown = tuple[Numbers, Numbers]
"""Features of groups, and whether each shows one pattern; nan for who shows those of two people."""


@dataclass(frozen=True, slots=True)
class History:
    """What somebody said in one diary, or in several.

    Attributes:
        fold: of the author.
        traits: of the messages.
        labels: of the messages: the diary and its pattern ("en07 p1"), or the first letter of another label.
        alone: whether it is one diary.
    """

    fold: int
    traits: Traits
    labels: Sequence[str]
    alone: bool

    @property
    def patterns(self) -> Sequence[str]:
        """The pattern of each message, "" for none."""
        return [each if " " in each else "" for each in self.labels]


def histories(seen: Seen, author: Callable[[Diary], int], embedder: Embedder) -> list[History]:
    """The diaries, alone and several of one author and language together."""
    by_author: dict[tuple[int, str], list[list[tuple[Message, str]]]] = {}
    for diary, sightings in seen:
        by_author.setdefault((author(diary), diary.language), []).append(_labelled(diary, sightings))
    return [
        _history(number % FOLDS, diaries[at : at + size], embedder)
        for (number, _), diaries in sorted(by_author.items())
        for size in _TOGETHER
        for at in range(0, len(diaries) + 1 - size, size)
    ]


def _labelled(diary: Diary, sightings: Sequence[Sighting]) -> list[tuple[Message, str]]:
    labels = {each.at: line.label for each, line in zip(said(diary), diary.lines, strict=True)}
    found = messages(sorted(sightings, key=lambda each: each.at))
    kinds = (labels[each.at].rstrip("x") for each in found)
    return [
        (each, f"{diary.id} {kind}" if kind[0] == "p" else kind[0])
        for each, kind in zip(found, kinds, strict=True)
    ]


def _history(fold: int, diaries: Sequence[list[tuple[Message, str]]], embedder: Embedder) -> History:
    """Diaries from the same day on."""
    told = [
        (replace(each, at=at, source=f"{at // _DAY}"), label)
        for diary in diaries
        for each, label in diary
        if (at := each.at - diary[0][0].at // _DAY * _DAY) >= 0
    ]
    told.sort(key=lambda each: each[0].at)
    found = [each for each, _ in told]
    return History(
        fold, traits(found, embedded(found, embedder)), [label for _, label in told], len(diaries) == 1
    )


def fit_patterns(known: Sequence[History]) -> Weights:
    """All weights. Groups are weighed as they grow for who does not know their author."""
    grown = [
        each
        for fold in _folds(known)
        for each in _grown(_pairs([one for one in known if one.fold != fold]), _of(known, fold))
    ]
    return _pairs(known) | _groups(grown)


def write(fitted: Weights) -> None:
    """Write the weights of the package."""
    short: dict[str, Any] = {
        name: each.astype(np.float16 if name in _LARGE else np.float32) for name, each in fitted.items()
    }
    np.savez_compressed(WEIGHTS, **short)


def left_out(known: Sequence[History]) -> Iterator[tuple[int, Weights]]:
    """For each fold of authors the weights that know none of them."""
    folds = _folds(known)
    grown: dict[tuple[int, int], list[Grown]] = {}
    for pair in combinations(folds, 2):
        fitted = _pairs([each for each in known if each.fold not in pair])
        for fold, other in (pair, pair[::-1]):
            grown[fold, other] = _grown(fitted, _of(known, fold))
    for fold in folds:
        others = [each for each in known if each.fold != fold]
        rows = [row for other in folds if other != fold for row in grown[other, fold]]
        yield fold, _pairs(others) | _groups(rows)


def _folds(known: Iterable[History]) -> list[int]:
    return sorted({each.fold for each in known})


def _of(known: Iterable[History], fold: int) -> list[History]:
    return [each for each in known if each.fold == fold]


def _grown(fitted: Weights, some: Iterable[History]) -> list[Grown]:
    model = PairModel(fitted)
    found = ((*model.grown(each.traits), each) for each in some)
    return [(features, _truth(each, groups)) for groups, features, each in found if groups]


def _truth(of: History, groups: Sequence[Group]) -> Numbers:
    found = []
    for group in groups:
        patterns = {of.patterns[place] for place in group}
        people = {each.split()[0] for each in patterns if each}
        found.append(np.nan if len(people) > 1 else float(len(patterns) == 1 and "" not in patterns))
    return np.array(found)


def _pairs(known: Sequence[History]) -> Weights:
    """The weights that compare two messages, for features by weights that don't know their authors."""
    alone = [each for each in known if each.alone]
    draw = np.random.default_rng(1)
    rows, truths = [], []
    for fold in _folds(known):
        base = _vectors([each for each in alone if each.fold != fold])
        unfitted = {"pair_mean": np.zeros(1), "pair_scale": np.ones(1), "pair_weights": np.zeros(1)}
        model = PairModel(base | unfitted | {"pair_bias": np.zeros(1)})
        for each in _of(known, fold):
            first, second = np.triu_indices(len(each.labels), 1)
            same, clear = _same(each, first, second)
            share = min(_MOST_DRAWN, _DRAWN / len(each.labels))
            taken = clear & (same | (draw.random(len(same)) < share))
            rows.append(model.features(each.traits)[first[taken], second[taken]])
            truths.append(same[taken].astype(float))
    features, truth = np.concatenate(rows), np.concatenate(truths)
    mean, scale = _scales(features)
    placed = standard(features, mean, scale)
    first, second = np.triu_indices(placed.shape[1])
    matrix = np.concatenate([placed, placed[:, first] * placed[:, second]], axis=1)
    bias, *weights = logistic(matrix, truth, np.ones(len(truth)), ridge=_RIDGE_OF_PAIRS)
    return _vectors(alone) | {
        "pair_mean": mean,
        "pair_scale": scale,
        "pair_weights": np.array(weights),
        "pair_bias": np.array([bias]),
    }


def _same(each: History, first: Places, second: Places) -> tuple[Flags, Flags]:
    """Of pairs, whether they show one pattern, and whether that is known: not of two people's patterns."""
    patterns = np.array(each.patterns)
    people = np.array([name.partition(" ")[0] for name in patterns])
    shown = (patterns[first] != "") & (patterns[second] != "")
    return shown & (patterns[first] == patterns[second]), ~shown | (people[first] == people[second])


def _scales(features: Numbers) -> tuple[Numbers, Numbers]:
    return features.mean(0), np.maximum(features.std(0), 1e-6)


def _groups(grown: Iterable[Grown]) -> Weights:
    """The weights of groups. Those of a long history count less, for they are many and much alike."""
    known = [
        (features[clear], truth[clear]) for features, truth in grown if (clear := ~np.isnan(truth)).any()
    ]
    features, truth = (np.concatenate(each) for each in zip(*known, strict=True))
    weighed = np.concatenate([np.full(len(each), 1 / np.sqrt(max(1, len(each)))) for _, each in known])
    mean, scale = _scales(features)
    bias, *weights = logistic(standard(features, mean, scale), truth, weighed, ridge=_RIDGE_OF_GROUPS)
    return {
        "group_mean": mean,
        "group_scale": scale,
        "group_weights": np.array(weights),
        "group_bias": np.array([bias]),
    }


def _vectors(alone: Sequence[History]) -> Weights:
    """What differences of vectors tell, and what a vector tells by itself."""
    vectors = np.concatenate([each.traits.vectors for each in alone])
    labels = np.array([label for each in alone for label in each.labels])
    center = vectors.mean(0)
    _, axes = np.linalg.eigh(np.cov(vectors.T))
    axes = axes[:, ::-1][:, :_AXES]
    placed = vectors @ axes
    within = np.zeros((_AXES, _AXES))
    freedom = 0
    for pattern in sorted({label for label in labels if " " in label}):
        of_one = placed[labels == pattern]
        apart = of_one - of_one.mean(0)
        within += apart.T @ apart
        freedom += len(of_one) - 1
    within /= freedom
    within += _TO_DIAGONAL * (np.diag(np.diag(within)) - within)
    sizes, turned = np.linalg.eigh(within)
    whitened = turned / np.sqrt(sizes)
    spread, turned = np.linalg.eigh(whitened.T @ np.cov(placed.T) @ whitened - np.eye(_AXES))
    project = axes @ whitened @ turned
    kinds = np.array(["p" if " " in label else label for label in labels])
    ones = np.ones(len(kinds))
    told = [logistic(placed, (kinds == kind) * 1.0, ones, ridge=_RIDGE_OF_KINDS) for kind in "pcn"]
    return {
        "project": project,
        "center": center @ project,
        "spread": np.maximum(spread, 0),
        "kinds": np.array([axes @ each[1:] for each in told]),
        "kinds_bias": np.array([each[0] for each in told]),
    }
