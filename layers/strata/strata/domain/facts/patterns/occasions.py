"""Dates that matter to the speaker: a birthday, a deadline, a wedding, a trip."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from strata.domain.facts.patterns.tables.language import DATE_PATTERN
from strata.domain.facts.patterns.tables.occasions import OTHERS, PATTERNS
from strata.domain.facts.patterns.turns import Span, Turn
from strata.domain.text.sentences import Sentence

_PAST = re.compile(r"ó\b|\b(?:was|were|had)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Occasion:
    """A date with its occasion: its position, and a value such as "14 March: birthday"."""

    span: Span
    value: str


def occasions(turn: Turn, start: int, sentence: Sentence) -> Iterator[Occasion]:
    """The occasion in a clause; none if it is another person's or a question."""
    if not DATE_PATTERN.search(turn.folded, start, sentence.end):
        return
    for pattern in PATTERNS:
        match = pattern.match(turn.folded, start, sentence.end)
        if match is None or OTHERS.search(match.group("what")):
            continue
        day = turn.written[match.start("date") : match.end("date")].strip()
        what = turn.written[match.start("what") : match.end("what")].strip()
        if _PAST.search(what):
            continue
        yield Occasion(Span(match.start("date"), match.end("date")), f"{day}: {what}")
        return
