"""A run of words that may be a name, and questions about its words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from strata.domain.entities import cue_words as said
from strata.domain.entities import name_lists
from strata.domain.entities import vocabulary as known
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import EntityType
from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.knowledge.common import is_common
from strata.domain.relevance.everyday import COMMON_SUBJECTS, EVERYDAY, OF_THE_MOMENT

MOST = 8
"""The most words of a name."""

_ORDINARY = EVERYDAY | COMMON_SUBJECTS | OF_THE_MOMENT
_NO_DEEDS = word_set(
    "interesting boring annoying exciting fascinating charming stunning inspiring missing wedding building ring spring "
    "outstanding overwhelming during king wing thing string astonishing breathtaking disgusting"
)
_MONTHS = word_set("april may june august julio abril")
_WORDS_TOO = word_set(
    "may june april august summer autumn julio abril domingo will mark rose hope grace joy faith rich art"
)


@dataclass(slots=True)
class Name:
    """A run of words that may be a name.

    Attributes:
        first: the position of its first word.
        last: the position of its last word.
        start: where it begins in the text.
        end: where it ends.
        folded: its words, folded.
        titled: whether a title stands before it.
        lower: whether it is written without a capital.
        quoted: whether it is the whole of a quotation, or written as a title.
        type: its type, once it is judged.
        role: the word for who a person is to the speaker.
        confidence: how sure the type is.
        scores: what speaks for each type.
    """

    first: int
    last: int
    start: int
    end: int
    folded: tuple[str, ...]
    titled: bool = False
    lower: bool = False
    quoted: bool = False
    type: EntityType | None = None
    role: str = ""
    confidence: float = 0.0
    scores: dict[EntityType, float] = field(default_factory=dict)

    @property
    def whole(self) -> str:
        """The folded name."""
        return " ".join(self.folded)

    def text(self, text: str) -> str:
        """The name as it is written."""
        return text[self.start : self.end]


def name_of(
    words: Sequence[Word],
    first: int,
    last: int,
    *,
    titled: bool = False,
    lower: bool = False,
    quoted: bool = False,
) -> Name:
    """The name from one word to another."""
    folded = tuple(
        f"{word.fold}'s" if word.possessive and at < last else word.fold
        for at, word in enumerate(words[first : last + 1], first)
    )
    end = words[last].end
    if words[last].possessive and f"{' '.join(folded)}'s" in name_lists.known_names():  # "Nando's"
        folded, end = (*folded[:-1], f"{folded[-1]}'s"), end + 2
    return Name(first, last, words[first].start, end, folded, titled, lower, quoted)


def is_ordinary(word: str) -> bool:
    """Whether a folded word is one of everyday language in English or Spanish."""
    if word in name_lists.common_names():
        return word in name_lists.NAMES_TOO
    return (
        word in known.FUNCTION
        or word in _ORDINARY
        or is_common(word, spanish=False)
        or is_common(word, spanish=True)
    )


def is_camel(word: str) -> bool:
    """Whether a word has capitals inside, as names of programs do ("MariaDB"), and not as "McKenna" has."""
    inside = re.search(r"[a-z][A-Z]", word)
    return inside is not None and not word.startswith(
        ("Mc", "Mac", "De", "O'", "Fitz", "Di", "La", "Le", "Van")
    )


def is_somebody(words: Sequence[Word], at: int) -> bool:
    """Whether a word like "May" or "Will" is somebody here, by the verb after it."""
    word, after = words[at].fold, following(words, at)
    if word in _MONTHS and words[at].capital and not words[at].begins:
        return preceding(words, at) in said.ADDRESSING | {"with", "con", "y"}  # not "de", as months have
    return word in _WORDS_TOO and after in (
        said.TELLING if word == "will" else said.STRONG_TELLING | {"hasn't", "didn't"}
    )


def is_doing(word: str) -> bool:
    """Whether a word tells what somebody does: "moving", but not "amazing"."""
    return word.endswith("ing") and word not in _NO_DEEDS and word not in known.FUNCTION


def following(words: Sequence[Word], at: int) -> str:
    """The word after this one if only a space is between them, folded, or ""."""
    return words[at + 1].fold if at + 1 < len(words) and words[at + 1].joined else ""


def preceding(words: Sequence[Word], at: int) -> str:
    """The word before this one if only a space is between them, folded, or ""."""
    return words[at - 1].fold if at > 0 and words[at].joined else ""


def among(words: Sequence[Word], at: int, cues: frozenset[str], most: int = 5) -> bool:
    """Whether one of these words is among the last ones before a position."""
    return any(word.fold in cues for word in words[max(0, at - most) : at])
