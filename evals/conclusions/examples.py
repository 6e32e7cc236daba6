"""Labelled messages as a tagger learns them, and the statements in them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from evals.conclusions.diaries import Diary, Line
from evals.conclusions.stated import Message, Values
from evals.entities.fitting import Example
from strata.domain.entities.reading import words
from strata.domain.entities.tags import tags_of
from strata.domain.facts.patterns.reading import own
from strata.domain.knowledge.clues import clues
from strata.domain.knowledge.stated import own_part_of, stated
from strata.domain.knowledge.statements import STATED, Said, Sighting


def example(message: Message) -> Example | None:
    """The clues and tags of a message's words; None if none of the words are the person's own."""
    read_words = words(own_part_of(own(message.text)))
    return (list(clues_of(message.text)), tags_of(read_words, message.values)) if read_words else None


def clues_of(text: str) -> Iterator[list[str]]:
    """The clues of each word of a text that is the person's own."""
    written = own(text)
    read_words = words(own_part_of(written))
    return clues(written, read_words) if read_words else iter(())


def of_diaries(diaries: Sequence[Diary]) -> Iterator[Message]:
    """The lines of diaries with the values of their conflicts, without lines about other lasting things."""
    for diary in diaries:
        for line in diary.lines:
            if line.label != "s":
                yield Message(line.text, values_of(diary, line))


def values_of(diary: Diary, line: Line) -> Values:
    """The values of a conflict that a line tells."""
    conflict = next((each for each in diary.conflicts if line.label in {f"{each.id}-", f"{each.id}+"}), None)
    if conflict is None:
        return ()
    told_before = [each for each in diary.labelled(line.label) if each.number < line.number]
    newest = line.label.endswith("+")
    value = conflict.new if newest else conflict.old[len(told_before)]
    start, end = _place(line.text, value)
    found = [(start, end, "new" if newest or told_before else "now")]
    for old in conflict.old if newest else ():
        place = _place(line.text, old)
        if place != (0, 0) and not (place[0] < end and start < place[1]):
            found.append((*place, "old"))
    return tuple(found)


def _place(text: str, value: str) -> tuple[int, int]:
    """The span of a value in a line, as a whole word if possible; (0, 0) if the line does not have it."""
    whole = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE)
    found = whole or re.search(re.escape(value), text, re.IGNORECASE)
    return found.span() if found else (0, 0)


@lru_cache(10_000)
def sighting(message: Message) -> Sighting:
    """The sighting of a message's value, found for sure."""
    start, end, tense = next(each for each in message.values if each[2] != "old")
    read_words = words(own_part_of(own(message.text)))

    def certain(*_: object) -> list[dict[str, float]]:
        return [{tag: 1.0} for tag in tags_of(read_words, [(start, end, tense)])]

    found = (each for each in stated(Said(message.text, 0, "", 0), certain) if each.single)
    return next(found, _bare(message, start, end, tense))


def _bare(message: Message, start: int, end: int, tense: str) -> Sighting:
    """The sighting of a value that is not read, since it stands in a quotation, say."""
    return Sighting(
        f"{STATED}:{message.text[start:end]}",
        message.text[start:end],
        True,
        False,
        True,
        message.text,
        0,
        "",
        "",
        tense == "new",
        message.text,
    )
