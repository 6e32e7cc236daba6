"""How words were used by those who wrote the labelled turns: by how many plainly, and by how many in a name.

It tells a word that nobody has used yet, as most names are, from one that is said every day. Weights are fitted with
each author's turns told by the others alone, else they would learn that no word is new.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from strata.domain.entities.shapes import ENTITY_TYPES
from strata.domain.text.common import common_stem

WORDS, STEMS = "used_words.txt", "used_stems.txt"
"""The files of the package's table, in `lists/`: lines of numbers, a tab, and the words that have these."""

NEVER = "-"
"""The type of words that are in no name."""
_SEVERAL = (1, 2, 4, 10)
_SHARES = (0.1, 0.34, 0.67, 0.95)
_MOST_TOLD = 3
_NONE = (0,) * (2 + len(ENTITY_TYPES))


class Used(NamedTuple):
    """How a word was used, in steps.

    Attributes:
        plain: how many authors used it in small letters and outside names: 0 none, 1 one, 2 up to three, 3 up to nine, 4.
        stem: the same of words with its stem.
        kind: the type of name that it was part of with most, shortened, or `NEVER`.
        share: how much of its use that is, 0 to 4, with how many authors used it so, up to 3; "" without a kind.
    """

    plain: int
    stem: int
    kind: str
    share: str


class Usage:
    """The numbers of authors who used words.

    Args:
        words: for each folded word how many used it in small letters and with a capital, both outside names, and in
            names of each type, in the order of `ENTITY_TYPES`.
        stems: for each stem how many used a word with it in small letters outside names.
    """

    def __init__(self, words: Mapping[str, tuple[int, ...]], stems: Mapping[str, int]) -> None:
        self.words, self.stems = words, stems
        self.of: Callable[[str], Used] = lru_cache(8192)(self._of)

    def _of(self, word: str) -> Used:
        stem = _step(self.stems.get(common_stem(word), 0), _SEVERAL)
        counts = self.words.get(word, _NONE)
        named = counts[2:]
        most = max(named)
        plain = _step(counts[0], _SEVERAL)
        if not most:
            return Used(plain, stem, NEVER, "")
        kind = ENTITY_TYPES[named.index(most)]
        return Used(plain, stem, kind[:2], f"{_step(most / sum(counts), _SHARES)}{min(most, _MOST_TOLD)}")

    def without(self, own: "Usage") -> "Usage":
        """The numbers without those of one author who is among them."""
        words = {
            word: tuple(a - b for a, b in zip(self.words[word], counts, strict=True))
            for word, counts in own.words.items()
        }
        stems = {stem: self.stems[stem] - count for stem, count in own.stems.items()}
        return Usage({**self.words, **words}, {**self.stems, **stems})


@cache
def shipped() -> Usage:
    """The usage of all labelled turns, as the weights of the package were fitted with."""
    return Usage(dict(_read(WORDS)), {stem: counts[0] for stem, counts in _read(STEMS)})


def _read(name: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for line in (files(__package__) / "lists" / name).read_text("utf-8").splitlines():
        numbers, _, words = line.partition("\t")
        counts = tuple(map(int, numbers.split()))
        yield from ((word, counts) for word in words.split(" "))


def _step(value: float, steps: tuple[float, ...]) -> int:
    return sum(value >= step for step in steps)
