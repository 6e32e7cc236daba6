"""Fits the weights by which names are found, and judges them by authors that they were not fitted to."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from unittest.mock import patch

from evals.entities import marked, usage
from evals.entities.measure import Judged, Recognizer, Turn, judge
from evals.entities.swapping import Swapper
from strata.adapters.entities import builtin
from strata.domain.entities.clues import clues
from strata.domain.entities.reading import words
from strata.domain.entities.tags import tags_of
from strata.domain.entities.usage import Usage, shipped

RECORD = builtin.WEIGHTS.with_suffix(".json")
"""The file that tells which turns the weights in the package were fitted to."""
_SETTINGS = {"c1": 0.1, "c2": 0.05, "feature.possible_transitions": True}
_SHOUTED = 20
"""One turn in so many is trained on in capitals, too."""

Example = tuple[list[list[str]], list[str]]
"""The clues and the tags of a turn's words."""


Turns = Sequence[tuple[Turn, marked.Names]]
"""Those of one author, with their names."""


def fit() -> str:
    """Fit the weights of the package to every training turn. Returns what they were fitted to."""
    turns = marked.parts()
    examples, used = _examples(turns)
    usage.write(used)
    train(builtin.WEIGHTS, examples)
    told = record(turns) | {"turns": sum(map(len, turns.values())), "bytes": builtin.WEIGHTS.stat().st_size}
    RECORD.write_text(json.dumps(told, indent=2) + "\n", encoding="ascii")
    return RECORD.read_text(encoding="ascii")


def record(turns: Mapping[str, Turns]) -> dict[str, object]:
    """Digests of the training turns and of the clues of some of them. They tell of a fit that is missing."""
    some = [turn.text for part in marked.LABELLED for turn, _ in turns[part]]
    told = marked.hash_of([list(clues(words(text), shipped())) for text in some])
    return {"digest": marked.digest(turns), "clues": told}


def folds(recognize: Recognizer, chosen: Sequence[int] = ()) -> Iterator[Judged]:
    """Judge weights on the turns of an English and a Spanish author that they know nothing of, pair by pair.

    Args:
        recognize: uses the built-in recognizer, whose weights and usage are those of the pair while it runs.
        chosen: the numbers of the pairs; none for all.
    """
    turns = marked.parts()
    for number in chosen or range(1, sum(part.startswith("en") for part in turns) + 1):
        held = [part for part in turns if part.endswith(f"{number:02}")]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "weights"
            examples, used = _examples({part: ones for part, ones in turns.items() if part not in held})
            train(path, examples)
            with patch.object(builtin, "WEIGHTS", path), patch.object(builtin, "shipped", return_value=used):
                yield from [judge(recognize, turn) for part in held for turn, _ in turns[part]]


def _examples(turns: Mapping[str, Turns]) -> tuple[list[Example], Usage]:
    """The turns and their copies, each told by the usage of the other authors; and the usage of all."""
    swapped = Swapper(each for part in turns.values() for each in part)
    authors = {part: usage.of_author(ones) for part, ones in turns.items()}
    all_of_them = usage.together(list(authors.values()))
    examples: list[Example] = []
    for part, ones in turns.items():
        others = all_of_them.without(authors[part])
        for text, names in _copied(ones, swapped):
            read = words(text)
            examples.append((list(clues(read, others)), tags_of(read, names)))
    return examples, all_of_them


def _copied(turns: Turns, swapped: Swapper) -> Iterator[tuple[str, marked.Names]]:
    """Turns, and copies: of other people, and as authors seldom write, with quotes, initials, capitals."""
    for number, (turn, names) in enumerate(turns):
        yield turn.text, names
        for copied in (make(turn.text, names) for make in (marked.quoted, marked.initialled, swapped)):
            if copied[0] != turn.text:
                yield copied
        shouted = turn.text.upper()
        if number % _SHOUTED == 0 and len(shouted) == len(turn.text):
            yield shouted, names


def train(path: Path, examples: Iterable[Example], iterations: int = 80) -> None:
    """Fit a conditional random field to examples, and write its weights."""
    from pycrfsuite import Trainer

    trainer = Trainer(verbose=False)
    for told, tags in examples:
        trainer.append(told, tags)
    trainer.set_params(_SETTINGS | {"max_iterations": iterations})
    trainer.train(str(path))
