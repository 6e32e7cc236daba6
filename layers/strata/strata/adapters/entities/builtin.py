"""Entities by the weights in this package, that were fitted to labelled turns in English and Spanish."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from strata.domain.entities.clues import clues
from strata.domain.entities.merging import bare, in_order
from strata.domain.entities.reading import Word, words
from strata.domain.entities.shapes import Mention
from strata.domain.entities.tags import OUTSIDE, spans_of
from strata.domain.entities.usage import shipped
from strata.domain.errors import ModelFailed

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
    tagger, lock = _weights(WEIGHTS)
    tags: list[str] = []
    sure: list[float] = []
    told = clues(read, shipped())
    for piece in _pieces(read):
        given = [next(told) for _ in piece]
        with lock:
            tags += tagger.tag(given)
            sure += [
                0.0 if tag == OUTSIDE else tagger.marginal(tag, at)
                for at, tag in enumerate(tags[len(sure) :])
            ]
    return tags, sure


def _pieces(read: Sequence[Word]) -> Iterator[Sequence[Word]]:
    start = 0
    for at, word in enumerate(read):
        if at - start >= _MOST or (at - start >= _LEAST and word.begins):
            yield read[start:at]
            start = at
    yield read[start:]


@cache
def _weights(path: Path) -> tuple[Any, Lock]:
    """The tagger of this process, with the lock under which it is used: it keeps the text that it tags."""
    try:
        from pycrfsuite import Tagger  # noqa: PLC0415 - a cold start doesn't pay for it

        told = path.with_suffix(".json")  # CRFsuite ends the process where its file is cut off
        if told.exists() and json.loads(told.read_text("ascii"))["bytes"] != path.stat().st_size:
            raise ValueError("it has not the length that it was written with")
        tagger = Tagger()
        tagger.open(str(path))
    except (ImportError, OSError, ValueError) as error:
        raise ModelFailed(f"the weights for names ({path.name}) can't be loaded: {error}") from error
    return tagger, Lock()
