"""A reranker that a test tells what it answers."""

from collections.abc import Mapping, Sequence

from strata.domain.errors import ModelFailed
from strata.ports.reranker import Passage


class Scripted:
    """Port `Reranker`: the relevance of a passage by a part of its text; others keep that of the rules.

    Attributes:
        told: the relevance of a passage by a part of its text.
        broken: whether it fails.
        asked: the query and the passages of each call.
    """

    def __init__(self, told: Mapping[str, float]) -> None:
        self.told = told
        self.broken = False
        self.asked: list[tuple[str, Sequence[Passage]]] = []

    def load(self) -> None:
        """There is nothing to load."""

    def relevance(self, query: str, passages: Sequence[Passage]) -> list[float]:
        self.asked.append((query, passages))
        if self.broken:
            raise ModelFailed("the weights are damaged")
        return [self._of(each) for each in passages]

    def read(self) -> list[str]:
        """The texts of the last call."""
        return [each.text for each in self.asked[-1][1]]

    def _of(self, passage: Passage) -> float:
        return next((likely for part, likely in self.told.items() if part in passage.text), passage.relevance)
