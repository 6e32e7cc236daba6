"""From evidence to a probability: a logistic for each kind of memory, fitted to labelled examples."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from strata.domain.relevance import sentence_weights, weights
from strata.domain.relevance.asking import read
from strata.domain.relevance.evidence import (
    ANSWERING,
    FULL,
    LEXICAL,
    SENTENCES,
    Seen,
    answering,
    full,
    lexical,
    sentences,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
else:
    from strata.domain import arrays as np

_DIGITS = 4

LIKE_A_SEARCH = 0.1
"""Of a memory with all of a few common words: between the floors, since they ask in a search, not in talk."""

_LIKE_A_SEARCH_OF_SENTENCES = 0.05
"""The same between the floors of the sentence embedder."""


class Judge(Protocol):
    """Tells how relevant the candidates of a search are."""

    def relevance(self, seen: Seen, turns: "NDArray[np.bool_]") -> "Floats":
        """The probability that each candidate answers, 0 to 1; `turns` is true for turns: (candidates,)."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Port `Judge`: makes relevance of evidence.

    Attributes:
        read: gives the evidence: (candidates, numbers).
        names: of the numbers, in order.
        notes, turns: the weight of each number and of `bias`, for memories that stand alone, and for turns
            of a conversation.
        bare: the relevance of a memory with all of a few common words alone, with a part of them that part
            of it; None where they ask as a sentence does.
    """

    read: "Callable[[Seen], Floats]"
    names: tuple[str, ...]
    notes: Mapping[str, float]
    turns: Mapping[str, float]
    bare: float | None = LIKE_A_SEARCH

    def relevance(self, seen: Seen, turns: "NDArray[np.bool_]") -> "Floats":
        """The probability that each candidate answers, 0 to 1; 0 where the query asks nothing."""
        telling = seen.telling()
        if not telling.any():
            return np.zeros(len(seen.scores))
        if self.bare is not None and read(seen.query).bare:
            return np.asarray(np.round(self.bare * (seen.exact @ telling) / telling.sum(), _DIGITS))
        evidence = self.read(seen)
        logits = np.where(turns, self._logits(evidence, self.turns), self._logits(evidence, self.notes))
        return np.asarray(np.round(1 / (1 + np.exp(-np.clip(logits, -30, 30))), _DIGITS))

    def _logits(self, evidence: "Floats", weights: Mapping[str, float]) -> "Floats":
        return np.asarray(evidence @ np.array([weights[name] for name in self.names]) + weights["bias"])


BY_WORDS = Calibration(lexical, LEXICAL, weights.WORDS_OF_NOTES, weights.WORDS_OF_TURNS)
"""For every embedder, every ranking and every lexicon."""

CALIBRATED = {
    weights.EMBEDDER: Calibration(full, FULL, weights.NOTES, weights.TURNS),
    sentence_weights.EMBEDDER: Calibration(
        sentences,
        SENTENCES,
        sentence_weights.NOTES,
        sentence_weights.TURNS,
        bare=_LIKE_A_SEARCH_OF_SENTENCES,
    ),
}
"""By the embedder that it was fitted with; it holds for the default weights of the ranking."""


def calibration(embedder: str, *, default_ranking: bool) -> Calibration:
    """The calibration for an embedder and a ranking: by words alone where none was fitted to them."""
    return CALIBRATED.get(embedder, BY_WORDS) if default_ranking else BY_WORDS


ANSWERS = {
    weights.EMBEDDER: Calibration(
        answering, ANSWERING, weights.ANSWERING_NOTES, weights.ANSWERING_TURNS, bare=None
    ),
}
"""Whether the best statement about a person answers a question, by the embedder; in place of `CALIBRATED`."""


def answer_calibration(embedder: str, *, default_ranking: bool) -> Calibration:
    """The calibration of answers; by words alone where none was fitted."""
    return ANSWERS.get(embedder, BY_WORDS) if default_ranking else BY_WORDS
