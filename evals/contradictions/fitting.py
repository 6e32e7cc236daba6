"""Fits the weights of contradictions to the pairs, and judges each part by weights from the others.

Notes of different pairs hardly ever contradict each other. Those that are most alike, and some others,
count a little each, so that a denial or another length alone is no sign.
"""

import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np

from evals.contradictions.measure import DEVELOPMENT, LANGUAGES, Judged, Pair, load
from evals.entities.marked import hash_of
from evals.logistic import Floats, logistic
from strata.domain.contradictions import exclusions
from strata.domain.contradictions import weights as shipped
from strata.domain.contradictions.claims import Claim, read
from strata.domain.contradictions.decide import LIKELY, Weights, is_plain, likelihood
from strata.domain.contradictions.evidence import FITTED, Evidence, evidence

RECORD = Path(__file__).with_name("fitted.json")
"""The file that tells which pairs the weights in the package were fitted to."""
PRECISE = 0.90
"""The share of right ones, over authors left out, that the likelihood of the package is chosen for."""
_RIDGE, _UNRELATED = 33.0, 0.1
_NEAREST, _DRAWN = 4, 2
"""So many notes of other pairs are set beside each one."""
_SMOOTHED, _PAIRS = 3, 180_000
"""In so many pairs of unrelated notes each attribute is taken to tell so many apart beyond the count."""


@dataclass(frozen=True)
class Part:
    """The pairs of an author."""

    pairs: Sequence[Pair]

    @cached_property
    def claims(self) -> list[tuple[Claim, Claim]]:
        """Both notes of each pair."""
        return [
            (read(each.first, each.said_first), read(each.second, each.said_second)) for each in self.pairs
        ]

    @cached_property
    def unrelated(self) -> list[tuple[Claim, Claim]]:
        """Notes of two pairs, of one language."""
        draw = random.Random(5)
        found: dict[tuple[int, int], tuple[Claim, Claim]] = {}
        for notes in self._notes:
            for at, (place, one) in enumerate(notes):
                nearest = sorted(range(len(notes)), key=lambda to: -_likeness(one, notes[to][1]))
                for to in (*nearest[: _NEAREST + 2], *draw.sample(range(len(notes)), _DRAWN)):
                    if notes[to][0] != place:
                        found[min(at, to), max(at, to)] = one, notes[to][1]
        return list(found.values())

    @cached_property
    def apart(self) -> Counter[str]:
        """How often each attribute tells notes of two pairs apart; under no name, the number of these."""
        found: Counter[str] = Counter()
        for notes in self._notes:
            found[""] += len(notes) * (len(notes) - 1) // 2
            classes: dict[str, list[tuple[int, frozenset[str]]]] = {}
            for place, claim in notes:
                for attribute, signs in claim.signs.items():
                    classes.setdefault(attribute, []).append((place, frozenset(signs)))
            for attribute, told in classes.items():
                found[attribute] += sum(
                    one != other and mine.isdisjoint(theirs)
                    for (one, mine), (other, theirs) in combinations(told, 2)
                )
        return found

    @property
    def _notes(self) -> list[list[tuple[int, Claim]]]:
        """The notes of each language with the places of their pairs."""
        placed = list(enumerate(zip(self.pairs, self.claims, strict=True)))
        return [
            [
                (place, claim)
                for place, (pair, claims) in placed
                if pair.language == language
                for claim in claims
            ]
            for language in LANGUAGES
        ]


def fit(path: Path = Path(shipped.__file__)) -> str:
    """Fit to all parts for development, and write the weights. Returns what they were fitted to."""
    written = _parts()
    weights = fitted(list(written.values()))
    judged = [each for part in folds_of(written).values() for each in part]
    path.write_text(_module(weights, threshold(judged, PRECISE)), encoding="ascii")
    RECORD.write_text(json.dumps(record(written), indent=2) + "\n", encoding="ascii")
    return RECORD.read_text(encoding="ascii")


def record(written: Mapping[str, Part] | None = None) -> dict[str, object]:
    """Digests of the pairs, of the table and of what is taken from some pairs: they tell of a missing fit."""
    pairs = [each for part in (written or _parts()).values() for each in part.pairs]
    some = [evidence(read(each.first), read(each.second), lambda _: 1.0) for each in pairs[::10]]
    return {
        "pairs": len(pairs),
        "digest": hash_of(pairs),
        "table": hash_of(exclusions.TABLE.read_text("utf-8")),
        "evidence": hash_of([each and sorted(each.numbers.items()) for each in some]),
    }


def folds_of(written: Mapping[str, Part]) -> dict[str, list[tuple[Pair, float]]]:
    """The likelihood of each pair by weights that know no pair of its part."""
    found = {}
    for name, part in written.items():
        weights = fitted([other for other in written.values() if other is not part])
        judged = zip(part.pairs, part.claims, strict=True)
        found[name] = [(pair, likelihood(*claims, weights)) for pair, claims in judged]
    return found


def folds() -> dict[str, list[tuple[Pair, float]]]:
    """The same of all parts for development."""
    return folds_of(_parts())


def threshold(judged: Sequence[tuple[Pair, float]], precision: float) -> float:
    """The lowest likelihood, in hundredths, from which on this share contradicts; 1 without one."""
    for hundredth in range(100):
        given = [pair.label == "contradicts" for pair, likely in judged if likely >= hundredth / 100]
        if given and sum(given) / len(given) >= precision:
            return hundredth / 100
    return 1.0


def labelled(judged: Iterable[tuple[Pair, float]], *, alone: bool = False) -> list[Judged]:
    """The pairs as contradictions where they are likely; `alone`: where they are plain, too."""

    def given(pair: Pair, likely: float) -> str:
        plain = is_plain(read(pair.first, pair.said_first), read(pair.second, pair.said_second))
        return "contradicts" if likely >= LIKELY and (plain or not alone) else "differs"

    return [Judged(pair, given(pair, likely)) for pair, likely in judged]


def fitted(written: Sequence[Part]) -> Weights:
    """The weights from some parts."""
    apart = sum((part.apart for part in written), Counter[str]())
    scale = _PAIRS / apart.pop("")
    rarity = {
        name: round(-math.log((count * scale + _SMOOTHED) / _PAIRS), 3)
        for name, count in sorted(apart.items())
        if count
    }
    usual = round(-math.log(_SMOOTHED / _PAIRS), 3)
    weights = Weights({}, rarity, usual)
    labels = [
        (claims, pair.label == "contradicts", 1.0)
        for part in written
        for pair, claims in zip(part.pairs, part.claims, strict=True)
    ]
    labels += [(claims, False, _UNRELATED) for part in written for claims in part.unrelated]
    found = [
        (each, right, counts) for claims, right, counts in labels if (each := evidence(*claims, weights.of))
    ]
    return Weights({reason: _of_reason(reason, found) for reason in FITTED}, rarity, usual)


def _of_reason(reason: str, found: Sequence[tuple[Evidence, bool, float]]) -> dict[str, float]:
    those = [each for each in found if reason in each[0].reasons]
    names = list(those[0][0].numbers)
    matrix = np.array([list(each.numbers.values()) for each, _, _ in those])
    truth = np.array([float(right) for _, right, _ in those])
    weighed = np.array([counts for *_, counts in those])
    solved: Floats = logistic(matrix, truth, weighed, ridge=_RIDGE)
    return dict(zip(("bias", *names), np.round(solved, 3).tolist(), strict=True))


def _parts() -> dict[str, Part]:
    return {part: Part(load(part)) for part in DEVELOPMENT}


def _likeness(one: Claim, other: Claim) -> float:
    return len(one.stems & other.stems) / max(1, len(one.stems | other.stems))


def _module(weights: Weights, likely: float) -> str:
    by_name = [f'"{name}": {value},' for name, value in weights.rarity.items()]
    lines = [
        '"""Weights, written by `python -m evals.contradictions fit`: not to be changed by hand."""',
        "",
        f"LIKELY = {likely}",
        f"USUAL = {weights.usual}",
        "WEIGHTS: dict[str, dict[str, float]] = {",
    ]
    for reason, table in weights.by_reason.items():
        of_reason = (f'        "{name}": {value},' for name, value in table.items())
        lines += [f'    "{reason}": {{', *of_reason, "    },"]
    lines += ["}", "# fmt: off", "RARITY: dict[str, float] = {"]
    lines += ["    " + " ".join(by_name[at : at + 6]) for at in range(0, len(by_name), 6)] + ["}"]
    return "\n".join(lines) + "\n"
