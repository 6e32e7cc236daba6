"""Measure the rules on contradictions: `python -m evals.contradictions [PART] [--half odd|even]`."""

import argparse
import sys
from collections.abc import Sequence
from datetime import date

from evals.contradictions.measure import PARTS, errors, judge, load, table
from evals.halves import HALVES, of_half
from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import contradiction, is_plain, relation


def alone(one: str, other: str, said_one: date, said_other: date) -> str:
    """The label that the rules give without a model: of a contradiction only where all other words agree."""
    claims = read(one, said_one), read(other, said_other)
    return "contradicts" if contradiction(*claims) and is_plain(*claims) else "differs"


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
    parser.add_argument("--half", choices=HALVES, help="the pairs with odd or with even numbers only")
    options = parser.parse_args(arguments)
    pairs = [each for each in load(options.part) if of_half(each.id, options.half)]
    judged = judge(relation, pairs)
    print(f"{table(judged)}\nby the rules alone\n{table(judge(alone, pairs))}")
    if not options.part.startswith("kept") and options.half != "even" and (found := errors(judged)):
        print(f"\n{found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
