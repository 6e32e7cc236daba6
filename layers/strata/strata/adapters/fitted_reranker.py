"""The port `Reranker` over multilingual-e5-small with weights fitted to this project's own labelled examples.

The message, the turn before and the memory are read as one text, so that each word is seen beside those of
the others; half of the model's layers are enough. What is added to the model is the file
`reranker_weights.npz`, which `evals/relevance/reranker` fits. Its log odds are weighed together with those of
the rules, which know how rare a word is and what the neighbours say.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from strata.adapters.e5_file import E5File
from strata.adapters.e5_fitted import FittedModel, Parts, blend, log_odds
from strata.ports.reranker import Passage

WEIGHTS = Path(__file__).with_name("reranker_weights.npz")
LONGEST = (48, 40, 110)
"""Tokens of a message, of the turn before and of a memory; more are cut."""
_AT_ONCE = 4
_DIGITS = 4


class FittedReranker:
    """Tells how likely memories answer a message, in English, Spanish, German and Chinese.

    A passage takes some 20 ms of a processor, the model 70 MB of memory; it is loaded at the first use, once
    for the process.

    Args:
        weights: what was fitted beside the model.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._model = _loaded_once(weights)

    def load(self) -> None:
        self._model.load()

    def relevance(self, query: str, passages: Sequence[Passage]) -> list[float]:
        evidence = signs(passages, self.odds(query, passages))
        return [round(blend(self.weighed, each), _DIGITS) for each in evidence]

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
def _loaded_once(weights: Path) -> FittedModel:
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


def signs(passages: Sequence[Passage], odds: Sequence[float]) -> list[tuple[float, ...]]:
    """The evidence for each passage: the model's log odds, those of the rules, and the model's best of all.

    Each counts on its own, and once more for turns.

    Args:
        passages: what was read.
        odds: the model's log odds.
    """
    best = max(odds, default=0.0)
    found: list[tuple[float, ...]] = []
    for passage, own in zip(passages, odds, strict=True):
        by_rules, turn = log_odds(passage.relevance), float(passage.is_turn)
        found.append((own, own * turn, by_rules, by_rules * turn, turn, best, best * turn))
    return found
