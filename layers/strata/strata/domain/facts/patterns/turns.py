"""A turn as the readers walk it: word by word, so that what they cost grows with what they read and no further."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from strata.domain.facts.patterns.tables.stops import LINKS, MODIFIERS_STOP, VERBS_STOP

_WORD = re.compile(r"[^\W_](?:[\w'&+#-]|[./](?=\w))*")
_GAP = re.compile(r"[ ]*")


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as it was written and folded, character by character; `casual` when it has no capitals."""

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
"""A turn, where to begin and where the sentence ends; the pieces found, none when it is not one."""


def is_capital(turn: Turn, word: Word) -> bool:
    """Whether a word was written with a capital, and not wholly so unless it is short."""
    return turn.written[word.start].isupper()


def following(turn: Turn, start: int, end: int, most: int) -> Iterator[Word]:
    """The words from there, while nothing but spaces stands between them."""
    for _ in range(most):
        gap = _GAP.match(turn.folded, start, end)
        found = _WORD.match(turn.folded, gap.end() if gap else start, end)
        if found is None:
            return
        text = found.group().rstrip("'-")
        drink = text == "te" and turn.written[found.start() + 1] in "éÉ"  # not the pronoun
        yield Word(found.start(), found.start() + len(text), "té" if drink else text)
        if len(text) < len(found.group()):
            return
        start = found.end()


def phrase(
    turn: Turn, start: int, end: int, most: int, stops: frozenset[str]
) -> tuple[list[Word], Word | None]:
    """The words of one thing, and the word that it ends at, if it was a word."""
    words: list[Word] = []
    for word in following(turn, start, end, most):
        if word.text in LINKS or word.text in MODIFIERS_STOP or word.text in VERBS_STOP or word.text in stops:
            return words, word
        words.append(word)
    return words, None
