"""Copies of labelled turns with other people: they teach what stands around a name, not the name itself."""

import re
from collections.abc import Iterable
from random import Random

from evals.entities.marked import Names, renamed
from evals.entities.measure import Turn
from strata.domain.entities import name_lists
from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.text.folding import fold

_CROSSED, _LISTED, _COMMON = 0.3, 0.3, 0.2
"""The shares of names put together from two labelled ones, of first names taken from the long list, and of
names taken from the short ones."""
_COMMON_FIRST = sorted(
    word_set(
        """
        adam alan alex alice amy andrew andy anna ben beth bill bob charles charlie chris claire dan
        daniel dave david emily emma frank fred george grace hannah harry helen henry jack jake james
        jane jenny jim joe john jon kate kevin laura linda lisa lucy luke mark martin mary matt max
        michael mike nick olivia oliver paul pete peter rachel rebecca richard rob robert rose ruth ryan
        sam sarah simon sophie steve sue susan thomas tim tom will alba alberto alejandro alicia alvaro
        ana andrea angel antonio beatriz carla carlos carmen clara cristina daniela diego elena eva
        fernando francisco gloria irene isabel javier jesus jorge jose juan julia lucia luis luz manuel
        maria mario marta mercedes miguel monica nuria pablo paula pedro pilar raquel rocio rosa sara
        sergio sofia teresa victor
        """
    )
)
_COMMON_LAST = sorted(
    word_set(
        """
        baker barber bell bishop black bush butler carpenter carter cook cooper cross day dean field
        fisher ford forest fox french gardener glover grant gray green hall hill hunter king knight lamb
        lane long marsh mason miller moon page park parker parsons pope potter price rice rivers rose
        short shepherd singer stone summers swift taylor turner walker ward waters weaver west white wood
        young alcalde blanco bravo bueno caballero calvo campos castillo conde correa cortes crespo cruz
        delgado flores franco gallego guerrero herrero hidalgo iglesias leal leon luna marin medina
        molina montes mora moreno moya nieto pastor pena prado ramos redondo reyes rico rios rojo roman
        rubio sierra soto torres valle vega vidal zapata
        """
    )
)
_PARTICLES = word_set(
    "de la del las los y i da do dos van der den von bin ibn al el mac o e of the and san santa"
)
_SHORTEST = 3
_GAPS = re.compile(r"(\s+)")


class Swapper:
    """Gives people other names; the same turns in the same order get the same ones.

    Args:
        turns: those whose names are drawn from.
    """

    def __init__(self, turns: Iterable[tuple[Turn, Names]]) -> None:
        self._random = Random(0)
        first, last = set[str](), set[str]()
        for turn, names in turns:
            for start, end, kind in names:
                if kind == "person":
                    words = [fold(word) for word in turn.text[start:end].split() if _is_swapped(word)]
                    first.update(words[:1])
                    last.update(words[1:][-1:])
        self._first, self._last = sorted(first), sorted(last)
        self._listed = sorted(filter(_is_swapped, name_lists.first_names()))

    def __call__(self, text: str, names: Names) -> tuple[str, Names]:
        """A turn with other people, whose names have the capitals of the former ones.

        A name that stands twice gets the same other one. Initials, particles and names with hyphens stay.
        """
        drawn: dict[str, str] = {}

        def swapped(name: str) -> str:
            return "".join(self._word(word, at, drawn) for at, word in enumerate(_GAPS.split(name)))

        return renamed(text, names, swapped)

    def _word(self, word: str, at: int, drawn: dict[str, str]) -> str:
        if not _is_swapped(word):
            return word
        other = drawn.setdefault(fold(word), self._last_name() if at else self._first_name())
        return other.upper() if word.isupper() else other.title() if word[0].isupper() else other

    def _first_name(self) -> str:
        share = self._random.random()
        if share < _COMMON:
            return self._random.choice(_COMMON_FIRST)
        return self._random.choice(self._listed) if share < _COMMON + _LISTED else self._drawn(self._first)

    def _last_name(self) -> str:
        if self._random.random() < _COMMON:
            return self._random.choice(_COMMON_LAST)
        return self._drawn(self._last)

    def _drawn(self, known: list[str]) -> str:
        """A name in small letters: one of these, or the beginning of one with the end of another."""
        one, other = self._random.choice(known), self._random.choice(known)
        if self._random.random() < _CROSSED:
            return one[: max(2, len(one) // 2)] + other[max(1, len(other) // 2) :]
        return one


def _is_swapped(word: str) -> bool:
    return word.isalpha() and len(word) >= _SHORTEST and fold(word) not in _PARTICLES
