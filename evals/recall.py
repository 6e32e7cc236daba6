"""Recall of the evidence among the first hits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from evals.dataset import CATEGORIES, Question, TurnId

DEPTHS = (5, 10, 20)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the turns that each hit stands for (best first), and the time it took."""

    question: Question
    hits: Sequence[Collection[TurnId]]
    seconds: float


def recall(asked: Asked, depth: int) -> float:
    """Share of the question's evidence among its first `depth` hits."""
    found = set().union(*asked.hits[:depth])
    return len(asked.question.gold & found) / len(asked.question.gold)


def by_category(answers: Sequence[Asked]) -> Mapping[str, Mapping[int, float]]:
    """Mean recall at each depth: of each category that was asked, and of all questions (`overall`)."""
    groups = {
        name: [each for each in answers if each.question.category == number]
        for number, name in CATEGORIES.items()
    } | {"overall": list(answers)}
    return {
        name: {depth: fmean(recall(each, depth) for each in group) for depth in DEPTHS}
        for name, group in groups.items()
        if group
    }
