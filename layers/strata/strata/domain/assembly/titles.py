"""Titles in front of texts that may say the same."""

from strata.domain.text.analysis import words
from strata.domain.text.strings import shortened

_MOST = 200
"""The most characters of a title in a prompt."""
_SENTENCE = 3
"""Words from which a title is a saying of its own, and not only a name."""
_CUT = 40
"""Characters from which a title that breaks off inside a word is the beginning of its text."""

_MARKS = " #*_->\"'\u201c\u201d\u00ab\u00bb.,;:!?\u2026\u3002\uff01\uff1f"


def titled(kind: str, title: str, text: str) -> str:
    """`[type] title: text`, without the title where the text says it."""
    name = " ".join(title.split())
    heading = "" if not name or says(text, name) else f"{shortened(name, _MOST)}: "
    return f"[{' '.join(kind.split())}] {heading}{text}"


def says(text: str, title: str) -> bool:
    """Whether a text begins with a title, or holds one of several words, whatever their marks and case."""
    said, name = _plain(text), _plain(title)
    if said.startswith(name) and (len(name) >= _CUT or not said[len(name) : len(name) + 1].isalnum()):
        return True
    return len(words(name)) >= _SENTENCE and name in said


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(_MARKS)
