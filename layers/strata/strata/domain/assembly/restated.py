"""Lines of sessions, episodes and quotes that say nothing beyond what is given beside them."""

import re
from collections.abc import Callable, Iterable, Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.text.analysis import words
from strata.domain.text.sentences import sentences

_DERIVED = ("sessions", "episodes")
_QUOTE = re.compile('(?:Says: "|Dice: \u00ab)(.+)["\u00bb]', re.DOTALL)
"""The text of a conclusion that is a statement in the person's own words."""


def restated(given: Sequence[Remembered]) -> list[Remembered]:
    """The sessions and episodes each sentence of which stands in an observation given with them.

    A session's line is often made of the titles of what was saved in it. An observation says its title and
    its content as it is given: what was left out of it tells nothing.
    """
    notes = _notes(given)
    return [each for each in given if each.layer in _DERIVED and _stands_in(notes, _sentences(each.content))]


def echoes(given: Sequence[Remembered], best: Callable[[str], str]) -> list[Remembered]:
    """Of the lines of sessions, and their episodes, those that a query found by what an observation says.

    Args:
        given: what is given together.
        best: the sentence of a text that answers the query best.
    """
    notes = _notes(given)
    lines = [each for each in given if each.layer in _DERIVED and each.source and each.relevance > 0]
    return [each for each in lines if notes and _stands_in(notes, [_plain(best(_apart(each.content)))])]


def quotes(given: Sequence[Remembered]) -> list[Remembered]:
    """The conclusions that quote what stands in a session, an episode or an observation given with them."""
    beside = [_plain(each.content) for each in given if each.layer in (*_DERIVED, "observations")]
    return [
        each
        for each in given
        if each.layer == "conclusions"
        and (quote := _QUOTE.fullmatch(each.content))
        and _stands_in(beside, [_plain(quote[1])])
    ]


def _notes(given: Iterable[Remembered]) -> list[str]:
    """What observations say, each title and each content."""
    return [
        _plain(text) for each in given if each.layer == "observations" for text in (each.title, each.content)
    ]


def _apart(text: str) -> str:
    """Each sentence on a line of its own."""
    return "\n".join(text[each.start : each.end].strip() for each in sentences(text))


def _sentences(text: str) -> list[str]:
    return [plain for line in _apart(text).splitlines() if (plain := _plain(line)).strip()]


def _stands_in(notes: Iterable[str], said: Sequence[str]) -> bool:
    """Whether each of these sentences is among the words of a note; never without any words."""
    return any(each.strip() for each in said) and all(any(each in note for note in notes) for each in said)


def _plain(text: str) -> str:
    """The words alone, so that whole words are found whatever their marks and case."""
    return f" {' '.join(words(text))} "
