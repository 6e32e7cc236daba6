"""Models that tell whether a text follows from another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Entailed:
    """The probabilities that the second text of a pair follows from the first, and contradicts it, 0 to 1."""

    follows: float
    contradicts: float


class Entailment(Protocol):
    """A cross-encoder for natural language inference. Slow: it never stands in the path of a request."""

    @property
    def model(self) -> str:
        """Names the weights: verdicts of two models never mix."""

    @property
    def sure(self) -> float:
        """The probability from which two texts contradict each other where nobody else judges them."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """The verdict on each pair, in their order.

        Raises:
            ModelFailed: the model can't be loaded or run.
        """
