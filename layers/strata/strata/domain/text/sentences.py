"""The sentences of a text, by the marks that end them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

EVERY_MARK = re.compile(r"[.!?\u3002\uff01\uff1f]+|\n")
"""Every full stop, exclamation mark or question mark, also a full-width one, and every line."""

_NAMES = (r"\w", r"\d\d", "Dr", "Mr", "Ms", "Mrs", "Sr", "Sra", "St", "Nr", "vs", "ca")
_NO_ENDS = "".join(rf"(?<!\b{name}\.)" for name in _NAMES)
_CLOSING = "\"')\\]\u2019\u201d\u00bb\u300d\u300f\uff09"
WRITTEN_ENDS = re.compile(
    rf"\n+|(?:\.{_NO_ENDS}|[!?\u2026])[.!?\u2026]*[{_CLOSING}]*(?=\s|\Z)|[\u3002\uff01\uff1f\uff1b]+[{_CLOSING}]*"
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
