"""Entities and relationships as they are read from one text."""

from dataclasses import dataclass
from typing import Literal, get_args

EntityType = Literal["person", "place", "organization", "event", "thing"]
ENTITY_TYPES: tuple[EntityType, ...] = get_args(EntityType)

Likeness = Literal["initials", "embedding"]
"""The way in which two entities are alike, so that they may be one."""

PET, TOY = "pet", "toy"
"""The roles of a thing that is told to be an animal at home, or something like a teddy bear."""
TOWN = "town"
"""The role of a place that is told to be a town, a city or a village."""
BRAND = "brand"
"""The role of an organization that is told to be a brand or a company."""

SPEAKER = ""
"""Stands in a relationship for the person whose words the text holds."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity that a text names; each distinct entity of a text is one mention.

    Attributes:
        text: the longest form of its name in the text, without title, article and possessive.
        type: its type.
        start: where the first occurrence of `text` begins, counted in characters.
        end: where it ends.
        also: other forms of its name in the same text, such as "Ana" beside "Ana Ruiz", and names that the
            text says are its own ("Liz" in "Elizabeth, whom we call Liz").
        role: the lower-case word for who a person is to the speaker ("sister", "dentista"); `PET`, `TOY`, `TOWN` or
            `BRAND` of what a text tells plainly to be one; "" without one.
        confidence: above 0 and at most 1.
        hint: `PET` of a person's name that suits an animal at home better, by words that do not tell it plainly.
    """

    text: str
    type: EntityType
    start: int
    end: int
    also: tuple[str, ...] = ()
    role: str = ""
    confidence: float = 0.8
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship that a text states between two of its mentions.

    Attributes:
        subject: the `text` of a mention, or `SPEAKER`.
        kind: a name of the table of kinds, such as "works-at".
        object: the `text` of another mention, or `SPEAKER`.
        evidence: the words of the text that state it.
        confidence: above 0 and at most 1.
    """

    subject: str
    kind: str
    object: str
    evidence: str
    confidence: float = 0.8
