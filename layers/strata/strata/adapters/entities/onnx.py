"""Entities by a token classifier in ONNX, in the form of bert-base-NER."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from strata.adapters.model_files import NER
from strata.adapters.onnx_model import OnnxModel
from strata.domain.entities.merging import Span, mentions_of
from strata.domain.entities.shapes import EntityType, Mention
from strata.domain.errors import ModelFailed, Unavailable

_TYPES: dict[str, EntityType] = {
    "PER": "person",
    "PERSON": "person",
    "LOC": "place",
    "GPE": "place",
    "ORG": "organization",
    "EVENT": "event",
    "MISC": "thing",
    "PRODUCT": "thing",
}
_TOKENS, _OVERLAP = 512, 64
"""Tokens of a window, and how many two windows share."""


class OnnxRecognizer:
    """An `EntityRecognizer` over a model that labels tokens with B-PER, I-PER and the like.

    Args:
        place: the folder or bucket that keeps it. It is fetched, checked and loaded at the first use.
        cache: the folder for files of a bucket.
    """

    def __init__(self, place: str, cache: Path) -> None:
        self._model = OnnxModel(NER, place, cache)

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        """The entities that the text names.

        Raises:
            ModelFailed: none is installed, or it cannot be loaded or run.
            Unavailable: the bucket does not answer, or files are damaged or missing.
        """
        try:
            return mentions_of(text, self._spans(text))
        except (ModelFailed, Unavailable):
            raise
        except Exception as error:  # onnxruntime and tokenizers raise nothing more precise
            raise ModelFailed("the model for entities can't be run") from error

    def _spans(self, text: str) -> Iterator[Span]:
        beyond = 0
        whole = self._tokenizer.encode(text)
        for window in (whole, *whole.overflowing):
            spans = [span for span in self._window(window) if span.start >= beyond]
            yield from spans
            beyond = max([beyond, *(span.end for span in spans)])

    def _window(self, window: Any) -> Iterator[Span]:
        """The spans of a window: a word has the label of its first token."""
        span: Span | None = None
        word = None
        labelled = zip(window.word_ids, window.offsets, self._labelled(window), strict=True)
        for number, (start, end), (label, confidence) in labelled:
            if number is None:
                continue
            place, _, name = label.rpartition("-")
            kind = _TYPES.get(name)
            goes_on = number == word or (place != "B" and span is not None and kind == span.type)
            word = number
            if span is not None and goes_on:
                span = span._replace(end=end)
                continue
            if span is not None:
                yield span
            span = Span(start, end, kind, confidence) if kind else None
        if span is not None:
            yield span

    def _labelled(self, window: Any) -> Iterator[tuple[str, float]]:
        for row in self._model.probabilities([window])[0]:
            best = int(row.argmax())
            yield self._model.labels[best], round(float(row[best]), 2)

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer = self._model.tokenizer
        tokenizer.enable_truncation(_TOKENS, stride=_OVERLAP)
        tokenizer.no_padding()
        return tokenizer
