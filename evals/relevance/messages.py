"""Messages with what they are for, and the fit of the table that tells small talk from the others."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.entities.marked import hash_of
from evals.relevance.examples import DEVELOPMENT, LANGUAGES, Query, load
from strata.domain.relevance import purpose
from strata.domain.relevance.purpose import BIAS, clues, log_odds

Floats = NDArray[np.float64]

FOLDER = Path(__file__).with_name("messages")
TABLE = Path(purpose.__file__).with_suffix(".txt")
RECORD = TABLE.with_suffix(".json")
"""The file that tells which messages the table in the package was fitted to."""

LABELS = ("ask", "general", "small_talk")
_LABELS_OF_QUERIES = {"answerable": "ask", "elsewhere": "ask"}

_RIDGE = 0.5
_LEAST = 2
"""Messages that a clue stands in, at least."""
_STEPS = 400


@dataclass(frozen=True, slots=True)
class Message:
    """A message, and what it is for.

    Attributes:
        id: of the message, or of the query that it is.
        author: who wrote it.
        label: `ask`, for which something noted earlier would help, `general`, which everybody can know, or
            `small_talk`, with nothing to look up.
    """

    id: str
    language: str
    author: str
    text: str
    label: str


def messages() -> list[Message]:
    """The messages beside this module.

    Raises:
        ValueError: a line has another label or language.
    """
    found = []
    for language in LANGUAGES:
        lines = (FOLDER / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            written = json.loads(line)
            if written["label"] not in LABELS or written["lang"] != language:
                raise ValueError(f"line {number + 1} of {language} has label {written['label']}")
            author = written.get("author", "a")
            each = f"message-{language}-{number:03}"
            found.append(Message(each, language, author, written["text"], written["label"]))
    return found


def of_queries() -> list[Message]:
    """The queries of the development part as messages of their author."""
    return [
        Message(each.id, each.language, "dev", each.text, _LABELS_OF_QUERIES.get(each.kind, each.kind))
        for each in load(DEVELOPMENT).queries
    ]


def small_talk(written: Sequence[Message]) -> list[Query]:
    """The small talk among messages as queries, which nothing in the stores helps with."""
    return [
        Query(each.id, each.language, each.label, each.text) for each in written if each.label == "small_talk"
    ]


def fitted(written: Sequence[Message]) -> dict[str, float]:
    """The weight of each clue, and of the bias, by a logistic regression with a ridge.

    Both kinds of message weigh the same. Nesterov's accelerated gradient, with the bound of the curvature
    for each clue as its step.
    """
    found = [clues(each.text) for each in written]
    truth = np.array([float(each.label != "small_talk") for each in written])
    counted = Counter(clue for each in found for clue in each)
    names = sorted(clue for clue, number in counted.items() if number >= _LEAST)
    places = {clue: place for place, clue in enumerate(names, start=1)}
    inside = [[0, *sorted(places[clue] for clue in each if clue in places)] for each in found]
    columns = np.concatenate([np.array(each, dtype=np.intp) for each in inside])
    rows = np.repeat(np.arange(len(inside)), [len(each) for each in inside])
    solved = _solved(rows, columns, truth, np.where(truth > 0, 0.5 / truth.mean(), 0.5 / (1 - truth.mean())))
    return {name: round(float(weight), 2) for name, weight in zip((BIAS, *names), solved, strict=True)}


def _solved(rows: NDArray[np.intp], columns: NDArray[np.intp], truth: Floats, weighed: Floats) -> Floats:
    count, width = len(truth), int(columns.max()) + 1
    ridge = np.full(width, _RIDGE)
    ridge[0] = 0.0
    sizes = np.bincount(rows, minlength=count)
    curve = 0.25 * np.bincount(columns, weights=(weighed * sizes)[rows], minlength=width) + ridge
    solved, ahead = np.zeros(width), np.zeros(width)
    for step in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.bincount(rows, weights=ahead[columns], minlength=count)))
        slope = np.bincount(columns, weights=(weighed * (likely - truth))[rows], minlength=width)
        reached = ahead - (slope + ridge * ahead) / curve
        ahead = reached + step / (step + 3) * (reached - solved)
        solved = reached
    return solved


def left_out(written: Sequence[Message]) -> dict[str, float]:
    """The log odds of each message by its id, by a table that does not know its author."""
    found = {}
    for author in sorted({each.author for each in written}):
        table = fitted([each for each in written if each.author != author])
        for each in written:
            if each.author == author:
                found[each.id] = log_odds(clues(each.text), table)
    return found


def record(written: Sequence[Message]) -> dict[str, object]:
    """Digests of the messages and of some clues: they tell of a missing fit."""
    some = [sorted(clues(each.text)) for each in written[::40]]
    told = [(each.id, each.author, each.text, each.label) for each in written]
    return {"messages": len(written), "digest": hash_of(told), "clues": hash_of(some)}


def write(written: Sequence[Message]) -> None:
    """Fit the table of the package to these messages, and write it and its record."""
    table = fitted(written)
    lines = (f"{clue}\t{round(weight * 100)}\n" for clue, weight in table.items() if weight)
    TABLE.write_text("".join(lines), encoding="utf-8")
    RECORD.write_text(json.dumps(record(written), indent=2) + "\n", encoding="ascii")


def told_apart(written: Collection[Message], odds: Mapping[str, float]) -> str:
    """How well log odds tell small talk from the others, by author and language: AUROC."""
    from evals.relevance.measure import auroc

    lines = []
    for author in sorted({each.author for each in written}):
        cells = []
        for language in ("", *LANGUAGES):
            pairs = [
                (each.label != "small_talk", odds[each.id])
                for each in written
                if each.author == author and each.language.startswith(language)
            ]
            cells.append(f"{language or 'all':>5} {auroc(pairs):.3f}")
        lines.append(f"{author:6}" + "".join(cells))
    return "\n".join(lines)
