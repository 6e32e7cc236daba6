"""The cross-encoder as it is fitted. `strata.adapters.fitted_entailment` computes the same in numpy."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from evals.sentence_model.network import DROPPED, Encoder
from strata.adapters.e5_file import E5File

_HIDDEN = 256
RELATIONS = ("contradicts", "differs", "same")

Text = Sequence[int]
"""The ids of a note's tokens, without those of its start and end."""


class Network(Encoder):
    """Tells the relations of pairs of notes."""

    def __init__(self, file: E5File) -> None:
        super().__init__(file)
        self.seg = nn.Parameter(torch.zeros(2, file.width))
        self.h = nn.Linear(4 * file.width, _HIDDEN)
        self.o = nn.Linear(_HIDDEN, len(RELATIONS))

    def forward(self, pairs: Sequence[tuple[Text, Text]]) -> Tensor:
        """The logits of each relation: (pairs, 3)."""
        start, end = self.file.start, self.file.end
        texts = [[start, *one, end, end, *other, end] for one, other in pairs]
        second = torch.zeros((len(texts), max(map(len, texts))), dtype=torch.long)
        for row, (text, (one, _)) in enumerate(zip(texts, pairs, strict=True)):
            second[row, len(one) + 2 : len(text)] = 1
        tokens, there = self.tokens(texts, self.seg[second])
        one, other = (_mean(tokens, there & (second == number)) for number in (0, 1))
        both = torch.cat([one + other, (one - other).abs(), one * other, tokens[:, 0]], 1)
        hidden = functional.dropout(torch.tanh(self.h(both)), DROPPED, self.training)
        decided: Tensor = self.o(hidden)
        return decided


def _mean(tokens: Tensor, taken: Tensor) -> Tensor:
    return (tokens * taken[..., None]).sum(1) / taken.sum(1, keepdim=True)
