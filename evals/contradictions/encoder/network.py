"""The cross-encoder as it is fitted, in torch: multilingual-e5-small with narrow matrices beside its own.

`strata.adapters.fitted_entailment` computes the same in numpy.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from strata.adapters.e5_file import E5File

RANK = 16
_HIDDEN = 256
_DROPPED, _DROPPED_BESIDE = 0.1, 0.05
RELATIONS = ("contradicts", "differs", "same")

Text = Sequence[int]
"""The ids of a note's tokens, without those of its start and end."""


class Beside(nn.Module):
    """A matrix that stays as it is, with the product of two narrow ones added that are fitted."""

    def __init__(self, file: E5File, name: str, takes: int) -> None:
        super().__init__()
        self.register_buffer("matrix", torch.from_numpy(file.matrix(f"{name}.w", takes)))
        self.register_buffer("bias", torch.from_numpy(file.vector(f"{name}.b")))
        self.A = nn.Parameter(torch.randn(RANK, takes) / takes**0.5)
        self.B = nn.Parameter(torch.zeros(len(self.bias), RANK))

    def forward(self, tokens: Tensor) -> Tensor:
        """The product, with the bias."""
        narrow = functional.dropout(tokens @ self.A.T, _DROPPED_BESIDE, self.training)
        return functional.linear(tokens, self.matrix, self.bias) + narrow @ self.B.T


class Layer(nn.Module):
    """Attention and what follows it."""

    def __init__(self, file: E5File, number: int) -> None:
        super().__init__()
        self.heads = file.heads
        for name in ("q", "k", "v", "ao", "fi"):
            setattr(self, name, Beside(file, f"l{number}.{name}", file.width))
        self.fo = Beside(file, f"l{number}.fo", file.wide)
        self.aln, self.oln = (_norm(file, f"l{number}.{name}") for name in ("aln", "oln"))

    def forward(self, tokens: Tensor, there: Tensor) -> Tensor:
        """The tokens after this layer: (texts, tokens, width); `there` is (texts, 1, 1, tokens)."""
        texts, length, width = tokens.shape

        def split(numbers: Tensor) -> Tensor:
            return numbers.view(texts, length, self.heads, width // self.heads).transpose(1, 2)

        scores = split(self.q(tokens)) @ split(self.k(tokens)).transpose(2, 3) / (width // self.heads) ** 0.5
        seen = scores.masked_fill(~there, -1e9).softmax(-1) @ split(self.v(tokens))
        seen = self.ao(seen.transpose(1, 2).reshape(tokens.shape))
        tokens = self.aln(tokens + self._dropped(seen))
        wide = self.fo(functional.gelu(self.fi(tokens), approximate="tanh"))
        after: Tensor = self.oln(tokens + self._dropped(wide))
        return after

    def _dropped(self, tokens: Tensor) -> Tensor:
        """Leave out the same numbers of all tokens of a text: to draw for each one takes a third longer."""
        kept = functional.dropout(torch.ones(len(tokens), 1, tokens.shape[2]), _DROPPED, self.training)
        return tokens * kept


class Network(nn.Module):
    """Tells the relations of pairs of notes."""

    def __init__(self, file: E5File) -> None:
        super().__init__()
        self.file = file
        added = file.vector("emb.pos").reshape(-1, file.width) + file.vector("emb.type")[: file.width]
        self.register_buffer("places", torch.from_numpy(added))
        self.first = _norm(file, "emb.ln").requires_grad_(False)
        self.layers = nn.ModuleList(Layer(file, number) for number in range(file.layers))
        self.seg = nn.Parameter(torch.zeros(2, file.width))
        self.h = nn.Linear(4 * file.width, _HIDDEN)
        self.o = nn.Linear(_HIDDEN, len(RELATIONS))

    def forward(self, pairs: Sequence[tuple[Text, Text]]) -> Tensor:
        """The logits of each relation: (pairs, 3)."""
        start, end = self.file.start, self.file.end
        texts = [[start, *one, end, end, *other, end] for one, other in pairs]
        longest = max(map(len, texts))
        ids = np.full((len(texts), longest), end, dtype=np.intp)
        there = torch.zeros((len(texts), longest), dtype=torch.bool)
        second = torch.zeros((len(texts), longest), dtype=torch.long)
        for row, (text, (one, _)) in enumerate(zip(texts, pairs, strict=True)):
            ids[row, : len(text)], there[row, : len(text)] = text, True
            second[row, len(one) + 2 : len(text)] = 1
        words = torch.from_numpy(self.file.words(ids.reshape(-1)).reshape(*ids.shape, -1))
        tokens = self.first(words + self.places[:longest] + self.seg[second])
        tokens = functional.dropout(tokens, _DROPPED, self.training)
        for layer in self.layers:
            tokens = layer(tokens, there[:, None, None, :])
        one, other = (_mean(tokens, there & (second == number)) for number in (0, 1))
        both = torch.cat([one + other, (one - other).abs(), one * other, tokens[:, 0]], 1)
        hidden = functional.dropout(torch.tanh(self.h(both)), _DROPPED, self.training)
        decided: Tensor = self.o(hidden)
        return decided

    def fitted(self) -> dict[str, np.ndarray]:
        """What was fitted, by the names that the package reads."""
        found = {"seg": self.seg}
        for name in ("h", "o"):
            found |= {f"{name}.weight": getattr(self, name).weight, f"{name}.bias": getattr(self, name).bias}
        for number, layer in enumerate(self.layers):
            for name in ("q", "k", "v", "ao", "fi", "fo"):
                beside = getattr(layer, name)
                found |= {f"l{number}.{name}.A": beside.A, f"l{number}.{name}.B": beside.B}
            for name in ("aln", "oln"):
                norm = getattr(layer, name)
                found |= {f"l{number}.{name}.w": norm.weight, f"l{number}.{name}.b": norm.bias}
        return {name: each.detach().numpy().astype(np.float16) for name, each in found.items()}


def _norm(file: E5File, name: str) -> nn.LayerNorm:
    norm = nn.LayerNorm(file.width, eps=file.epsilon)
    norm.weight.data = torch.from_numpy(file.vector(f"{name}.w"))
    norm.bias.data = torch.from_numpy(file.vector(f"{name}.b"))
    return norm


def _mean(tokens: Tensor, taken: Tensor) -> Tensor:
    return (tokens * taken[..., None]).sum(1) / taken.sum(1, keepdim=True)
