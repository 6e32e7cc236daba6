"""Measure the rules on contradictions: `python -m evals.contradictions [dev|kept]`."""

import argparse
import sys
from collections.abc import Sequence

from evals.contradictions.measure import PARTS, errors, judge, load, table
from strata.domain.contradictions.decide import relation


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.contradictions", description=__doc__)
    parser.add_argument(
        "part",
        nargs="?",
        choices=PARTS,
        default="dev",
        help="kept: the pairs that no rule was written from; totals only",
    )
    part = parser.parse_args(arguments).part
    judged = judge(relation, load(part))
    print(table(judged))
    if part != "kept" and (found := errors(judged)):
        print(f"\n{found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
