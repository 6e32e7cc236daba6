"""The line of a session: the sentences that say what was decided, learnt or left open."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from strata.domain.dedup import normalized
from strata.domain.relevance.asking import telling_words
from strata.domain.text.analysis import words
from strata.domain.text.strings import shortened
from strata.domain.worth.points import Point, Told

LONGEST = 400
"""Characters of a line."""

LONGEST_GIVEN = 1000
"""Characters of a line that the agent wrote."""

_MOST = 3
_SENTENCE = 240
_TELLING = 2
"""The fewest telling words of a sentence that is understood by itself; what tells of a change needs none."""
_TITLE = 3
"""Words from which the title of an observation says something."""
_ORDER = (Point.DECIDED, Point.CHANGED, Point.LEARNT, Point.OPEN, Point.DONE)

_SUMMARY = "session_summary"
"""The type of an observation that sums up its session (engram)."""
_KINDS = {"decision": Point.DECIDED, "todo": Point.OPEN, "question": Point.OPEN}
_OPENING = re.compile(
    r"^(?:(?:so|ok|okay|great|well|nice|right|yes|no|and|but|also|gut|ja|nein|bien|si|vale|perfecto|\u597d\u7684)[,:.!] ?)+",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[.!?…。！？][^\w`]*\Z")
_TO_REMEMBER = re.compile(
    r"^(?:please |por favor,? )?(?:remember|note|keep in mind|bear in mind|don'?t forget|recuerda|ten en cuenta|toma nota de"
    r"|no olvides|denk daran|merk dir|vergiss nicht|请记住|记住)[,:\uff0c\uff1a]? ?(?:that |que |dass )?",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3400-\u9fff]")


class Note(NamedTuple):
    """An observation that was saved in the session."""

    type: str
    title: str
    content: str = ""


def gist(told: Iterable[Told], notes: Sequence[Note] = ()) -> str:
    """The line of a session, at most three sentences in their order; "" for one without worth.

    A summary that the agent saved is the line. Else its observations come first, because it chose their words;
    then the latest decision, what changed last for the user, what was learnt last and what was left open last.

    Args:
        told: the points of the conversation, in order.
        notes: its observations, in order.
    """
    written = [note.content for note in notes if note.type == _SUMMARY and note.content.strip()]
    if written:
        return shortened(written[-1].strip(), LONGEST_GIVEN)
    of_notes = [
        Told(_KINDS.get(note.type, Point.LEARNT), -1, note.title)
        for note in notes
        if len(words(note.title)) >= _TITLE
    ]
    known: dict[str, tuple[int, Told]] = {}
    for place, each in enumerate([*of_notes, *told]):
        if each.point is Point.CHANGED or len(telling_words(each.text)) >= _TELLING:
            same = known.get(_plain(each.text))
            # Of a sentence and the order to remember it the sentence is enough.
            shorter = same is not None and len(same[1].text) < len(each.text)
            known[_plain(each.text)] = place, same[1] if same is not None and shorter else each
    best: list[tuple[int, Told]] = []
    left = sorted(known.values(), key=lambda each: (each[1].place >= 0, -each[0]))
    while left and len(best) < _MOST:
        taken = {each.point for _, each in best}
        chosen = next(
            (each for point in _ORDER if point not in taken for each in left if each[1].point is point),
            left[0],
        )
        left.remove(chosen)
        if not any(_says(each.text, chosen[1].text) for _, each in best):
            best = [each for each in best if not _says(chosen[1].text, each[1].text)]
            best.append(chosen)
    return _line(each.text for _, each in sorted(best))


def chosen(sentences: Sequence[str], said: Iterable[str]) -> str:
    """The line of these sentences, at most three; "" where one of them does not stand in the messages.

    Args:
        sentences: what a language model chose.
        said: the messages that it was shown.
    """
    messages = list(said)
    if not all(len(telling_words(each)) >= _TELLING for each in sentences[:_MOST]):
        return ""
    if not all(any(each in message for message in messages) for each in sentences):
        return ""
    apart: list[str] = []
    for each in sentences[:_MOST]:
        if not any(_says(other, each) for other in apart):
            apart = [*(other for other in apart if not _says(each, other)), each]
    return _line(apart)


def _line(sentences: Iterable[str]) -> str:
    line = ""
    for each in sentences:
        said = _sentence(each)
        gap = "" if not line or _UNSPACED.match(said) else " "
        if len(line) + len(gap) + len(said) <= LONGEST:
            line += gap + said
    return line


def _sentence(text: str) -> str:
    """The sentence without what opened it, with a mark at its end."""
    said = " ".join(text.split())
    said = shortened(_OPENING.sub("", said) or said, _SENTENCE).rstrip(";,: ")
    if _MARKED.search(said):
        return said
    return said + ("\u3002" if _UNSPACED.search(said) else ".")


def _says(longer: str, text: str) -> bool:
    """Whether a sentence says another one word by word."""
    whole, part = _plain(longer), _plain(text)
    if _UNSPACED.search(part):
        return part in whole
    return f" {' '.join(_WORD.findall(part))} " in f" {' '.join(_WORD.findall(whole))} "


def _plain(text: str) -> str:
    """The words of a sentence for comparison, without an order to remember them."""
    return _TO_REMEMBER.sub("", normalized(_sentence(text))).strip(" .!?\u3002\uff01")
