"""Fits the weights by which statements are found, and by which a newer one takes an older one's place."""

import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from evals.conclusions.diaries import Diary, Line, read
from evals.conclusions.measure import Judged, judge
from evals.conclusions.stated import Block, Message, Part, Values, parts
from evals.entities.fitting import Example, train
from evals.entities.marked import hash_of
from evals.logistic import logistic
from strata.adapters.crf import CrfTagger
from strata.adapters.knowledge import statements
from strata.domain.entities.reading import words
from strata.domain.entities.tags import tags_of
from strata.domain.facts.patterns.reading import own
from strata.domain.knowledge import succession
from strata.domain.knowledge.clues import clues
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.reading import sightings
from strata.domain.knowledge.stated import own_part_of, stated, stems_of
from strata.domain.knowledge.statements import Proposal, Said, Sighting
from strata.domain.knowledge.succession import features, told
from strata.domain.knowledge.succession_weights import WEIGHTS

RECORD = statements.WEIGHTS.with_suffix(".json")
"""The file that tells which messages the weights in the package were fitted to."""
SUCCESSION = Path(succession.__file__).with_name("succession_weights.py")
_ITERATIONS = 60
_OTHERS = 6
"""So many older messages of other blocks are compared with each newer one."""
_RIDGE = 3.0
_PLAIN = {"changes": False, "changes the named": False}

Pair = tuple[dict[str, float], bool]
"""The features of two statements, and whether the newer one takes the older one's place."""


def fit() -> str:
    """Fit both weights of the package to all training data. Returns what they were fitted to."""
    diaries, written = [*read("dev"), *read("train")], parts()
    _fit_tagger(statements.WEIGHTS, diaries, written)
    SUCCESSION.write_text(_module(_fit_succession(diaries, written)), encoding="ascii")
    told_of = record(diaries, written) | {"bytes": statements.WEIGHTS.stat().st_size}
    RECORD.write_text(json.dumps(told_of, indent=2) + "\n", encoding="ascii")
    return RECORD.read_text(encoding="ascii")


def record(diaries: Sequence[Diary], written: Sequence[Part]) -> dict[str, object]:
    """Digests of the training data, of some clues and of what is compared: they tell of a missing fit."""
    messages = [each for part in written for each in part.messages]
    some = [list(_clues(each.text)) for each in messages[::50]]
    compared = [sorted(each.items()) for each, _ in _pairs([], written[:1])[:50]]
    return {
        "messages": len(messages) + sum(len(diary.lines) for diary in diaries),
        "digest": hash_of([messages, [diary.lines for diary in diaries]]),
        "clues": hash_of(some),
        "compared": hash_of(compared),
    }


def folds(chosen: Sequence[int] = ()) -> Iterator[tuple[int, Judged]]:
    """Judge the conclusions from diaries of authors whose diaries the weights don't know.

    Args:
        chosen: the numbers of the authors, of which each has an English and a Spanish one; none for all.
    """
    diaries, written = [*read("dev"), *read("train")], parts()
    for number in chosen or sorted({_author(each) for each in diaries}):
        others = [each for each in diaries if _author(each) != number]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "weights"
            _fit_tagger(path, others, written)
            before = dict(WEIGHTS)
            WEIGHTS.update(_fit_succession(others, written))
            for diary in diaries:
                if _author(diary) == number:
                    yield number, judge(rules(CrfTagger(path, "a fold")), diary)
            WEIGHTS.update(before)


def rules(tagger: Callable[..., object]) -> Callable[[Sequence[Said]], list[Proposal]]:
    """From all messages of a person to conclusions, with these weights."""
    return lambda said: conclude(sightings(said, tagger))  # type: ignore[arg-type]


def _author(diary: Diary) -> int:
    """0 for the authors of the diaries that were developed on, else the first digit of the number."""
    number = diary.id[2:]
    return int(number[0]) if len(number) > 2 else 0


def _fit_tagger(path: Path, diaries: Sequence[Diary], written: Sequence[Part]) -> None:
    messages = [*(each for part in written for each in part.messages), *_of_diaries(diaries)]
    train(path, (example for each in messages if (example := _example(each))), _ITERATIONS)


def _example(message: Message) -> Example | None:
    read_words = words(own_part_of(own(message.text)))
    return (list(_clues(message.text)), tags_of(read_words, message.values)) if read_words else None


def _clues(text: str) -> Iterator[list[str]]:
    written = own(text)
    read_words = words(own_part_of(written))
    return clues(written, read_words) if read_words else iter(())


def _of_diaries(diaries: Sequence[Diary]) -> Iterator[Message]:
    """Their lines, but for lasting things that are no conflict, with the values of conflicts."""
    for diary in diaries:
        for line in diary.lines:
            if line.label != "s":
                yield Message(line.text, _values(diary, line))


def _values(diary: Diary, line: Line) -> Values:
    conflict = next((each for each in diary.conflicts if line.label in {f"{each.id}-", f"{each.id}+"}), None)
    if conflict is None:
        return ()
    told_before = [each for each in diary.labelled(line.label) if each.number < line.number]
    newest = line.label.endswith("+")
    value = conflict.new if newest else conflict.old[len(told_before)]
    start, end = _place(line.text, value)
    found = [(start, end, "new" if newest or told_before else "now")]
    for old in conflict.old if newest else ():
        place = _place(line.text, old)
        if place != (0, 0) and not (place[0] < end and start < place[1]):
            found.append((*place, "old"))
    return tuple(found)


def _place(text: str, value: str) -> tuple[int, int]:
    """Where a value stands in a line, as a whole word if it does; (0, 0) if it doesn't."""
    whole = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE)
    found = whole or re.search(re.escape(value), text, re.IGNORECASE)
    return found.span() if found else (0, 0)


def _fit_succession(diaries: Sequence[Diary], written: Sequence[Part]) -> dict[str, float]:
    """The weights of a logistic regression with a ridge.

    Nearly every newer value of the training data is told as a change. A copy of each pair in which it isn't
    stands for people who just say the newer one.
    """
    pairs = _pairs(diaries, written)
    pairs += [(found | _PLAIN, right) for found, right in pairs if found["changes"]]
    names = list(pairs[0][0])
    rows = np.array([[float(found[name]) for name in names] for found, _ in pairs])
    right = np.array([float(each) for _, each in pairs])
    bias, *weights = np.round(logistic(rows, right, np.ones(len(right)), ridge=_RIDGE), 3).tolist()
    return dict(zip((*names, "bias"), (*weights, bias), strict=True))


def _pairs(diaries: Sequence[Diary], written: Sequence[Part]) -> list[Pair]:
    """Statements of one block or conflict, and as many of others."""
    draw = random.Random(3)
    found: list[Pair] = []
    for part in written:
        for block in part.blocks:
            newer = _sighting(block.newer)
            found.append((dict(features(told(_sighting(block.older)), told(newer))), True))
            for other in draw.sample(part.blocks, min(_OTHERS, len(part.blocks))):
                if _differ(other, block):
                    found.append((dict(features(told(_sighting(other.older)), told(newer))), False))
    for diary in diaries:
        lines = [line for line in diary.lines if line.label.startswith("c")]
        seen = {line: _sighting(Message(line.text, _values(diary, line))) for line in lines}
        for first, second in combinations(lines, 2):
            if first.day < second.day:
                same = first.label[:2] == second.label[:2]
                found.append((dict(features(told(seen[first]), told(seen[second]))), same))
    return found


def _differ(one: Block, other: Block) -> bool:
    return one.attribute.split()[0] != other.attribute.split()[0]


def _sighting(message: Message) -> Sighting:
    """The sighting of a message's value, found for sure."""
    start, end, tense = next(each for each in message.values if each[2] != "old")
    read_words = words(own_part_of(own(message.text)))

    def certain(_: object) -> list[dict[str, float]]:
        return [{tag: 1.0} for tag in tags_of(read_words, [(start, end, tense)])]

    return next(stated(Said(message.text, 0, "", 0), certain), _bare(message, start, end, tense))


def _bare(message: Message, start: int, end: int, tense: str) -> Sighting:
    """The sighting of a value that is not read, since it stands in a quotation, say."""
    about = stems_of(message.text)
    return Sighting(
        "stated", message.text[start:end], True, False, True, message.text, 0, "", "", tense == "new", about
    )


def _module(weights: dict[str, float]) -> str:
    rows = "".join(f'    "{name}": {weight},\n' for name, weight in weights.items())
    return (
        '"""Weights of succession, written by `python -m evals.conclusions fit`: not to be changed by '
        'hand."""\n\n'
        f"WEIGHTS: dict[str, float] = {{\n{rows}}}\n"
    )
