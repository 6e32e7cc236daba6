"""Names in lower case, where the writer uses no capitals: only what is listed, where the words before ask for it."""

from collections.abc import Sequence

from strata.domain.entities import cue_words as said
from strata.domain.entities import name_lists
from strata.domain.entities import vocabulary as known
from strata.domain.entities.name import Name, among, following, is_ordinary, name_of, preceding
from strata.domain.entities.reading import Word
from strata.domain.entities.runs import ARTICLES
from strata.domain.facts.patterns.tables.words import TOWNS, word_set

_IN = frozenset(("in", "en", "near"))
_ABOUT = frozenset(("about", "sobre"))
_TOWARDS = word_set("from desde to a de hasta")
_USING = word_set("on via use using in left usar uso usando open")
_DOES = (said.TELLING - said.AUXILIARY) | word_set("is was has can will es esta era")
_LEADS = (
    said.NAMING
    | said.ADDRESSING
    | word_set("with con and to for para pa from hey hi hola gracias thanks dice dijo")
)
_MOVES = said.MOVING | said.MOVING_ES | said.LIVING
_NOUNS = word_set(
    "reza lee felicidad meg charity blessing junior sonar mia sean fallas mundial mora cata lena norma clara blanca rosa alba estrella perla nieves violeta margarita jazmin azucena bella celeste linda "
    "gloria victoria aurora pastora paloma iris olivia oliva carmin canela morena rubia rocio marina reyes angeles"
)
"""First names that are nouns in lower case."""
_STREETS = word_set("calle avenida avda plaza paseo parque")
_ROADS = word_set("street road avenue lane square park")
_ON = word_set("on in at near off from")


def lower_name(words: Sequence[Word], at: int) -> Name | None:
    """The name in lower case that begins or ends with this word, if any."""
    word = words[at]
    if (last := _known_run(words, at)) > at:
        return name_of(words, at, last, lower=True)
    if (
        is_ordinary(word.fold)
        or len(word.fold) < 3
        or word.capital
        or "\u00f1" in word.text
        or word.fold in _NOUNS
    ):
        return None
    before = preceding(words, at)
    road = following(words, at) in _ROADS and before in _ON
    if (
        (street := _street(words, at))
        or road
        or _is_known(words, at)
        or _is_town(words, at)
        or _is_family(words, at)
    ):
        return name_of(words, at - street, at + road, lower=True)
    if word.fold not in name_lists.common_names() or word.fold in said.TELLING | said.LIVING | said.MOVING:
        return None
    kin = before in known.ROLES and at > 1 and words[at - 2].fold in known.POSSESSIVES
    if before == "a" and among(words, at, said.TO_SOMEBODY_ES, 3):
        before = "para"
    told = following(words, at) in _DOES or words[at].possessive or before in _LEADS
    if kin or told or before in known.TITLES:
        return name_of(words, at, at, titled=before in known.TITLES, lower=True)
    return None


def _street(words: Sequence[Word], at: int) -> int:
    """The number of words before this one that are the kind of a street: "calle mayor", "plaza de olavide"."""
    if words[0].text.islower() and preceding(words, at) == "de" and preceding(words, at - 1) in _STREETS:
        return 2
    return int(preceding(words, at) in _STREETS and words[at].text.isalpha())


def _known_run(words: Sequence[Word], at: int) -> int:
    """The last word of a known name of two to four words, or `at`."""
    last = at
    if words[at].fold in ARTICLES:
        return at
    while last - at < 3 and following(words, last):
        last += 1
        whole = name_of(words, at, last).whole
        plain = all(is_ordinary(word.fold) for word in words[at : last + 1])
        if not plain and (whole in name_lists.known_names() or whole in name_lists.large_places()):
            return last
    return at


def _is_known(words: Sequence[Word], at: int) -> bool:
    before, after = preceding(words, at), following(words, at)
    kind = name_lists.known_names().get(words[at].fold)
    if kind == "organization":
        working = before in {"at", "for", "en"} and among(words, at, said.WORKING)
        return working or after in said.TELLING | said.DEALING
    return kind == "event" or (kind == "thing" and before in _USING)


def _is_town(words: Sequence[Word], at: int) -> bool:
    before = preceding(words, at)
    moving = before in _TOWARDS and among(words, at, _MOVES)
    return words[at].fold in TOWNS and (before in _IN | _ABOUT or moving or (before in {"from", "desde"}))


def _is_family(words: Sequence[Word], at: int) -> bool:
    """Whether this is a family by its surname: "the hendersons"."""
    surname = words[at].fold.removesuffix("s")
    return (
        preceding(words, at) == "the"
        and len(surname) > 4
        and surname != words[at].fold
        and surname in name_lists.common_names()
        and not is_ordinary(surname)
    )
