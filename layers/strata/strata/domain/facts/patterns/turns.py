"""A turn, read word by word: the cost of a reader grows only with the words that it reads."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from strata.domain.facts.patterns.tables.stops import LINKS, MODIFIERS_STOP, VERBS_STOP
from strata.domain.text.sentences import AFTER_ABBREVIATION

_WORD = re.compile(rf"[^\W_](?:[\w'&+#-]|[./](?=\w)|\.(?:{AFTER_ABBREVIATION})(?=\s))*")
_GAP = re.compile(r"[ ]*")


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as it was written, and folded character by character; `casual` if it has no capitals."""

    written: str
    folded: str
    casual: bool


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a turn, by position."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word(Span):
    """One word, folded."""

    text: str


Reader = Callable[[Turn, int, int], list[Span]]
"""Reads values of a turn from a position to the end of the sentence; returns their spans, if any."""


def is_capital(turn: Turn, word: Word) -> bool:
    """Whether a word begins with a capital."""
    return turn.written[word.start].isupper()


def following(turn: Turn, start: int, end: int, most: int) -> Iterator[Word]:
    """The words from `start` on, as long as only spaces separate them; an abbreviation has its full stop."""
    for _ in range(most):
        gap = _GAP.match(turn.folded, start, end)
        found = _WORD.match(turn.folded, gap.end() if gap else start, end)
        if found is None:
            return
        text = found.group().rstrip("'-")
        drink = text == "te" and turn.written[found.start() + 1] in "éÉ"  # not the pronoun
        yield Word(found.start(), found.start() + len(text), "té" if drink else text.removesuffix("."))
        if len(text) < len(found.group()):
            return
        start = found.end()


def phrase(
    turn: Turn, start: int, end: int, most: int, stops: frozenset[str]
) -> tuple[list[Word], Word | None]:
    """The words of one value, and the stop word that ends it, if any."""
    words: list[Word] = []
    for word in following(turn, start, end, most):
        if word.text in LINKS or word.text in MODIFIERS_STOP or word.text in VERBS_STOP or word.text in stops:
            return words, word
        words.append(word)
    return words, None
