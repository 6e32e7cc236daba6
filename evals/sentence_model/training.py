"""The loop that fits a network to labelled examples."""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_

from evals.sentence_model.network import Encoder

Batch = TypeVar("Batch")
Example = TypeVar("Example")
_RATE, _RATE_OF_WHOLE, _RATE_OF_NORMS, _RATE_OF_LAST = 6e-4, 6e-5, 1.2e-4, 1e-3
_WARM, _LEAST_RATE = 0.06, 0.02
_TOLD = 200
_OF_WHOLE = tuple(
    f".{name}.{kind}" for name in ("q", "k", "v", "ao", "fi", "fo") for kind in ("matrix", "bias")
)
_SHUFFLED = 10
"""Tokens by which texts of one batch may differ in length, about."""


def batches_of(
    examples: Sequence[Example], length: Callable[[Example], int], size: int, draw: random.Random
) -> list[Sequence[Example]]:
    """All examples once, those of like length together, in any order.

    Args:
        examples: all of them.
        length: the tokens of one.
        size: the number in a batch.
        draw: tells the order.
    """
    alike = sorted(examples, key=lambda each: length(each) + _SHUFFLED * draw.random())
    found: list[Sequence[Example]] = [alike[start : start + size] for start in range(0, len(alike), size)]
    draw.shuffle(found)
    return found


def train(
    network: Encoder, batches: Callable[[], Sequence[Batch]], loss: Callable[[Batch], Tensor], epochs: int
) -> None:
    """Fit what may be fitted, with a rate that falls to nearly nothing.

    Args:
        network: it is fitted in place.
        batches: all examples once, as many batches each time, in another order.
        loss: how wrong the network is about a batch.
        epochs: how often it sees all examples.
    """
    named = [each for each in network.named_parameters() if each[1].requires_grad]
    groups = {
        _RATE: [each for name, each in named if name.endswith((".A", ".B"))],
        _RATE_OF_WHOLE: [each for name, each in named if name.endswith(".matrix") or _is_bias(name)],
        _RATE_OF_NORMS: [each for name, each in named if ".aln." in name or ".oln." in name],
        _RATE_OF_LAST: [each for name, each in named if not name.startswith("layers.")],
    }
    steps = epochs * len(batches())
    optimizer = torch.optim.AdamW(
        [{"params": each, "lr": rate} for rate, each in groups.items()], weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (_WARM * steps)) * max(_LEAST_RATE, 1 - step / steps)
    )
    network.train()
    for epoch in range(epochs):
        lost: list[float] = []
        for number, batch in enumerate(batches(), start=1):
            found = loss(batch)
            optimizer.zero_grad()
            found.backward()
            clip_grad_norm_([each for _, each in named], 1.0)
            optimizer.step()
            schedule.step()
            lost.append(found.item())
            if not number % _TOLD:
                print(f"  {number} batches: loss {np.mean(lost[-_TOLD:]):.3f}", flush=True)
        print(f"epoch {epoch + 1} of {epochs}: loss {np.mean(lost):.3f}", flush=True)
    network.eval()


def _is_bias(name: str) -> bool:
    """Whether a parameter is the bias of a matrix of a layer."""
    return name.startswith("layers.") and name.endswith(".bias") and "ln." not in name
