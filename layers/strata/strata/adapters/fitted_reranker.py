"""The port `Reranker` over multilingual-e5-small with weights fitted to this project's own labelled examples.

The message, the turn before and the memory are read as one text, so that each word is seen beside those of
the others. Half of the layers decide about what is plainly no answer; the rest is read by all of them. The
first half reads the message alone, too: whether it is small talk, or a question that anybody can answer. What
is added to the model is the file `reranker_weights.npz`, which `evals/relevance/reranker` fits. Its log odds
are weighed together with those of the rules, which know how rare a word is and what the neighbours say.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from strata.adapters.e5_file import E5File
from strata.adapters.e5_fitted import FittedModel, Parts, blend, log_odds
from strata.ports.reranker import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).with_name("reranker_weights.npz")
LONGEST = (48, 40, 110)
"""Tokens of a message, of the turn before and of a memory; more are cut."""
_AT_ONCE = 4
_DIGITS = 4
_MOST = 4.0
"""Log odds about a message alone beyond which more say nothing."""


class FittedReranker:
    """Tells how likely memories answer a message, in English, Spanish, German and Chinese.

    A passage takes 20 to 40 ms of a processor, the model 125 MB of memory; it is loaded at the first use,
    once for the process.

    Args:
        weights: what was fitted beside the model.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._model = loaded_once(weights)

    def load(self) -> None:
        self._model.load()

    def relevance(self, query: str, passages: Sequence[Passage]) -> list[float]:
        evidence = signs(passages, self.odds(query, passages), self.message(query))
        return [round(blend(self.weighed, each), _DIGITS) for each in evidence]

    def message(self, query: str) -> tuple[float, ...]:
        """The log odds that a message is small talk, and that anybody can answer it, from -4 to 4.

        Raises:
            ModelFailed: as `odds`.
        """
        bias, *weights = self._model.fitted("message").T
        told = bias + self.mean(query) @ weights
        return tuple(max(-_MOST, min(_MOST, float(each))) for each in told)

    def mean(self, query: str) -> "Floats":
        """The mean of the tokens of a message that is read alone: (width,).

        Raises:
            ModelFailed: as `odds`.
        """
        self._model.load()
        file = self._model.file
        ids = [file.start, *file.tokens(query)[: LONGEST[0]], file.end]
        tokens, _ = self._model([ids], layers=self._model.early)
        mean: Floats = tokens[0].mean(axis=0)
        return mean

    @property
    def weighed(self) -> list[float]:
        """A bias, and the weights of what `signs` gives."""
        return self._model.weighed

    def odds(self, query: str, passages: Sequence[Passage]) -> list[float]:
        """The model's own log odds, four passages of like length at a time.

        Raises:
            ModelFailed: the model's file, or that of what was fitted, is missing or damaged.
        """
        self._model.load()
        return [own for (own,) in self._model.decide(parts(self._model.file, query, passages), _AT_ONCE)]


@cache
def loaded_once(weights: Path) -> FittedModel:
    """The model with these weights, one for the process."""
    return FittedModel(weights)


def parts(file: E5File, query: str, passages: Sequence[Passage]) -> list[Parts]:
    """The tokens of the message, of the turn before and of the memory, for each passage."""
    of_query, of_before, of_text = LONGEST
    asked = file.tokens(query)[:of_query]
    return [
        (
            asked,
            file.tokens(each.before)[:of_before] if each.before else [],
            file.tokens(each.text)[:of_text],
        )
        for each in passages
    ]


def signs(
    passages: Sequence[Passage], odds: Sequence[float], message: Sequence[float]
) -> list[tuple[float, ...]]:
    """The evidence for each passage: the model's log odds, those of the rules, and the model's best of all.

    Each of these counts on its own, and once more for turns; what is told of the message alone follows.

    Args:
        passages: what was read.
        odds: the model's log odds.
        message: the log odds that the message is small talk, and that anybody can answer it.
    """
    best = max(odds, default=0.0)
    found: list[tuple[float, ...]] = []
    for passage, own in zip(passages, odds, strict=True):
        by_rules, turn = log_odds(passage.relevance), float(passage.is_turn)
        found.append((own, own * turn, by_rules, by_rules * turn, turn, best, best * turn, *message))
    return found
