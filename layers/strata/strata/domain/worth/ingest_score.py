"""Points of an agent's response: whether it is a synthesis worth an episode (agtOS, Query-as-Ingest).

The baseline is 4. Tools add 3, two steps or more add 2, more than 1 000 characters add 2 or more than 500 add 1,
and the words or the form of a synthesis add 1. From 6 points on it is stored. A point is a tenth of importance.
"""

import re

from strata.domain.text.folding import fold

KEPT_FROM = 6
"""The fewest points of a response that is stored."""

_BASELINE, _TOOLS, _STEPS, _LONG, _MIDDLING, _SYNTHESIS = 4, 3, 2, 2, 1, 1
_MANY_STEPS, _LONG_FROM, _MIDDLING_FROM = 2, 1000, 500

_PATTERN = re.compile(
    r"\b(?:compared (?:to|with)|in comparison|by contrast|in contrast (?:to|with)|trade-?offs?|pros and cons"
    r"|advantages and disadvantages|(?:the |my |this |our )?analysis (?:shows|suggests|indicates|reveals)"
    r"|on (?:the )?one hand|on balance|taken together|in summary|to summari[sz]e|overall, "
    r"|the evidence (?:shows|suggests)"
    r"|en comparacion|comparado con|a diferencia de|por otro lado|ventajas y (?:desventajas|inconvenientes)"
    r"|el analisis (?:muestra|indica|sugiere)|en resumen|en conclusion)"
    r"|^[ \t]{0,3}\|?(?:[ \t]{0,40}:?-{2,40}:?[ \t]{0,40}\|){1,50}[ \t]{0,40}(?::?-{2,40}:?)?[ \t]{0,40}$",
    re.MULTILINE,
)
"""A comparison, a weighing or a conclusion; or the line under the head of a Markdown table."""


def points(response: str, *, tools: bool, steps: int) -> int:
    """The points of a response, by its text, the use of tools and the number of reasoning steps."""
    total = _BASELINE + _TOOLS * tools + _STEPS * (steps >= _MANY_STEPS)
    if len(response) > _LONG_FROM:
        total += _LONG
    elif len(response) > _MIDDLING_FROM:
        total += _MIDDLING
    return total + _SYNTHESIS * synthetic(response)


def synthetic(response: str) -> bool:
    """Whether the response compares, weighs or concludes, or contains a table."""
    return _PATTERN.search(fold(response)) is not None


def importance(scored: int) -> float:
    """The importance for these points, at most 1."""
    return min(scored, 10) / 10
