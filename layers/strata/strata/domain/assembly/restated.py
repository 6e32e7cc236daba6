"""Lines of sessions, episodes and quotes that say nothing beyond what is given beside them."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from strata.domain.assembly.items import Remembered
from strata.domain.text.analysis import words
from strata.domain.text.sentences import sentences

DERIVED = ("sessions", "episodes")
"""The layers of what is made of a whole session."""
_QUOTE = re.compile('(?:Says: "|Dice: \u00ab)(.+)["\u00bb]', re.DOTALL)
"""The text of a conclusion that is a statement in the person's own words."""
_GOES_ON = re.compile(
    r"[;()\u2013\u2014\uff0c\uff1a\uff1b\u3001]|[,:](?!\d)|\s-+\s"
    r"|\b(?:because|since|so|porque|pues|ya que|as\u00ed que|weil|denn)\b|\u56e0\u4e3a|\u6240\u4ee5",
    re.IGNORECASE,
)
"""Where a sentence has said something whole and goes on."""
_MARKS = 8
"""How many of these are read of a sentence."""


def restated(given: Sequence[Remembered]) -> list[Remembered]:
    """The sessions and episodes each sentence of which an observation given with them says, too.

    A session's line is often made of the titles of what was saved in it. An observation says its title and
    its content as it is given: what was left out of it tells nothing.
    """
    notes = _notes(given)
    return [each for each in given if each.layer in DERIVED and _stands_in(notes, _sentences(each.content))]


def echoes(given: Sequence[Remembered], best: Callable[[str], str]) -> list[Remembered]:
    """Of the lines of sessions, and their episodes, those that a query found by what an observation says.

    Args:
        given: what is given together.
        best: the sentence of a text that answers the query best.
    """
    notes = _notes(given)
    lines = [each for each in given if each.layer in DERIVED and each.source and each.relevance > 0]
    return [each for each in lines if notes and _stands_in(notes, [_plain(best(_apart(each.content)))])]


def quotes(given: Sequence[Remembered]) -> list[Remembered]:
    """The conclusions that quote what a session or an episode given with them says.

    An observation does not tell whose it is, and so stands for no quote.
    """
    beside = _said(each.content for each in given if each.layer in DERIVED)
    return [
        each
        for each in given
        if each.layer == "conclusions"
        and (quote := _QUOTE.fullmatch(each.content))
        and _stands_in(beside, _sentences(quote[1]))
    ]


def _notes(given: Iterable[Remembered]) -> frozenset[str]:
    """The sentences of the titles and contents of observations."""
    return _said(
        text for each in given if each.layer == "observations" for text in (each.title, each.content)
    )


def _said(texts: Iterable[str]) -> frozenset[str]:
    """The sentences of texts, and of each its beginnings that end at a mark or before a reason.

    Words inside a sentence may say the contrary: "It is false that the cache is on".
    """
    found = {
        _plain(line[:end])
        for text in texts
        for line in _apart(text).splitlines()
        for end in (*(mark.start() for mark in islice(_GOES_ON.finditer(line), _MARKS)), len(line))
    }
    return frozenset(each for each in found if each.strip())


def _apart(text: str) -> str:
    """Each sentence on a line of its own."""
    return "\n".join(text[each.start : each.end].strip() for each in sentences(text))


def _sentences(text: str) -> list[str]:
    return [plain for line in _apart(text).splitlines() if (plain := _plain(line)).strip()]


def _stands_in(notes: frozenset[str], said: Sequence[str]) -> bool:
    """Whether each of these sentences is one of the notes'; never without any words."""
    return any(each.strip() for each in said) and notes.issuperset(said)


def _plain(text: str) -> str:
    """The words alone, the same whatever their marks and case."""
    return " ".join(words(text))
