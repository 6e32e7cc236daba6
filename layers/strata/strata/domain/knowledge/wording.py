"""The sentences of conclusions, in the language of their quotes."""

from collections.abc import Iterable

from strata.domain.text.analysis import words
from strata.domain.text.stop_words import ENGLISH, SPANISH


def is_spanish(quotes: Iterable[str]) -> bool:
    """Whether more words of Spanish than of English join what is quoted."""
    said = [word for quote in quotes for word in words(quote)]
    return sum(word in SPANISH for word in said) > sum(word in ENGLISH for word in said)


def stated(says: str, quote: str) -> str:
    """The sentence of a value that a person stated: in the third person, or their own words as a quotation."""
    if says != quote:
        return says
    return f"Dice: «{says}»" if is_spanish([quote]) else f'Says: "{says}"'


def mentioned(value: str, days: int, quotes: Iterable[str]) -> str:
    """The sentence of a subject that recurs."""
    if is_spanish(quotes):
        return f"Menciona a menudo {value} ({days} días)"
    return f"Often mentions {value} ({days} days)"
