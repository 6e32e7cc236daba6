"""The token budget of a context."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from strata.domain.assembly.items import Remembered
from strata.domain.assembly.passages import PASSAGE, Passages
from strata.domain.assembly.prompt import line, tags

Tokenizer = Callable[[str], int]
"""Counts the tokens of a text."""

_LEAST, _MOST = 200, 1000


def by_characters(text: str) -> int:
    """An estimate of four characters a token, rounded up; close for English and most tokenizers."""
    return math.ceil(len(text) / 4)


def passage_of(budget: int | None) -> int:
    """Characters of a memory of relevance .5 within this budget: about a fifth of it."""
    return PASSAGE if budget is None else min(max(budget * 4 // 5, _LEAST), _MOST)


@dataclass(frozen=True, slots=True)
class Fitting:
    """An item that fits, the tokens of its entry, and its value to the turn."""

    item: Remembered
    tokens: int
    value: float


def fitting(
    items: Iterable[tuple[Remembered, float]],
    budget: int | None,
    tokens_of: Tokenizer,
    passages: Passages,
    project: str | None = None,
) -> list[Fitting]:
    """The items that fit the budget together with the tags of their blocks, in the given order.

    The first item is the best: if it is too long, its best part that fits is given. A later one that is too
    long is skipped, and others may still fit. Without a budget all fit.
    """
    kept: list[Fitting] = []
    left = math.inf if budget is None else budget
    opened: set[str] = set()

    def cost_of(item: Remembered) -> int:
        return tokens_of(line(item, project))

    for place, (given, worth) in enumerate(items):
        item = given
        around = 0 if item.layer in opened else sum(map(tokens_of, tags(item.layer)))
        cost = cost_of(item)
        if place == 0 and cost + around > left:
            item = _shortened(item, left - around, cost_of, passages)
            cost = cost_of(item)
        if cost + around > left or not item.content:
            continue
        left -= cost + around
        opened.add(item.layer)
        kept.append(Fitting(item, cost, worth))
    return kept


def _shortened(
    item: Remembered, tokens: float, cost_of: Callable[[Remembered], int], passages: Passages
) -> Remembered:
    """The item with the longest passage that fits, without its title if the best sentence needs its room."""
    tried = [_longest(each, tokens, cost_of, passages) for each in (item, replace(item, title=""))]
    best = passages.best(item.content)
    whole = (each for each in tried if best and best in each.content)
    return next(whole, next((each for each in tried if each.content), tried[0]))


def _longest(
    item: Remembered, tokens: float, cost_of: Callable[[Remembered], int], passages: Passages
) -> Remembered:
    """The item with the longest passage that fits; without content if there is none."""
    shorter = replace(item, content="")
    fitting, over = 0, len(item.content) + 1
    while over - fitting > 1:
        middle = (fitting + over) // 2
        tried = replace(item, content=passages.of(item.content, middle))
        if cost_of(tried) <= tokens:
            fitting = middle
            shorter = tried if tried.content else shorter
        else:
            over = middle
    return shorter
