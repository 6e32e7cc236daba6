"""The token budget of a context, and its text in the prompt."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from strata.domain.assembly.items import Remembered
from strata.domain.text.recalled import untagged

Tokenizer = Callable[[str], int]
"""Counts the tokens of a text."""

BLOCKS = {
    "facts": "memory:facts",
    "profile": "memory:profile",
    "conclusions": "memory:conclusions",
    "episodes": "memory:episodes",
    "sessions": "memory:sessions",
    "observations": "memory:context",
}
"""The layers in the order of the prompt, each with the tag around its lines."""

LAYERS = tuple(BLOCKS)


def by_characters(text: str) -> int:
    """An estimate of four characters a token, rounded up; close for English and most tokenizers."""
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
    """The items that fit the budget together with the tags of their blocks, in the given order.

    An item that is too long is skipped, and later ones may still fit. Without a budget all fit.
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
    """The text of the items for a prompt: one block for each layer, best first."""
    blocks = []
    for layer in LAYERS:
        lines = [_line(item.content) for item in items if item.layer == layer]
        if lines:
            opening, closing = _tags(layer)
            blocks.append(opening + "".join(lines) + closing)
    return "".join(blocks)


def one_line(text: str) -> str:
    """The text as one line without `<memory:` tags."""
    return untagged(" ".join(text.split()))


def _line(content: str) -> str:
    return f"- {content}\n"


def _tags(layer: str) -> tuple[str, str]:
    return f"<{BLOCKS[layer]}>\n", f"</{BLOCKS[layer]}>\n"
