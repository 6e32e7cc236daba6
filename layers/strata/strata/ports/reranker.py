"""Models that read a message and a memory together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Passage:
    """A memory as it is read.

    Attributes:
        text: its title and its text, of a long one the part that answers.
        before: the turn before, of a turn of a conversation; else "".
        is_turn: whether it is one.
        relevance: the probability that it answers, by the rules, 0 to 1.
    """

    text: str
    before: str
    is_turn: bool
    relevance: float


class Reranker(Protocol):
    """A cross-encoder for relevance. It takes milliseconds, so it reads what the rules are unsure of."""

    def load(self) -> None:
        """Load the model, which the first call would do.

        Raises:
            ModelFailed: as `relevance`.
        """

    def relevance(self, query: str, passages: Sequence[Passage]) -> list[float]:
        """The probability that each passage answers the query, 0 to 1.

        Raises:
            ModelFailed: the model can't be loaded or run.
        """
