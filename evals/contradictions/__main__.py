"""Measure the rules on contradictions: `python -m evals.contradictions [PART|fit|folds]`."""

import argparse
import sys
from collections.abc import Sequence
from datetime import date

from evals.contradictions.fitting import fit, folds, labelled
from evals.contradictions.measure import PARTS, errors, judge, load, table
from evals.halves import HALVES, of_half
from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import relation, surely_contradict


def alone(one: str, other: str, said_one: date, said_other: date) -> str:
    """The label that the rules give without a model: of a contradiction only where they are sure."""
    sure = surely_contradict(read(one, said_one), read(other, said_other))
    return "contradicts" if sure else "differs"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.contradictions", description=__doc__)
    parser.add_argument(
        "part",
        nargs="?",
        choices=(*PARTS, "fit", "folds"),
        default="dev",
        help="a part (totals only of those kept apart); fit: weights for the package from all parts for "
        "development; folds: each of these, judged by weights from the others",
    )
    parser.add_argument("--half", choices=HALVES, help="the pairs with odd or with even numbers only")
    options = parser.parse_args(arguments)
    if options.part == "fit":
        print(fit(), end="")
        return 0
    if options.part == "folds":
        by_part = folds()
        by_part["all"] = [each for part in by_part.values() for each in part]
        for name, each in by_part.items():
            print(f"{name}\n{table(labelled(each))}")
            print(f"by the rules alone\n{table(labelled(each, alone=True))}\n")
        return 0
    pairs = [each for each in load(options.part) if of_half(each.id, options.half)]
    judged = judge(relation, pairs)
    print(f"{table(judged)}\nby the rules alone\n{table(judge(alone, pairs))}")
    if not options.part.startswith("kept") and options.half != "even" and (found := errors(judged)):
        print(f"\n{found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
