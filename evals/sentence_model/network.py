"""multilingual-e5-small as it is fitted to a task: narrow matrices beside its own, or its own as a whole.

`strata.adapters.e5_fitted` computes the same in numpy.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from strata.adapters.e5_file import E5File
from strata.adapters.e5_fitted import Parts, as_one

RANK = 16
_STEP = 0.5
"""The step in which what was added to a whole matrix is written, in standard deviations: some three bits."""
_HIDDEN = 256
DROPPED = 0.1
_DROPPED_BESIDE = 0.05


class Beside(nn.Module):
    """A matrix that stays as it is, with the product of two narrow ones added that are fitted."""

    def __init__(self, file: E5File, name: str, takes: int) -> None:
        super().__init__()
        self.register_buffer("matrix", torch.from_numpy(file.matrix(f"{name}.w", takes)))
        self.register_buffer("bias", torch.from_numpy(file.vector(f"{name}.b")))
        self.A = nn.Parameter(torch.randn(RANK, takes) / takes**0.5)
        self.B = nn.Parameter(torch.zeros(len(self.bias), RANK))

    def written(self) -> dict[str, Tensor]:
        """What was fitted, as it is written."""
        return {"A": self.A, "B": self.B}

    def forward(self, tokens: Tensor) -> Tensor:
        """The product, with the bias."""
        narrow = functional.dropout(tokens @ self.A.T, _DROPPED_BESIDE, self.training)
        return functional.linear(tokens, self.matrix, self.bias) + narrow @ self.B.T


class Whole(nn.Module):
    """A matrix that is fitted as a whole."""

    def __init__(self, file: E5File, name: str, takes: int) -> None:
        super().__init__()
        self.register_buffer("before", torch.from_numpy(file.matrix(f"{name}.w", takes)))
        self.matrix = nn.Parameter(self.before.clone())
        self.bias = nn.Parameter(torch.from_numpy(file.vector(f"{name}.b")))

    def forward(self, tokens: Tensor) -> Tensor:
        """The product, with the bias."""
        return functional.linear(tokens, self.matrix, self.bias)

    def written(self) -> dict[str, Tensor]:
        """What the fit has added, as whole numbers of steps, a size for each row, and the bias."""
        added = self.matrix.detach() - self.before
        step = added.std(dim=1, keepdim=True) * _STEP
        return {"added": (added / step).round().clamp(-127, 127).to(torch.int8), "step": step, "b": self.bias}


class Layer(nn.Module):
    """Attention and what follows it."""

    def __init__(self, file: E5File, number: int, fitted: type[Beside] | type[Whole]) -> None:
        super().__init__()
        self.heads = file.heads
        for name in ("q", "k", "v", "ao", "fi"):
            setattr(self, name, fitted(file, f"l{number}.{name}", file.width))
        self.fo = fitted(file, f"l{number}.fo", file.wide)
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
        kept = functional.dropout(torch.ones(len(tokens), 1, tokens.shape[2]), DROPPED, self.training)
        return tokens * kept


class Encoder(nn.Module):
    """The tokens of texts after the last layer.

    Args:
        file: the model's.
        fitted: what is fitted of the matrices of its layers.
    """

    early: int | None = None
    """The number of layers after which it decides early about some texts; None if it doesn't."""

    def __init__(self, file: E5File, fitted: type[Beside] | type[Whole] = Beside) -> None:
        super().__init__()
        self.file = file
        added = file.vector("emb.pos").reshape(-1, file.width) + file.vector("emb.type")[: file.width]
        self.register_buffer("places", torch.from_numpy(added))
        self.first = _norm(file, "emb.ln").requires_grad_(False)
        self.layers = nn.ModuleList(Layer(file, number, fitted) for number in range(file.layers))

    def tokens(self, texts: Sequence[Sequence[int]], added: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The tokens of some texts, and which of them are there: (texts, longest, width), (texts, longest).

        Args:
            texts: the ids of their tokens, those of the start and the end included.
            added: what is added to each token, beside its place: (texts, longest, width).
        """
        *_, found = self.after(texts, added, [len(self.layers)])
        return found

    def after(
        self, texts: Sequence[Sequence[int]], added: Tensor | None, layers: Collection[int]
    ) -> Iterator[tuple[Tensor, Tensor]]:
        """The same after each of these numbers of layers."""
        longest = max(map(len, texts))
        ids = np.full((len(texts), longest), self.file.end, dtype=np.intp)
        there = torch.zeros((len(texts), longest), dtype=torch.bool)
        for row, text in enumerate(texts):
            ids[row, : len(text)], there[row, : len(text)] = text, True
        words = torch.from_numpy(self.file.words(ids.reshape(-1)).reshape(*ids.shape, -1))
        tokens = words + self.places[:longest]
        tokens = self.first(tokens if added is None else tokens + added)
        tokens = functional.dropout(tokens, DROPPED, self.training)
        for number, layer in enumerate(self.layers, start=1):
            tokens = layer(tokens, there[:, None, None, :])
            if number in layers:
                yield tokens, there

    def write(self, path: Path) -> None:
        """Write what was fitted, by the names that the package reads."""
        written = [
            (f"{name}.{kind}", each)
            for name, module in self.named_modules()
            if isinstance(module, Beside | Whole)
            for kind, each in module.written().items()
        ]
        written += [
            (name.replace("ln.weight", "ln.w").replace("ln.bias", "ln.b"), each)
            for name, each in self.named_parameters()
            if each.requires_grad and (not name.startswith("layers.") or "ln." in name)
        ]
        found: dict[str, Any] = {
            name.replace("layers.", "l"): each.detach().to(
                each.dtype if each.dtype == torch.int8 else torch.float16
            )
            for name, each in written
        }
        if self.early is not None:
            found["early"] = np.array(self.early)
        np.savez_compressed(path, **found)


class Deciding(Encoder):
    """Decides about texts of several parts: `strata.adapters.e5_fitted.FittedModel.logits` in torch.

    Args:
        file: the model's.
        parts: the number of parts of a text.
        outputs: the number of logits.
        fitted: as of `Encoder`.
        early: as of `Encoder`.
    """

    def __init__(
        self,
        file: E5File,
        parts: int,
        outputs: int,
        fitted: type[Beside] | type[Whole] = Beside,
        early: int | None = None,
    ) -> None:
        super().__init__(file, fitted)
        self.seg = nn.Parameter(torch.zeros(parts, file.width))
        self.h, self.o = nn.Linear(4 * file.width, _HIDDEN), nn.Linear(_HIDDEN, outputs)
        self.early = early
        if early:
            self.early_h, self.early_o = nn.Linear(4 * file.width, _HIDDEN), nn.Linear(_HIDDEN, outputs)

    def forward(self, texts: Sequence[Parts]) -> Tensor:
        """The logits: (texts, outputs)."""
        *_, found = self.each(texts)
        return found

    def each(self, texts: Sequence[Parts]) -> Iterator[Tensor]:
        """The logits of the early decision, if there is one, and of the last one: (texts, outputs) each."""
        joined = [as_one(parts, self.file.start, self.file.end) for parts in texts]
        numbers = torch.zeros((len(texts), max(len(ids) for ids, _ in joined)), dtype=torch.long)
        for row, (_, of_parts) in enumerate(joined):
            numbers[row, : len(of_parts)] = torch.tensor(of_parts)
        layers = {len(self.layers): (self.h, self.o)}
        if self.early:
            layers = {self.early: (self.early_h, self.early_o), **layers}
        read = self.after([ids for ids, _ in joined], self.seg[numbers], layers)
        for (tokens, there), (h, o) in zip(read, layers.values(), strict=True):
            one, other = (_mean(tokens, there & (numbers == number)) for number in (0, len(self.seg) - 1))
            both = torch.cat([one + other, (one - other).abs(), one * other, tokens[:, 0]], 1)
            yield o(functional.dropout(torch.tanh(h(both)), DROPPED, self.training))


def _mean(tokens: Tensor, taken: Tensor) -> Tensor:
    return (tokens * taken[..., None]).sum(1) / taken.sum(1, keepdim=True)


def _norm(file: E5File, name: str) -> nn.LayerNorm:
    norm = nn.LayerNorm(file.width, eps=file.epsilon)
    norm.weight.data = torch.from_numpy(file.vector(f"{name}.w"))
    norm.bias.data = torch.from_numpy(file.vector(f"{name}.b"))
    return norm
