"""The shapes between a person's words and the conclusions that are drawn from them."""

from dataclasses import dataclass
from typing import Literal, get_args

ConclusionType = Literal["explicit", "deductive", "inductive", "abductive"]
CONCLUSION_TYPES: tuple[ConclusionType, ...] = get_args(ConclusionType)

MOST_TOGETHER = 85
"""Conclusions that change together at most: an undo puts them back in one transaction."""

STATED = "stated"
"""Begins the subject of a value of anything of which a person has one at a time; the stems of the value follow."""
ENDED = "ended"
"""The subject of values that hold no more."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a person, in their own words.

    Attributes:
        text: the message without recalled memory and secrets.
        at: when it was said, in microseconds since 1970 (UTC).
        source: the id of the session's episode, or of the session where it has none.
        place: the number of the message in its session, which tells equal messages apart.
    """

    text: str
    at: int
    source: str
    place: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """One sign in a message of something that may last: a value that is stated, or something done once more.

    Attributes:
        subject: the thing that it is a sign of, the same for the same thing in other words: "home",
            "likes:green tea". Sightings of one subject support or contradict each other.
        value: the words that tell: "York", "green tea".
        single: whether a person has one value of the subject at a time, so that a newer one replaces it.
        against: whether it speaks against the subject ("no tea today, thanks, I've gone off it").
        stated: whether the person says it of themselves outright; else it only shows by repetition.
        quote: the words it rests on, as they were written.
        at: when they were said, in microseconds since 1970 (UTC).
        source: see `Said`.
        says: what is stated, as a sentence of its own; "" for what only shows by repetition.
        changes: whether it is told as a change.
        message: what the person wrote in its message, by which a statement and a later one are compared; "" for
            what only shows by repetition.
        sure: how likely it is that a value is stated at all, 0 to 1.
    """

    subject: str
    value: str
    single: bool
    against: bool
    stated: bool
    quote: str
    at: int
    source: str
    says: str = ""
    changes: bool = False
    message: str = ""
    sure: float = 1.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A conclusion that follows from sightings.

    Attributes:
        subject: what it is about; a newer proposal of the same subject replaces an older one.
        type: how it follows.
        text: one sentence in the language of its quotes.
        confidence: 0 to 1, from support and counter-examples.
        support: the sightings that it rests on, oldest first.
        against: the counter-examples that were counted.
    """

    subject: str
    type: ConclusionType
    text: str
    confidence: float
    support: tuple[Sighting, ...]
    against: tuple[Sighting, ...]
