"""The token budget of a context, and its text in the prompt."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

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

_MORE = "…"
_SHORTEST = 30
"""Characters below which the beginning of a memory tells nothing."""


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

    The first item is the best: if it is too long, it is cut to what fits. A later one that is too long is
    skipped, and others may still fit. Without a budget all fit.
    """
    kept: list[Fitting] = []
    left = math.inf if budget is None else budget
    opened: set[str] = set()
    for place, (given, worth) in enumerate(items):
        item = given
        cost = tokens_of(_line(item.content))
        tags = 0 if item.layer in opened else sum(map(tokens_of, _tags(item.layer)))
        if place == 0 and cost + tags > left:
            item = replace(item, content=_shortened(item.content, left - tags, tokens_of))
            cost = tokens_of(_line(item.content))
        if cost + tags > left or not item.content:
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


def _shortened(content: str, tokens: float, tokens_of: Tokenizer) -> str:
    """The longest beginning of whole words that fits as a line; "" if that is too short to be of use."""
    fits, over = 0, len(content)
    while over - fits > 1:
        middle = (fits + over) // 2
        if tokens_of(_line(content[:middle] + _MORE)) <= tokens:
            fits = middle
        else:
            over = middle
    beginning, space, _ = content[:fits].rpartition(" ")
    beginning = (beginning if space else content[:fits]).rstrip()
    return beginning + _MORE if len(beginning) >= _SHORTEST else ""


def _line(content: str) -> str:
    return f"- {content}\n"


def _tags(layer: str) -> tuple[str, str]:
    return f"<{BLOCKS[layer]}>\n", f"</{BLOCKS[layer]}>\n"
