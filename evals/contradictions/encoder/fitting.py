"""Fits what is added to the model to the pairs, and writes it into the package. It needs torch."""

import random
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch.nn import functional
from torch.nn.utils import clip_grad_norm_

from evals.contradictions.encoder.network import RELATIONS, Network, Text
from evals.contradictions.measure import Pair
from strata.adapters.e5_file import E5File
from strata.adapters.fitted_entailment import LONGEST, WEIGHTS
from strata.domain.text.analysis import stem, words

EPOCHS = 4
_AT_ONCE = 16
_RATE, _RATE_OF_NORMS, _RATE_OF_LAST = 6e-4, 1.2e-4, 1e-3
_WARM, _LEAST_RATE = 0.06, 0.02
_SMOOTHED = 0.03
UNRELATED = 0.15
"""The share of notes that are set beside two notes of other pairs, which hardly ever contradict them."""
_SHUFFLED = 10
"""Tokens by which pairs of one batch may differ in length, about."""

Read = tuple[Text, Text, int]
"""Both notes of a pair, and the place of its label."""


def fit(file: E5File, pairs: Sequence[Pair], seed: int = 0) -> Network:
    """Fit to pairs, half of them turned round, and write the weights. It takes an hour of one processor."""
    torch.manual_seed(seed)
    draw = random.Random(seed)
    network = Network(file)
    texts = [(each.first, each.second, each.label) for each in pairs]
    texts += [(one, other, "differs") for one, other in unrelated(pairs, draw)]
    read = [
        (file.tokens(one)[:LONGEST], file.tokens(other)[:LONGEST], RELATIONS.index(label))
        for one, other, label in texts
    ]
    named = [each for each in network.named_parameters() if each[1].requires_grad]
    groups = {
        _RATE: [each for name, each in named if name.endswith((".A", ".B"))],
        _RATE_OF_NORMS: [each for name, each in named if ".aln." in name or ".oln." in name],
        _RATE_OF_LAST: [each for name, each in named if not name.startswith("layers.")],
    }
    steps = EPOCHS * -(-len(read) // _AT_ONCE)
    optimizer = torch.optim.AdamW(
        [{"params": each, "lr": rate} for rate, each in groups.items()], weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (_WARM * steps)) * max(_LEAST_RATE, 1 - step / steps)
    )
    for epoch in range(EPOCHS):
        lost = []
        for batch in _batches(read, draw):
            turned = [(b, a) if draw.random() < 0.5 else (a, b) for a, b, _ in batch]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = network(turned)
            labels = torch.tensor([label for _, _, label in batch])
            loss = functional.cross_entropy(logits.float(), labels, label_smoothing=_SMOOTHED)
            optimizer.zero_grad()
            loss.backward()
            clip_grad_norm_([each for _, each in named], 1.0)
            optimizer.step()
            schedule.step()
            lost.append(loss.item())
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {np.mean(lost):.3f}", flush=True)
        np.savez_compressed(WEIGHTS, **network.fitted())
    return network


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


def _batches(read: Sequence[Read], draw: random.Random) -> Iterator[list[Read]]:
    """All pairs once, those of like length together, in any order."""
    alike = sorted(read, key=lambda each: len(each[0]) + len(each[1]) + _SHUFFLED * draw.random())
    batches = [alike[start : start + _AT_ONCE] for start in range(0, len(alike), _AT_ONCE)]
    draw.shuffle(batches)
    yield from batches
