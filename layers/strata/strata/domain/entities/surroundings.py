"""Names with the words before and after them."""

from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.entities import cue_words as said
from strata.domain.entities import vocabulary as known
from strata.domain.entities.name import Name
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import EntityType

Evidence = tuple[EntityType, float]
"""A type, and the points for it."""

REACH = 9
_VET = known.PETS | said.VETS


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A name with the words around it.

    Attributes:
        words: the words of the text.
        name: the name.
        before: up to nine words before it in its sentence, the nearest first.
        one, two, three: the nearest of them, or "".
        following: the word that only a space parts from its end, or "".
        comma: whether a comma stands before it.
        ends: whether a mark or the end of the text follows.
        english: whether the text is mostly English, where "a" is an article.
    """

    words: Sequence[Word]
    name: Name
    before: tuple[str, ...]
    one: str
    two: str
    three: str
    following: str
    comma: bool
    ends: bool
    english: bool

    @classmethod
    def of(cls, words: Sequence[Word], name: Name, *, english: bool = False) -> "Surroundings":
        """The name with what is around it."""
        before: list[str] = []
        at = name.first
        while at > 0 and len(before) < REACH and not words[at].begins:
            at -= 1
            before.append(words[at].fold)
        after = words[name.last + 1] if name.last + 1 < len(words) else None
        following = after.fold if after is not None and after.joined else ""
        one, two, three = (*before, "", "", "")[:3]
        return cls(
            words,
            name,
            tuple(before),
            one,
            two,
            three,
            following,
            words[name.first].comma,
            after is None or not following,
            english,
        )

    @property
    def of_software(self) -> bool:
        """Whether words of programs stand around."""
        around = (*self.before, *(word.fold for word in self.after(6)))
        return not said.SOFTWARE.isdisjoint(around)

    @property
    def of_animals(self) -> bool:
        """Whether an animal or its doctor is mentioned before."""
        return not _VET.isdisjoint(self.before)

    @property
    def is_unknown(self) -> bool:
        """Whether it is one word with a capital inside a sentence, and in no list."""
        word = self.words[self.name.first]
        inside = word.capital and not (word.begins or word.shouted) and self.name.first == self.name.last
        return inside and not self.name.scores and self.is_made

    @property
    def is_dealt_with(self) -> bool:
        """Whether it is several words with capitals, and in no list, after a word by which one deals with firms."""
        words = self.words[self.name.first : self.name.last + 1]
        inside = all(word.capital and word.text.isalpha() and not word.begins for word in words)
        return (
            inside
            and not self.name.scores
            and (self.two if self.one in said.THE else self.one) in said.DEALING_WITH
        )

    @property
    def is_made(self) -> bool:
        """Whether the name stands for what a company makes: nothing that it describes follows."""
        return not self.following or self.following in known.FUNCTION

    def after(self, many: int) -> tuple[Word, ...]:
        """Up to so many words after the name, in its sentence."""
        found: list[Word] = []
        for word in self.words[self.name.last + 1 : self.name.last + 1 + many]:
            if word.begins:
                break
            found.append(word)
        return tuple(found)

    def near(self, cues: frozenset[str], first: int, last: int) -> bool:
        """Whether one of these words is among those before, from the `first`th to the `last`th."""
        return not cues.isdisjoint(self.before[first - 1 : last])
