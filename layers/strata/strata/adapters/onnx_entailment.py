"""The port `Entailment` over a cross-encoder in ONNX, with the tokenizer that it was trained with."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from strata.adapters.model_files import NLI
from strata.adapters.onnx_model import OnnxModel
from strata.domain.errors import ModelFailed, Unavailable
from strata.ports.entailment import Entailed

_BATCH = 16
_LONGEST = 256
"""Tokens of a pair; more are cut."""


class OnnxEntailment:
    """The cross-encoder that `model_files` keeps.

    Args:
        place: the folder or bucket that keeps it. It is fetched, checked and loaded at the first use.
        cache: the folder for files of a bucket.
    """

    def __init__(self, place: str, cache: Path) -> None:
        self._model = OnnxModel(NLI, place, cache)

    sure = 0.9

    @property
    def model(self) -> str:
        """The folder's name, which holds the digest of the weights."""
        return self._model.folder.name

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """The verdicts, sixteen pairs at a time."""
        try:
            places = {label.lower(): place for place, label in self._model.labels.items()}
            follows, contradicts = places["entailment"], places["contradiction"]
            found = []
            for start in range(0, len(pairs), _BATCH):
                encoded = self._tokenizer.encode_batch(list(pairs[start : start + _BATCH]))
                for row in self._model.probabilities(encoded):
                    found.append(Entailed(float(row[follows]), float(row[contradicts])))
        except (ModelFailed, Unavailable):
            raise
        except Exception as error:  # onnxruntime and tokenizers raise nothing more precise
            raise ModelFailed("the model for entailment can't be run") from error
        return found

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer = self._model.tokenizer
        tokenizer.enable_truncation(_LONGEST)
        tokenizer.enable_padding(
            pad_id=tokenizer.token_to_id("[PAD]") or 0,
            pad_token="[PAD]",  # noqa: S106 - a word of the model
        )
        return tokenizer
