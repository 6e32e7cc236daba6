"""Measure the recognition of entities by rules: `python -m evals.entities [dev|dev2|kept|kept2]`."""

import argparse
import sys

from evals.entities.measure import Entity, judge, load, misses, table
from strata.domain.entities.recognition import recognize

KEPT = ("kept", "kept2")


def found(text: str) -> list[Entity]:
    """The entities that rules find in a text."""
    return [(each.type, each.text) for each in recognize(text)]


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.entities", description=__doc__)
    parser.add_argument(
        "part",
        nargs="?",
        choices=("dev", "dev2", *KEPT),
        default="dev",
        help="of kept and kept2, totals only are shown",
    )
    part = parser.parse_args(arguments).part
    judged = [judge(found, turn) for turn in load(part)]
    print(table(judged))
    if part not in KEPT and (missed := misses(judged)):
        print(f"\n{missed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
