"""A text as the words that a recogniser reads: with their capitals, and where sentences begin."""

import re
from dataclasses import dataclass

from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.text.folding import fold
from strata.domain.text.sentences import ABBREVIATIONS

LONGEST = 50_000
"""The most characters of a text that are read."""

_HIDDEN = re.compile(
    r"```.{0,100000}?(?:```|\Z)|`[^`\n]{0,400}`"  # code
    r"|https?://\S{1,2000}|\bwww\.\S{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}[\w.-]{0,200}"
    r"|<[^<>\n]{1,200}>|(?:(?<=\s)|\A)[~.]?/[^\s,;]{2,400}|[@#][\w-]{1,60}",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W_](?:[\w\u0300-\u036f]|['\u2019](?=[^\W\d_])|[-&.](?=\w))*|&")
_PLAIN = re.compile(r"['\u2019]? ?")
_ENDS = frozenset('.!?:\n"\u201c\u201d\u00ab\u00bf\u00a1\u2026*>|\u2022[]')
_SHORT = word_set("sta sto rev capt sgt gen jr ma fco") | set(ABBREVIATIONS)
_OPENING = '"\u201c\u00ab\u2018'
_CLOSING = frozenset('"\u201d\u00bb\u2019')


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text without the possessive.

    Attributes:
        start: where it begins in the text.
        end: where it ends.
        text: as it is written.
        fold: in lower case and without accents.
        capital: whether it begins with a capital.
        begins: whether it begins a sentence, a quotation or a line, where a capital says nothing.
        joined: whether only a space, or the stop of an abbreviation, is between it and the word before.
        comma: whether a comma or a bracket is.
        possessive: whether "'s" follows.
        opens: whether a quotation mark stands right before it.
        closes: whether one stands after it, or after its mark.
    """

    start: int
    end: int
    text: str
    fold: str
    capital: bool
    begins: bool
    joined: bool
    comma: bool
    possessive: bool
    opens: bool
    closes: bool


def words(text: str) -> list[Word]:
    """The words of the text in order, without code, addresses and paths."""
    text = _HIDDEN.sub(lambda hidden: "\n" * len(hidden.group()), text[:LONGEST])
    found: list[Word] = []
    end = 0
    for match in _WORD.finditer(text):
        written, start = match.group(), match.start()
        possessive = len(written) > 2 and written[-2:].lower() in {"'s", "\u2019s"}
        if possessive:
            written = written[:-2]
        gap = text[end:start]
        short = bool(found) and gap in {". ", "."} and (found[-1].fold in _SHORT or _is_initial(found[-1]))
        found.append(
            Word(
                start,
                start + len(written),
                written,
                fold(written).replace("\u2019", "'"),
                written[0].isupper(),
                not found or (not short and not _ENDS.isdisjoint(gap)) or (not end and bool(gap.strip())),
                bool(found) and (short or (_PLAIN.fullmatch(gap) is not None and bool(gap))),
                "," in gap or "(" in gap or "\u2014" in gap or "\u2013" in gap,
                possessive,
                gap[-1:] in _OPENING and bool(gap),
                not _CLOSING.isdisjoint(text[match.end() : match.end() + 2].partition(" ")[0]),
            )
        )
        end = match.end()
    return found


def _is_initial(word: Word) -> bool:
    letters = word.text.split(".")
    return all(len(letter) == 1 for letter in letters) and word.text.isupper() and word.text != "I"
