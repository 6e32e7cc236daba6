"""Candidates: the runs of words in a text that may be one name."""

from collections.abc import Iterator, Sequence

from strata.domain.entities import cue_words as said
from strata.domain.entities import name_lists
from strata.domain.entities import vocabulary as known
from strata.domain.entities.lower import lower_name
from strata.domain.entities.name import (
    MOST,
    Name,
    among,
    following,
    is_doing,
    is_ordinary,
    is_somebody,
    name_of,
    preceding,
)
from strata.domain.entities.reading import Word
from strata.domain.entities.runs import ARTICLES, SMALL, is_kind, last_of, reach
from strata.domain.relevance.small_talk import GREETINGS

_ENDS = known.FUNCTION - SMALL
_LETTERS = frozenset("aeiouy")
"""Words of one letter in English and Spanish; others are initials."""
_OBJECTS = frozenset(("me", "us", "him", "them", "you"))
_TITLES = 3
"""The most titles before a name."""


def names(words: Sequence[Word]) -> Iterator[Name]:
    """The candidates of a text in order. No two share a word."""
    casual = _is_casual(words)
    at = 0
    while at < len(words):
        name = _title(words, at) if words[at].opens else _spanish_title(words, at)
        if name is None and words[at].capital:
            name = _capitals(words, at)
        if name is None and casual:
            name = lower_name(words, at)
        if name is None:
            at += 1
            continue
        yield name
        at = name.last + 1


def _is_casual(words: Sequence[Word]) -> bool:
    """Whether the writer uses no capitals, or begins without one, so that their absence says nothing."""
    return (bool(words) and words[0].text.islower()) or not any(
        word.capital and not word.begins and not word.shouted and word.fold not in known.FUNCTION
        for word in words
    )


def _title(words: Sequence[Word], at: int) -> Name | None:
    """The title of a work in quotation marks: all its words but small ones have capitals."""
    for last in range(at, min(at + MOST, len(words))):
        if words[last].closes:
            small = all(word.capital or word.fold in known.JOINERS for word in words[at:last])
            if words[at].fold in GREETINGS | {"dear"}:
                return None
            titled = words[at].capital and words[last].capital and small and not words[at].shouted
            return name_of(words, at, last, quoted=True) if titled else None
        if last > at and words[last].begins:
            return None
    return None


def _spanish_title(words: Sequence[Word], at: int) -> Name | None:
    """A title after "leyendo", with a capital in its article only."""
    first = words[at]
    if (
        not first.capital
        or first.begins
        or first.fold not in ARTICLES
        or not among(words, at, said.READING, 2)
    ):
        return None
    last = at
    while last - at < 5 and following(words, last) and not words[last + 1].capital:
        if words[last + 1].fold in _ENDS:
            break
        last += 1
    return name_of(words, at, last, quoted=True) if last > at and words[last].fold not in SMALL else None


def _capitals(words: Sequence[Word], at: int) -> Name | None:
    first = at
    pet = preceding(words, at) in known.PETS  # "our cat Professor Plum"
    while (
        not pet and first - at < _TITLES and words[first].fold in known.TITLES and not words[first].possessive
    ):
        if not following(words, first) or not words[first + 1].capital:
            return None
        first += 1
    if not _may_begin(words, first):
        return None
    start, last = reach(words, first)
    if last == first and words[first].fold in ARTICLES:
        return None
    titled = first > at or preceding(words, start) in known.TITLES
    return name_of(words, start, last, titled=titled)


def _may_begin(words: Sequence[Word], at: int) -> bool:
    """Whether a word with a capital may be the first of a name."""
    word = words[at]
    next_ = following(words, at)
    runs_on = bool(next_) and words[at + 1].capital
    if word.text == "I" or not word.text[0].isalpha() or _is_file(word):
        return False
    if word.fold in ARTICLES:
        return runs_on and (not word.begins or f"{word.fold} {next_}" in name_lists.places())
    initial = runs_on and len(word.text) == 1 and words[at + 1].start - word.end == 2  # "A. Ruiz"
    if initial or (runs_on and _is_listed(words, at)) or is_somebody(words, at):
        return True
    if not word.begins and ((runs_on and is_kind(word.fold)) or word.fold in name_lists.known_names()):
        return True
    if word.fold in known.FUNCTION or not word.begins:
        return word.fold not in known.FUNCTION
    return _begins_sentence(words, at, runs_on=runs_on)


def _is_file(word: Word) -> bool:
    """Whether a word is the name of a file or an identifier."""
    return "_" in word.text or ("." in word.text and max(map(len, word.text.split("."))) > 2)


def _begins_sentence(words: Sequence[Word], at: int, *, runs_on: bool) -> bool:
    """Whether a word that has its capital from its place begins a name."""
    word = words[at].fold
    told = following(words, at) in said.STRONG_TELLING
    if word in {"st", "saint"} or (len(word) == 1 and word not in _LETTERS):
        return runs_on
    if is_ordinary(word):
        listed = word in name_lists.first_names() and (told or following(words, at) in {"tiene", "tenia"})
    else:
        listed = (
            word in name_lists.common_names()
            or word in name_lists.known_names()
            or word in name_lists.famous_people()
            or word in name_lists.places()
            or (word.startswith(("mc", "o'")) and len(word) > 4)
            or _with_somebody(words, at)
            or (word in name_lists.first_names() and _does_to(words, at))
        )
    if runs_on and word in name_lists.first_names():
        after = words[at + 1].fold
        listed = listed or not (
            is_ordinary(after) or after in name_lists.first_names() or after in name_lists.places()
        )
    if following(words, at) == "&" or (not is_ordinary(word) and _acts(words, at)):
        return True
    if listed or not runs_on:
        return listed or (told and not is_ordinary(word))
    last = last_of(words, at)
    return last > at and (is_kind(word) or is_kind(words[last].fold))


def _does_to(words: Sequence[Word], at: int) -> bool:
    """Whether a word does something to somebody: "Kwame beat me"."""
    does = following(words, at) in said.TELLING - said.AUXILIARY
    return does and following(words, at + 1) in _OBJECTS


def _acts(words: Sequence[Word], at: int) -> bool:
    """Whether an unknown word does what people do: "Kofi's moving", "Kiko se va"."""
    after = following(words, at)
    return (words[at].possessive and is_doing(after)) or (
        after == "se" and at + 2 < len(words) and words[at + 2].fold in said.TELLING
    )


def _with_somebody(words: Sequence[Word], at: int) -> bool:
    """Whether "and" joins a word to the speaker or to a first name: "Ollie and I"."""
    if following(words, at) not in {"and", "y", "e"} or at + 2 >= len(words):
        return False
    other = words[at + 2]
    return other.text in {"I", "yo"} or (other.capital and other.fold in name_lists.common_names())


def _is_listed(words: Sequence[Word], at: int) -> bool:
    """Whether a known name of two or three words begins here: "New York"."""
    return any(
        (whole := name_of(words, at, last).whole) in name_lists.known_names() or whole in name_lists.places()
        for last in range(at + 1, min(at + 3, len(words)))
    )
