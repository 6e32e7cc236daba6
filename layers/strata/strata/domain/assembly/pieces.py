"""The pieces of a text from which passages are made: sentences, and whole lines of tables and code."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from strata.domain.text.sentences import WRITTEN_ENDS, sentences
from strata.domain.text.strings import MORE

_LONGEST = 240
"""Characters of a piece: a longer sentence, or line of code, counts as several."""

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`\n]*)\Z")
_RULE = re.compile(r"(?=[^\n]*\|)[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*\Z")
_TELLS = re.compile(r"\w")

Line = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text by its position.

    Attributes:
        is_line: whether it is a line of a table or of code, which stands on a line of its own.
        frame: the places of the pieces around it: the row that names the columns, the fences.
        tells: whether it may be given for what it says, and not only as a frame.
    """

    start: int
    end: int
    is_line: bool = False
    frame: tuple[int, ...] = ()
    tells: bool = True


def pieces(text: str) -> list[Piece]:
    """The pieces of a text in order, without those that have no word, but with the fences of code."""
    if "|" not in text and "```" not in text and "~~~" not in text:
        return list(_sentences(text, 0, len(text)))
    lines = list(_lines(text))
    found: list[Piece] = []
    place = prose = 0
    while place < len(lines):
        code = _code(text, lines, place)
        count = code or _table(text, lines, place)
        if count:
            block = lines[place : place + count]
            found += _sentences(text, prose, block[0][0])
            found += (_of_code if code else _of_table)(text, block, len(found))
            prose = block[-1][1]
        place += count or 1
    return [*found, *_sentences(text, prose, len(text))]


def closed(text: str) -> str:
    """The text, with the fence that a block of code lacks at its end."""
    lines = list(_lines(text))
    place = 0
    while place < len(lines):
        count = _code(text, lines, place)
        if count and place + count == len(lines) and not _closes(text, lines[place], lines[-1]):
            return f"{text}\n{_marks(text, lines[place])}"
        place += count or 1
    return text


def _lines(text: str) -> Iterator[Line]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _marks(text: str, line: Line) -> str:
    fence = _FENCE.match(text, *line)
    return fence[1] if fence else ""


def _closes(text: str, opening: Line, line: Line, count: int = 2) -> bool:
    fence = _FENCE.match(text, *line)
    return (
        count > 1
        and fence is not None
        and not fence[2].strip()
        and fence[1].startswith(_marks(text, opening))
    )


def _code(text: str, lines: Sequence[Line], place: int) -> int:
    """The number of lines of the block of code that begins here; one that is not closed goes to the end."""
    if not _marks(text, lines[place]):
        return 0
    later = range(place + 1, len(lines))
    last = next((each for each in later if _closes(text, lines[place], lines[each])), len(lines) - 1)
    return last - place + 1


def _table(text: str, lines: Sequence[Line], place: int) -> int:
    """The number of lines of the table, or of the part of one, that begins here."""
    start, end = lines[place]
    headed = "|" in text[start:end] and place + 1 < len(lines) and _RULE.match(text, *lines[place + 1])
    if not headed and not _ROW.match(text, start, end):
        return 0
    count = 2 if headed else 1
    for start, end in lines[place + count :]:
        if "|" not in text[start:end] and text[start:end].strip() != MORE:
            break
        count += 1
    return count


def _of_table(text: str, block: Sequence[Line], place: int) -> Iterator[Piece]:
    headed = len(block) > 1 and _RULE.match(text, *block[1])
    if headed:
        yield Piece(block[0][0], block[1][1], is_line=True)
    for start, end in block[2:] if headed else block:
        if _TELLS.search(text, start, end):
            yield Piece(start, end, is_line=True, frame=(place,) if headed else ())


def _of_code(text: str, block: Sequence[Line], place: int) -> list[Piece]:
    inside: list[Piece] = []
    for start, end in block[1:-1]:
        if end - start > _LONGEST:
            inside += (replace(each, is_line=True) for each in _sentences(text, start, end))
        elif _TELLS.search(text, start, end):
            inside.append(Piece(start, end, is_line=True, tells=not _marks(text, (start, end))))
        elif inside:
            inside[-1] = replace(inside[-1], end=end)
    frame = place, place + len(inside) + 1
    opening, closing = (Piece(*line, is_line=True, tells=False) for line in (block[0], block[-1]))
    return [opening, *(replace(each, frame=frame) for each in inside), closing]


def _sentences(text: str, first: int, last: int) -> Iterator[Piece]:
    """The sentences of a part of a text, each with its mark; long ones in parts that end after a word."""
    for sentence in sentences(text[first:last], WRITTEN_ENDS):
        start, end = first + sentence.start, first + sentence.end + len(sentence.mark.rstrip("\n"))
        while end - start > _LONGEST:
            space = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
            middle = space + 1 if space > 0 else start + _LONGEST
            yield Piece(start, middle)
            start = middle
        if _TELLS.search(text, start, end):
            yield Piece(start, end)
