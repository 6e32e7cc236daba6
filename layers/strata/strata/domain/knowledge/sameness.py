"""Tells whether two conclusions say the same; where there is doubt they don't."""

from dataclasses import dataclass

_FILLERS = frozenset(
    "a an the also too just very really quite el la los las lo un una unos unas muy también tambien".split()  # noqa: SIM905
)
_MARKS = ".,;:!?\"'()¡¿«»“”"


@dataclass(frozen=True, slots=True)
class Told:
    """The words of a conclusion, and those that carry its meaning, in their order."""

    words: frozenset[str]
    meaning: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Told":
        """The words of a text: as they are written, since `C++`, `1.5`, `Mario` and `-5` are other values."""
        first, *others = [each for word in text.split() if (each := word.strip(_MARKS))] or [""]
        every = [first.lower(), *others]
        return cls(frozenset(every), tuple(each for each in every if each.lower() not in _FILLERS))


def says_the_same(one: Told, other: Told, least: float = 0) -> bool:
    """Whether two texts share enough of their words (Jaccard) and differ in fillers only.

    Any other word may be a number, a name, a date, a negation or a value, and so may its place.
    """
    return one.meaning == other.meaning and len(one.words & other.words) >= least * len(
        one.words | other.words
    )
