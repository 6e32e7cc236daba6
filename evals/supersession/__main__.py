"""Measure supersession: `python -m evals.supersession [--kept] [--half odd|even] [--locomo PATH]`."""

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from evals import dataset
from evals.halves import HALVES, of_half
from evals.supersession.examples import DEVELOPMENT, KEPT, load
from evals.supersession.measure import Note, judge, over_turns, table, wrong
from strata.domain.supersession.decide import supersedes
from strata.domain.supersession.note import Note as Read
from strata.domain.supersession.note import read
from strata.domain.supersession.values import Reason


@cache
def _read(note: Note) -> Read | None:
    return read(*note)


def decide(older: Note, newer: Note) -> Reason | None:
    """The decision of the rules."""
    before, after = _read(older), _read(newer)
    return None if before is None or after is None else supersedes(before, after)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.supersession", description=__doc__)
    parser.add_argument(
        "--kept", action="store_true", help="over the pairs that no rule was written from; totals only"
    )
    parser.add_argument("--half", choices=HALVES, help="the pairs with odd or with even numbers only")
    parser.add_argument("--locomo", type=Path, help="print what would be marked over LoCoMo's turns instead")
    options = parser.parse_args(arguments)
    if options.locomo is not None:
        return _locomo(options.locomo)
    for part in KEPT if options.kept else DEVELOPMENT:
        judged = judge(decide, (each for each in load([part]) if of_half(each.id, options.half)))
        print(f"{part}\n{table(judged)}\n")
        if not options.kept and options.half != "even" and (found := wrong(judged)):
            print(f"{found}\n")
    return 0


def _locomo(path: Path) -> int:
    conversations = dataset.load(path)
    pairs = list(over_turns(conversations, decide))
    for older, newer, reason in pairs:
        print(f"{older.memory}\n  {newer.memory}\n  {reason}\n")
    turns = [turn for conversation in conversations for turn in conversation.turns]
    short = sum(_read((turn.speaker, turn.memory)) is not None for turn in turns)
    print(f"{len(pairs)} marks over {len(turns)} turns, of which {short} are short enough to be compared")
    return 0


if __name__ == "__main__":
    sys.exit(main())
