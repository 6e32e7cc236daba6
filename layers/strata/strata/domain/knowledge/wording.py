"""The sentences of conclusions, in the language of their quotes."""

import re
from collections.abc import Iterable, Sequence

from strata.domain.text.analysis import words
from strata.domain.text.common import is_spanish

_SPANISH = re.compile("[\u00e1\u00ed\u00f3\u00fa\u00f1\u00bf\u00a1]")
"""Letters and marks that English lacks."""
_SHOWN, _LONGEST = 3, 60
"""The most quotes in a conclusion's text, and the characters of one."""


def _in_spanish(quotes: Iterable[str]) -> bool:
    quotes = list(quotes)
    return is_spanish([word for quote in quotes for word in words(quote)]) or any(
        map(_SPANISH.search, quotes)
    )


def quoted(clause: str, message: str) -> str:
    """The sentence of what a person stated in their own words, in the language of the whole message."""
    return f"Dice: «{clause}»" if _in_spanish([message]) else f'Says: "{clause}"'


def mentioned(value: str, days: int, quotes: Iterable[str]) -> str:
    """The sentence of a subject that recurs."""
    if _in_spanish(quotes):
        return f"Menciona a menudo {value} ({days} días)"
    return f"Often mentions {value} ({days} days)"


def recurring(value: str, days: int, quotes: Sequence[str]) -> str:
    """The sentence of what shows in other words each time, with the longest of them."""
    longest = sorted(dict.fromkeys(quotes), key=lambda quote: (-min(len(quote), _LONGEST), quote))
    shown = [_short(quote) for quote in longest[:_SHOWN]]
    if _in_spanish(quotes):
        told = ", ".join(f"«{each}»" for each in shown)
        return f"Vuelve a menudo a {value} ({days} días): {told}"
    told = ", ".join(f'"{each}"' for each in shown)
    return f"Keeps coming back to {value} ({days} days): {told}"


def _short(quote: str) -> str:
    """The beginning of a quote, up to a word's end."""
    return quote if len(quote) <= _LONGEST else f"{quote[:_LONGEST].rsplit(' ', 1)[0]}\u2026"


def at_hours(first: int, last: int, days: int, values: Sequence[str], quotes: Sequence[str]) -> str:
    """The sentence of a time of day, in minutes of the day, and what is mentioned then."""
    begins, ends = (f"{minute // 60:02}:{minute % 60:02}" for minute in (first, last))
    told = ", ".join(values)
    if _in_spanish(quotes):
        return f"Escribe a menudo entre las {begins} y las {ends} UTC ({days} días), p. ej. sobre: {told}"
    return f"Often writes between {begins} and {ends} UTC ({days} days), e.g. about: {told}"
