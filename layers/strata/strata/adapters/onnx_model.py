"""Small classifiers in ONNX that `model_files` keeps: model.onnx, tokenizer.json, config.json with labels."""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from strata.adapters.model_files import installed
from strata.domain.errors import ModelFailed

if TYPE_CHECKING:
    from numpy.typing import NDArray


class OnnxModel:
    """A classifier of texts or of their tokens; fetched, checked and loaded at the first use.

    Args:
        kind: of `model_files.FILES`.
        place: the folder or bucket that keeps models.
        cache: the folder for files of a bucket.
    """

    def __init__(self, kind: str, place: str, cache: Path) -> None:
        self._kind = kind
        self._place = place
        self._cache = cache

    @cached_property
    def folder(self) -> Path:
        """The folder of its files, whose name holds the digest of the weights.

        Raises:
            ModelFailed: none is installed.
            Unavailable: the bucket does not answer, or files are damaged or missing.
        """
        found = installed(self._kind, self._place, self._cache)
        if found is None:
            raise ModelFailed(f"no model {self._kind} is installed")
        return found

    @cached_property
    def labels(self) -> dict[int, str]:
        """Its labels by their places."""
        told = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))["id2label"]
        return {int(place): str(label) for place, label in told.items()}

    @cached_property
    def tokenizer(self) -> Any:
        """The tokenizer that it was trained with."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - background work alone pays for it

        return Tokenizer.from_file(str(self.folder / "tokenizer.json"))

    def probabilities(self, encoded: Sequence[Any]) -> "NDArray[np.float32]":
        """The probability of each label, in the last axis, of encoded texts of one length."""
        given = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        wanted = {each.name for each in self._session.get_inputs()}
        feed = {name: np.array(rows, dtype=np.int64) for name, rows in given.items() if name in wanted}
        logits = np.asarray(self._session.run(None, feed)[0], dtype=np.float32)
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        probabilities: NDArray[np.float32] = powers / powers.sum(axis=-1, keepdims=True)
        return probabilities

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # noqa: PLC0415 - the same

        return onnxruntime.InferenceSession(
            str(self.folder / "model.onnx"), providers=["CPUExecutionProvider"]
        )
