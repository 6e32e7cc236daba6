"""The reach of a name: over words with capitals, and the small words between them."""

from collections.abc import Sequence

from strata.domain.entities import name_lists
from strata.domain.entities import vocabulary as known
from strata.domain.entities.name import MOST, following, name_of, preceding
from strata.domain.entities.reading import Word
from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.text.stop_words import ENGLISH, SPANISH

ARTICLES = frozenset(("the", "la", "el", "los", "las", "le"))
SMALL = word_set("of de del the la los las el")
"""Words in lower case that may join the parts of a name."""

_WEAK = ENGLISH | SPANISH | known.DAYS | SMALL
_ALWAYS = word_set("da di do von van der du &")
_DE = frozenset(("de", "del", "la", "los"))
_ALL_KINDS = known.EVENTS | known.ORGANIZATIONS | known.PLACES | known.THINGS
_KINDS_BEFORE = word_set(
    "calle avenida avda paseo plaza parque hospital universidad instituto colegio festival feria carrera teatro estadio "
    "estacion aeropuerto gimnasio museo fundacion asociacion banco congreso facultad puente"
)
"""Kinds that belong to a name that follows them, even in lower case."""
_KINDS_AFTER = word_set(
    "street road avenue park square university hospital college school festival marathon library museum airport "
    "station stadium bridge beach theatre theater club bank"
)
"""Kinds that belong to a name before them, even in lower case."""


def reach(words: Sequence[Word], first: int) -> tuple[int, int]:
    """The first and the last word of the name that begins with this capital, its kind in lower case included."""
    last = last_of(words, first)
    while last > first and (_is_weak(words, first, last) or _is_acronym(words, first, last)):
        if name_of(words, first, last).whole in name_lists.known_names():
            break
        last -= 1
    if not words[last].possessive and following(words, last) in _KINDS_AFTER:
        last += 1
    if following(words, last).isdigit() and name_of(words, first, last + 1).whole in name_lists.known_names():
        last += 1
    at = first
    while first - at < 2 and preceding(words, at) in _DE:
        at -= 1
    led = preceding(words, at) in _KINDS_BEFORE and not words[at - 1].capital
    return (at - 1 if led else first), last


def _is_weak(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether a name does not end with this word: "Ana Monday", but "Wei Han", though "han" is a Spanish verb."""
    word = words[last].fold
    surname = last == first + 1 and words[first].fold in name_lists.first_names() and word not in ENGLISH
    return word in _WEAK and not (surname and word not in known.DAYS | SMALL)


def last_of(words: Sequence[Word], first: int) -> int:
    """The last word of the name that begins here, by capitals."""
    last = first
    while last + 1 < len(words) and last - first < MOST - 1 and words[last + 1].joined:
        if not words[last + 1].capital:
            beyond = _over_small(words, first, last)
            if not beyond:
                break
            last = beyond
        elif _parts(words, last + 1):
            break
        else:
            last += 1
    return last


def _parts(words: Sequence[Word], at: int) -> bool:
    """Whether a word with a capital is no part of the name before it: "Ana Monday", "Tom's Toyota"."""
    day = words[at].fold in known.DAYS and words[at - 1].fold not in SMALL
    word = words[at].fold
    other = (
        word in name_lists.first_names() or word in name_lists.known_names() or word in name_lists.places()
    )
    owned = words[at - 1].possessive and (words[at].begins or other) and not _kind_ahead(words, at)
    return words[at].text == "I" or day or owned


def _is_acronym(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether a name ends with an acronym that describes it: "Isaac Hayes LP"."""
    word = words[last]
    return (
        word.shouted
        and word.text.isalpha()
        and not words[first].shouted
        and not is_kind(word.fold)
        and word.fold not in known.SUFFIXES
    )


def is_kind(word: str) -> bool:
    """Whether a folded word is a kind that is part of names."""
    return word in _ALL_KINDS


def _kind_ahead(words: Sequence[Word], at: int) -> bool:
    """Whether a kind is among the next words with capitals: "St Brannoc's Primary"."""
    for word in words[at : at + 4]:
        if not word.capital or not word.joined:
            return False
        if is_kind(word.fold):
            return True
    return False


def _over_small(words: Sequence[Word], first: int, last: int) -> int:
    """The next part of the name beyond words in lower case ("de la"); 0 if the name ends before."""
    at = last + 1
    while at < len(words) and at - last <= 3 and words[at].joined and words[at].fold in SMALL | _ALWAYS:
        at += 1
    between = [word.fold for word in words[last + 1 : at]]
    if not between or at >= len(words) or not words[at].joined or not words[at].capital:
        return 0
    branch = name_lists.known_names().get(name_of(words, first, last).whole) == "organization"
    if words[at].text == "I" or words[last].possessive or branch:
        return 0
    head = [word.fold for word in words[first : last + 1]]
    ahead = [" ".join(word.fold for word in words[at : at + size]) for size in (1, 2)]
    return at if between[0] in _ALWAYS or _is_one(head, between, ahead) else 0


def _is_one(head: list[str], between: list[str], ahead: list[str]) -> bool:
    """Whether words on both sides of small ones are parts of one name."""
    if is_kind(head[0]) or (is_kind(head[-1]) and between[0] == "of"):
        return True
    whole = " ".join([*head, *between, ahead[0]])
    if whole in name_lists.places() or whole in name_lists.known_names():
        return True
    if head[0] in ARTICLES:  # "Los Caimanes del Sur"
        return len(head) > 1 and between[0] in {"de", "del", "of"}
    surname = len(between) > 1 or name_lists.places().isdisjoint(
        ahead
    )  # "Ana de la Torre", but "Ana de Sevilla"
    return head[0] in name_lists.first_names() and between[0] in {"de", "del"} and surname
