"""What fits into a prompt, and how it stands there."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from strata.domain.assembly.items import Remembered
from strata.domain.text.recalled import untagged

Tokenizer = Callable[[str], int]
"""How many tokens a text comes to."""

BLOCKS = {
    "facts": "memory:facts",
    "profile": "memory:profile",
    "conclusions": "memory:conclusions",
    "episodes": "memory:episodes",
    "sessions": "memory:sessions",
    "observations": "memory:context",
}
"""The layers in the order in which a prompt shows them, each with the tag round its lines."""

LAYERS = tuple(BLOCKS)


def by_characters(text: str) -> int:
    """Four characters a token, rounded up: near enough for English and most tokenizers."""
    return math.ceil(len(text) / 4)


@dataclass(frozen=True, slots=True)
class Fitting:
    """An item that fits, the tokens of its line, and its value to the turn."""

    item: Remembered
    tokens: int
    value: float


def fitting(
    items: Iterable[tuple[Remembered, float]], budget: int | None, tokens_of: Tokenizer
) -> list[Fitting]:
    """The items with their values, best first as they came, that fit the budget with their blocks' tags.

    One that is too long is passed over, and what comes after it may still fit. Without a budget all do.
    """
    kept: list[Fitting] = []
    left = math.inf if budget is None else budget
    opened: set[str] = set()
    for item, worth in items:
        cost = tokens_of(_line(item.content))
        tags = 0 if item.layer in opened else sum(map(tokens_of, _tags(item.layer)))
        if cost + tags > left:
            continue
        left -= cost + tags
        opened.add(item.layer)
        kept.append(Fitting(item, cost, worth))
    return kept


def as_text(items: Sequence[Remembered]) -> str:
    """The items as they go into a prompt: a block for each layer, best first in each."""
    blocks = []
    for layer in LAYERS:
        lines = [_line(item.content) for item in items if item.layer == layer]
        if lines:
            opening, closing = _tags(layer)
            blocks.append(opening + "".join(lines) + closing)
    return "".join(blocks)


def one_line(text: str) -> str:
    """A text as one line that no tag of ours stands in."""
    return untagged(" ".join(text.split()))


def _line(content: str) -> str:
    return f"- {content}\n"


def _tags(layer: str) -> tuple[str, str]:
    return f"<{BLOCKS[layer]}>\n", f"</{BLOCKS[layer]}>\n"
