"""Measure the recognition of entities, and fit its weights: `python -m evals.entities [dev|…|fit|folds]`."""

import argparse
import sys

from evals.entities.fitting import fit, folds
from evals.entities.measure import Entity, judge, load, misses, table
from strata.adapters.entities.builtin import recognize

KEPT = ("kept", "kept2", "kept3")


def found(text: str) -> list[Entity]:
    """The entities that the built-in recognizer finds in a text."""
    return [(each.type, each.text) for each in recognize(text)]


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.entities", description=__doc__)
    parser.add_argument(
        "part",
        nargs="?",
        choices=("dev", "dev2", *KEPT, "fit", "folds"),
        default="folds",
        help="a part of the labelled turns (totals only of those kept apart); fit: weights for the "
        "package from all training turns; folds: training turns, judged by weights from other authors' turns",
    )
    parser.add_argument("pairs", nargs="*", type=int, help="of authors, for folds: 1 is en01 and es01")
    given = parser.parse_args(arguments)
    part = given.part
    if part == "fit":
        print(fit(), end="")
        return 0
    if part == "folds":
        print(table(list(folds(found, given.pairs))))
        return 0
    judged = [judge(found, turn) for turn in load(part)]
    print(table(judged))
    if part not in KEPT and (missed := misses(judged)):
        print(f"\n{missed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
