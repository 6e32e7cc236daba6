"""Entities by the weights in this package, that were fitted to labelled turns in English and Spanish."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from strata.adapters.crf import CrfTagger
from strata.domain.entities.clues import clues
from strata.domain.entities.merging import bare, in_order
from strata.domain.entities.reading import Word, words
from strata.domain.entities.shapes import Mention
from strata.domain.entities.tags import OUTSIDE, spans_of
from strata.domain.entities.usage import shipped

WEIGHTS = Path(__file__).with_name("weights.crfsuite")
"""The weights of a linear-chain conditional random field, as CRFsuite writes them."""
_LEAST, _MOST = 200, 400
"""A text is tagged in pieces: each ends with a sentence after so many words, or after the most."""


class BuiltInRecognizer:
    """An `EntityRecognizer` for English and Spanish side by side.

    Raises:
        ModelFailed: CRFsuite is not installed, or the weights are missing or damaged.
    """

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        return recognize(text)


def recognize(text: str) -> list[Mention]:
    """The entities that a text names, in their order; each once, in its longest form.

    Raises:
        ModelFailed: as `BuiltInRecognizer` does.
    """
    read = words(text)
    found = spans_of(read, *_tagged(read)) if read else ()
    names = (bare(text, each) if each.type == "person" else each for each in found)
    return in_order(text, [name for name in names if name is not None])


def _tagged(read: Sequence[Word]) -> tuple[list[str], list[float]]:
    """The tag of each word, and its probability."""
    tagger = CrfTagger(WEIGHTS, "names")
    tags: list[str] = []
    sure: list[float] = []
    told = clues(read, shipped())
    for piece in _pieces(read):
        found, chances = tagger.best([next(told) for _ in piece], OUTSIDE)
        tags += found
        sure += chances
    return tags, sure


def _pieces(read: Sequence[Word]) -> Iterator[Sequence[Word]]:
    start = 0
    for at, word in enumerate(read):
        if at - start >= _MOST or (at - start >= _LEAST and word.begins):
            yield read[start:at]
            start = at
    yield read[start:]
