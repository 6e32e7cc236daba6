"""Measure the extraction of facts by rules: `python -m evals.facts [--kept]`."""

import argparse
import importlib
import sys

from evals.facts.examples import DEVELOPMENT, KEPT, load
from evals.facts.measure import Extractor, judge, misses, table

RULES = "strata.domain.facts.patterns.finder"


def rules() -> Extractor:
    """The function `extract` of the rules.

    Raises:
        SystemExit: there is no such module or function.
    """
    try:
        extract: Extractor = importlib.import_module(RULES).extract
    except ModuleNotFoundError as missing:
        if missing.name is None or not f"{RULES}.".startswith(f"{missing.name}."):
            raise
        raise SystemExit(f"There are no rules to measure: no module {missing.name}.") from missing
    except AttributeError as missing:
        raise SystemExit(
            f"There are no rules to measure: {RULES} has no function extract(text)."
        ) from missing
    return extract


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.facts", description=__doc__)
    parser.add_argument(
        "--kept", action="store_true", help="over the examples that no rule was written from; totals only"
    )
    options = parser.parse_args(arguments)
    extract = rules()
    judged = [judge(extract, example) for example in load(KEPT if options.kept else DEVELOPMENT)]
    print(table(judged, totals_only=options.kept))
    if not options.kept and (found := misses(judged)):
        print(f"\n{found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
