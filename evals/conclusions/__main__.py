"""Measure the conclusions of the rules, without a language model: `python -m evals.conclusions [--kept]`."""

import argparse
import sys
from collections.abc import Sequence

from evals.conclusions import diaries
from evals.conclusions.measure import errors, judge, table
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.reading import sightings
from strata.domain.knowledge.statements import Proposal, Said


def rules(said: Sequence[Said]) -> list[Proposal]:
    """Return the conclusions from all messages of a person."""
    return conclude(sightings(said))


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.conclusions", description=__doc__)
    parser.add_argument(
        "--kept", action="store_true", help="over the diaries that no rule was written from; totals only"
    )
    options = parser.parse_args(arguments)
    judged = [judge(rules, diary) for diary in diaries.read("kept" if options.kept else "dev")]
    print(table(judged, totals_only=options.kept))
    if not options.kept:
        print(f"\n{errors(judged)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
