"""The sentences of a text, by the marks that end them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

EVERY_MARK = re.compile(r"[.!?\u3002\uff01\uff1f]+|\n")
"""Every full stop, exclamation mark or question mark, also a full-width one, and every line."""

ABBREVIATIONS = (
    *(
        "approx",
        "aprox",
        "av",
        "avda",
        "bzw",
        "ca",
        "cf",
        "dr",
        "dra",
        "e.g",
        "fig",
        "i.e",
        "ing",
        "lic",
        "mr",
        "mrs",
        "mt",
    ),
    *("ms", "nr", "prof", "resp", "sr", "sra", "srta", "st", "sta", "sto", "tel", "uds", "vs"),
)
"""Words with a full stop after which a sentence goes on."""
_MAY_END = ("a.m", "co", "corp", "etc", "inc", "jr", "ltd", "p.m", "usw")
"""Words with a full stop that also end sentences: not where a small letter follows."""


def _not_after(words: Iterable[str]) -> str:
    return "".join(rf"(?<!\b(?i:{re.escape(word)})\.)" for word in words)


AFTER_ABBREVIATION = "|".join(rf"(?<=\b(?i:{re.escape(word)})\.)" for word in ABBREVIATIONS)
"""A pattern right after a full stop: it is one of an abbreviation."""
NO_END = _not_after(ABBREVIATIONS)
"""A pattern right after a full stop: it is none of an abbreviation."""
NO_WRITTEN_END = rf"{NO_END}(?<!\b[^\W\d]\.)(?:{_not_after(_MAY_END)}|(?!\s+[a-z\u00df-\u00ff]))"
"""The same for text with its capitals: none of an initial, either, or of "a.m." within a sentence."""
_CLOSING = "\"')\\]\u2019\u201d\u00bb\u300d\u300f\uff09"
WRITTEN_ENDS = re.compile(
    rf"\n+|(?:\.{NO_WRITTEN_END}(?<!\b\d\.)(?<!\b\d\d\.)|[!?\u2026])[.!?\u2026]*[{_CLOSING}]*(?=\s|\Z)|[\u3002\uff01\uff1f\uff1b]+[{_CLOSING}]*"
)
"""The ends of sentences for quoting: no full stop inside a name, after an initial or after an ordinal."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence by its position in the text, without the `mark` that ends it; "" at the end of the text."""

    start: int
    end: int
    mark: str

    @property
    def asks(self) -> bool:
        """Whether a question mark ends it."""
        return "?" in self.mark or "\uff1f" in self.mark


def sentences(text: str, ends: re.Pattern[str] = EVERY_MARK) -> Iterator[Sentence]:
    """The sentences of a text in order.

    Args:
        text: any text.
        ends: matches whatever ends a sentence. Rules that quote or classify sentences leave out a full stop
            inside a number, a file name or a title.
    """
    start = 0
    for mark in ends.finditer(text):
        if mark.start() > start:
            yield Sentence(start, mark.start(), mark.group())
        start = mark.end()
    if start < len(text):
        yield Sentence(start, len(text), "")
