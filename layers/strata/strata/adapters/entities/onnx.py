"""Entities by a token classifier in ONNX, in the form of bert-base-NER."""

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from strata.domain.entities.merging import Span, mentions_of
from strata.domain.entities.shapes import EntityType, Mention
from strata.domain.errors import ModelFailed

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
        folder: model.onnx, tokenizer.json, and config.json with the labels, loaded at the first use.

    Raises:
        ModelFailed: the model cannot be loaded or run.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        """The entities that the text names."""
        try:
            return mentions_of(text, self._spans(text))
        except Exception as error:  # onnxruntime and tokenizers raise nothing more precise
            raise ModelFailed(f"the model of {self._folder} for entities can't be run") from error

    def _spans(self, text: str) -> Iterator[Span]:
        beyond = 0
        whole = self._tokenizer.encode(text)
        for window in (whole, *whole.overflowing):
            spans = [span for span in self._window(window) if span[0] >= beyond]
            yield from spans
            beyond = max([beyond, *(end for _, end, _, _ in spans)])

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
            goes_on = number == word or (place != "B" and span is not None and kind == span[2])
            word = number
            if span is not None and goes_on:
                span = (span[0], end, span[2], span[3])
                continue
            if span is not None:
                yield span
            span = (start, end, kind, confidence) if kind else None
        if span is not None:
            yield span

    def _labelled(self, window: Any) -> Iterator[tuple[str, float]]:
        given = {
            "input_ids": window.ids,
            "attention_mask": window.attention_mask,
            "token_type_ids": window.type_ids,
        }
        wanted = {each.name for each in self._session.get_inputs()}
        feed = {name: np.array([row], dtype=np.int64) for name, row in given.items() if name in wanted}
        logits = np.asarray(self._session.run(None, feed)[0], dtype=np.float32)[0]
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        for row in powers / powers.sum(axis=1, keepdims=True):
            best = int(row.argmax())
            yield self._labels[best], round(float(row[best]), 2)

    @cached_property
    def _labels(self) -> dict[int, str]:
        told = json.loads((self._folder / "config.json").read_text(encoding="utf-8"))["id2label"]
        return {int(place): str(label) for place, label in told.items()}

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer  # noqa: PLC0415 - what follows the stream alone pays for it

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.enable_truncation(_TOKENS, stride=_OVERLAP)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # noqa: PLC0415 - the same

        return onnxruntime.InferenceSession(
            str(self._folder / "model.onnx"), providers=["CPUExecutionProvider"]
        )
