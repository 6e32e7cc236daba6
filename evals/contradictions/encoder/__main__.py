"""Fit or measure the cross-encoder of the package: `python -m evals.contradictions.encoder [fit|PART ...]`.

To fit needs torch beside the project's own environment: `pip install torch`.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.contradictions.measure import PARTS, Judged, Pair, load, table
from evals.entities.marked import hash_of
from evals.logistic import logistic
from strata.adapters.e5_fitted import blend
from strata.adapters.fitted_entailment import WEIGHTS, FittedEntailment, signs

LEFT_OUT = ("dev2", "learn8", "learn10", "learn11")
"""Parts by four authors that the model does not know: by them its likelihood is weighed beside the rules',
and the likelihood is chosen from which it decides alone."""
FITTED_TO = tuple(part for part in PARTS if not part.startswith("kept") and part not in LEFT_OUT)
RECORD = Path(__file__).with_name("fitted.json")
"""The file that tells which pairs the weights in the package were fitted to."""
PRECISIONS = (0.95, 0.9, 0.85, 0.8)
_RIDGE = 1.0

Read = Sequence[tuple[Pair, float, float]]
"""Pairs with the model's own likelihood that they contradict, in both orders."""


def record() -> dict[str, object]:
    """Digests of the pairs that the weights are fitted to, and of those left out."""
    return {
        "fitted": hash_of([pair for part in FITTED_TO for pair in load(part)]),
        "left_out": hash_of([pair for part in LEFT_OUT for pair in load(part)]),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.contradictions.encoder", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", choices=(*PARTS, "fit", []), help="fit, or parts; without: those left out"
    )
    options = parser.parse_args(arguments)
    if options.parts == ["fit"]:
        from evals.contradictions.encoder.fitting import fit

        fit([pair for part in FITTED_TO for pair in load(part)])
        RECORD.write_text(json.dumps(record(), indent=2) + "\n", encoding="ascii")
    encoder = FittedEntailment()
    parts = [part for part in options.parts if part != "fit"] or LEFT_OUT
    found = {part: read(encoder, load(part)) for part in parts}
    if options.parts == ["fit"]:
        _write_weighed(weighed(list(found.values())))
        encoder = FittedEntailment()
    left_out = set(parts) == set(LEFT_OUT)
    everything: list[tuple[Pair, float]] = []
    for part, pairs in found.items():
        others = [each for name, each in found.items() if name != part]
        likely = likelihoods(pairs, weighed(others) if left_out else encoder.weighed)
        everything += likely
        print(f"{part}\n{_shown(likely, encoder.sure)}\n")
    if len(parts) > 1:
        print(f"all\n{_shown(everything, encoder.sure)}")
    return 0


def read(encoder: FittedEntailment, pairs: Sequence[Pair]) -> Read:
    """Let the model read pairs in both orders."""
    texts = [(pair.first, pair.second) for pair in pairs]
    told = encoder.read([*texts, *((other, one) for one, other in texts)])
    both = zip(told[: len(texts)], told[len(texts) :], strict=True)
    return [(pair, a.contradicts, b.contradicts) for pair, (a, b) in zip(pairs, both, strict=True)]


def weighed(parts: Sequence[Read]) -> list[float]:
    """A bias, and the weights of what `signs` gives, by a logistic regression."""
    rows = [
        (signs(pair.first, pair.second, likely), pair.label == "contradicts")
        for part in parts
        for pair, *both in part
        for likely in both
    ]
    matrix, truth = np.array([row for row, _ in rows]), np.array([float(right) for _, right in rows])
    found = logistic(matrix, truth, np.ones(len(rows)), ridge=_RIDGE)
    return [round(float(each), 3) for each in found]


def likelihoods(pairs: Read, by: Sequence[float]) -> list[tuple[Pair, float]]:
    """How likely each pair contradicts: the mean of both orders, as the sweep takes it."""
    return [
        (pair, sum(blend(by, signs(pair.first, pair.second, each)) for each in both) / 2)
        for pair, *both in pairs
    ]


def _write_weighed(by: Sequence[float]) -> None:
    with np.load(WEIGHTS) as file:
        fitted: dict[str, Any] = {name: file[name] for name in file.files}
    np.savez_compressed(WEIGHTS, **fitted | {"weighed": np.array(by)})


def recalls(judged: Sequence[tuple[Pair, float]]) -> list[tuple[float, float, float]]:
    """The best recall at each of `PRECISIONS`, with the likelihood from which it is reached."""
    likely = np.array([each for _, each in judged])
    right = np.array([pair.label == "contradicts" for pair, _ in judged])
    order = np.argsort(-likely)
    found = np.cumsum(right[order])
    precision = found / np.arange(1, len(found) + 1)
    told = []
    for wanted in PRECISIONS:
        enough = np.flatnonzero(precision >= wanted)
        last = enough[-1] if len(enough) else 0
        told.append((wanted, found[last] / right.sum(), likely[order][last]))
    return told


def _shown(judged: Sequence[tuple[Pair, float]], sure: float) -> str:
    given = [Judged(pair, "contradicts" if each >= sure else "differs") for pair, each in judged]
    rows = [line for line in table(given).splitlines() if not line.startswith("same")]
    ranked = (f"{wanted:.2f}: {recall:.3f} from {least:.4f}" for wanted, recall, least in recalls(judged))
    return "\n".join([*rows, f"recall at a precision of {', '.join(ranked)}"])


if __name__ == "__main__":
    sys.exit(main())
