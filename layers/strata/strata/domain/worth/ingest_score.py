"""Whether an agent's answer is a synthesis worth keeping (agtOS, Query-as-Ingest), in points.

A baseline of 4; 3 for tools, 2 for two steps or more, 2 for more than 1 000 characters or 1 for more than
500, 1 for the words or the form of a synthesis. From 6 points on it is kept. Points are tenths of importance.
"""

import re

from strata.domain.text.folding import fold

KEPT_FROM = 6
"""Points from which an answer is kept."""

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
"""Comparison, weighing, conclusion; or the line under the head of a Markdown table."""


def points(response: str, *, tools: bool, steps: int) -> int:
    """The points of a response in which tools were called or not, after so many steps of reasoning."""
    total = _BASELINE + _TOOLS * tools + _STEPS * (steps >= _MANY_STEPS)
    if len(response) > _LONG_FROM:
        total += _LONG
    elif len(response) > _MIDDLING_FROM:
        total += _MIDDLING
    return total + _SYNTHESIS * synthetic(response)


def synthetic(response: str) -> bool:
    """Whether it compares, weighs or concludes, or holds a table."""
    return _PATTERN.search(fold(response)) is not None


def importance(scored: int) -> float:
    """Points on the common scale, at most 1."""
    return min(scored, 10) / 10
