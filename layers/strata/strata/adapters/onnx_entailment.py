"""The port `Entailment` over a cross-encoder in ONNX, with the tokenizer that it was trained with."""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from strata.adapters.model_files import NLI, installed
from strata.domain.errors import ModelFailed, Unavailable
from strata.ports.entailment import Entailed

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH = 16
_LONGEST = 256
"""Tokens of a pair; more are cut."""


class OnnxEntailment:
    """The model that `model_files` keeps: model.onnx, tokenizer.json, and config.json with its labels.

    Args:
        place: the folder or bucket that keeps it. It is fetched, checked and loaded at the first use.
        cache: the folder for files of a bucket.
    """

    def __init__(self, place: str, cache: Path) -> None:
        self._place = place
        self._cache = cache

    @property
    def model(self) -> str:
        """The folder's name, which holds the digest of the weights."""
        return self._folder.name

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """The verdicts, sixteen pairs at a time."""
        try:
            follows, contradicts = self._labels
            found = []
            for start in range(0, len(pairs), _BATCH):
                for row in self._probabilities(pairs[start : start + _BATCH]):
                    found.append(Entailed(float(row[follows]), float(row[contradicts])))
        except (ModelFailed, Unavailable):
            raise
        except Exception as error:  # onnxruntime and tokenizers raise nothing more precise
            raise ModelFailed("the model for entailment can't be run") from error
        return found

    def _probabilities(self, pairs: Sequence[tuple[str, str]]) -> "NDArray[np.float32]":
        encoded = self._tokenizer.encode_batch(list(pairs))
        given = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        wanted = {each.name for each in self._session.get_inputs()}
        feed = {name: np.array(rows, dtype=np.int64) for name, rows in given.items() if name in wanted}
        logits = np.asarray(self._session.run(None, feed)[0], dtype=np.float32)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
        return probabilities

    @cached_property
    def _folder(self) -> Path:
        found = installed(NLI, self._place, self._cache)
        if found is None:
            raise ModelFailed(f"no model {NLI} is installed")
        return found

    @cached_property
    def _labels(self) -> tuple[int, int]:
        """The places of "entailment" and "contradiction" among the model's answers."""
        told = json.loads((self._folder / "config.json").read_text(encoding="utf-8"))["id2label"]
        places = {str(label).lower(): int(place) for place, label in told.items()}
        return places["entailment"], places["contradiction"]

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer  # noqa: PLC0415 - the sweep alone pays for it

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.enable_truncation(_LONGEST)
        tokenizer.enable_padding(
            pad_id=tokenizer.token_to_id("[PAD]") or 0,
            pad_token="[PAD]",  # noqa: S106 - a word of the model
        )
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # noqa: PLC0415 - the sweep alone pays for it

        return onnxruntime.InferenceSession(
            str(self._folder / "model.onnx"), providers=["CPUExecutionProvider"]
        )
