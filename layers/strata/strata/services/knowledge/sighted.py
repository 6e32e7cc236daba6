"""Sightings as they are stored: those of one session in one row, what they share once."""

import json
from collections.abc import Sequence

from strata.domain.knowledge.statements import ENDED, Sighting
from strata.domain.text.analysis import words
from strata.ports.rows import Item

MOST = 1000
"""Sightings of one session that are kept: those that are stated first, then in their order."""
LONGEST_QUOTE = 500


def packed(sightings: Sequence[Sighting]) -> str:
    """Sightings of one source as JSON text, at most `MOST` of them: `[quotes, messages, sightings]`."""
    quotes: dict[str, int] = {}
    messages: dict[str, int] = {}
    rows = [
        [
            each.subject,
            each.value,
            each.changes << 3 | each.single << 2 | each.against << 1 | int(each.stated),
            quotes.setdefault(each.quote[:LONGEST_QUOTE], len(quotes)),
            each.at,
            messages.setdefault(each.message, len(messages)),
            each.says,
            each.sure,
        ]
        for each in sorted(sightings, key=lambda each: not each.stated)[:MOST]
    ]
    return json.dumps([list(quotes), list(messages), rows], ensure_ascii=False, separators=(",", ":"))


def unpacked(row: Item) -> list[Sighting]:
    """The sightings of a session's row."""
    quotes, messages, rows = json.loads(row["sightings"])
    return [
        Sighting(
            subject,
            value,
            single=bool(bits & 4),
            against=bool(bits & 2),
            stated=bool(bits & 1),
            quote=quotes[quote],
            at=at,
            source=row["source"],
            says=says,
            changes=bool(bits & 8),
            message=_text(messages[message]),
            sure=sure,
        )
        for subject, value, bits, quote, at, message, says, sure in rows
    ]


def _text(message: str | list[str]) -> str:
    """A message; rows of earlier development versions have the stems of its words."""
    return message if isinstance(message, str) else " ".join(message)


def undeclined(marks: Sequence[Item], sightings: Sequence[Sighting]) -> list[Sighting]:
    """The sightings of a session that something may be drawn from.

    Of a message that a deleted pattern rested on nothing else that only recurs is drawn, either: it would
    be the same pattern by another word.
    """
    declined = [declines(marks, each) for each in sightings]
    gone = {each.at for each, no in zip(sightings, declined, strict=True) if no and not each.stated}
    return [
        each
        for each, no in zip(sightings, declined, strict=True)
        if not no and (each.stated or each.at not in gone)
    ]


def declines(marks: Sequence[Item], sighting: Sighting) -> bool:
    """Whether nothing is to be drawn from this sighting: `marks` are those of its session.

    The mark of a deleted conclusion has its subject, that of a deleted or superseded fact the fact's value.
    """
    return any(
        mark["subject"] == sighting.subject
        or (
            not mark["subject"]
            and sighting.stated
            and not (mark.get("replaced") and sighting.subject == ENDED)
            and tells(sighting.value, mark["value_key"])
        )
        for mark in marks
    )


def tells(text: str, value: str) -> bool:
    """Whether a text has all words of a value."""
    wanted = words(value)
    return bool(wanted) and {*words(text)}.issuperset(wanted)
