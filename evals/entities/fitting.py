"""Fits the weights by which names are found, and judges them by authors that they were not fitted to."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

from evals.entities import marked
from evals.entities.measure import Judged, Recognizer, Turn, judge
from strata.adapters.entities import builtin
from strata.domain.entities.clues import clues
from strata.domain.entities.reading import words
from strata.domain.entities.tags import tags_of

RECORD = builtin.WEIGHTS.with_suffix(".json")
"""The file that tells which turns the weights in the package were fitted to."""
_SETTINGS = {"c1": 0.1, "c2": 0.05, "max_iterations": 80, "feature.possible_transitions": True}
_SHOUTED = 20
"""One turn in so many is trained on in capitals, too."""

Example = tuple[list[list[str]], list[str]]
"""The clues and the tags of a turn's words."""


def fit() -> str:
    """Fit the weights of the package to every training turn. Returns what they were fitted to."""
    turns = marked.parts()
    _write(builtin.WEIGHTS, [each for part in turns.values() for each in _examples(part)])
    told = record(turns) | {"turns": sum(map(len, turns.values())), "bytes": builtin.WEIGHTS.stat().st_size}
    RECORD.write_text(json.dumps(told, indent=2) + "\n", encoding="ascii")
    return RECORD.read_text(encoding="ascii")


def record(turns: dict[str, list[tuple[Turn, marked.Names]]]) -> dict[str, object]:
    """Digests of the training turns and of the clues of some of them. They tell of a fit that is missing."""
    some = [turn.text for part in marked.LABELLED for turn, _ in turns[part]]
    told = marked.hash_of([list(clues(words(text))) for text in some])
    return {"digest": marked.digest(turns), "clues": told}


def folds(recognize: Recognizer, chosen: Sequence[int] = ()) -> Iterator[Judged]:
    """Judge weights on the turns of an English and a Spanish author that they know nothing of, pair by pair.

    Args:
        recognize: uses the built-in recognizer, whose weights are those of the pair while it runs.
        chosen: the numbers of the pairs; none for all.
    """
    turns = marked.parts()
    examples = {part: list(_examples(ones)) for part, ones in turns.items()}
    for number in chosen or range(1, sum(part.startswith("en") for part in turns) + 1):
        held = [part for part in turns if part.endswith(f"{number:02}")]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "weights"
            _write(path, [each for part in turns if part not in held for each in examples[part]])
            with patch.object(builtin, "WEIGHTS", path):
                yield from [judge(recognize, turn) for part in held for turn, _ in turns[part]]


def _examples(turns: Sequence[tuple[Turn, marked.Names]]) -> Iterator[Example]:
    """The turns, and copies of some as authors seldom write: with titles in quotes, initials, or shouted."""
    for number, (turn, names) in enumerate(turns):
        yield _example(turn.text, names)
        for copied in (marked.quoted(turn.text, names), marked.initialled(turn.text, names)):
            if copied[0] != turn.text:
                yield _example(*copied)
        shouted = turn.text.upper()
        if number % _SHOUTED == 0 and len(shouted) == len(turn.text):
            yield _example(shouted, names)


def _example(text: str, names: marked.Names) -> Example:
    read = words(text)
    return list(clues(read)), tags_of(read, names)


def _write(path: Path, examples: Sequence[Example]) -> None:
    from pycrfsuite import Trainer

    trainer = Trainer(verbose=False)
    for told, tags in examples:
        trainer.append(told, tags)
    trainer.set_params(_SETTINGS)
    trainer.train(str(path))
