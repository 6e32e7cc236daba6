"""Readers of a name at the place that a pattern found."""

from collections.abc import Sequence

from strata.domain.entities.name_lists import NAMES_TOO, common_names
from strata.domain.facts.languages import LANGUAGES
from strata.domain.facts.patterns.tables.stops import LINKS, MODIFIERS_STOP, NO_THINGS
from strata.domain.facts.patterns.tables.words import NO_NAMES, SURNAMES, TOWNS, TRADES, word_set
from strata.domain.facts.patterns.turns import Span, Turn, Word, following, is_capital, phrase

_JOINING = word_set(
    """
    de del la van von der da di bin ibn al mc y dos das
    """
)
_AFTER_NAME = word_set(
    """
    and but from here so by btw again speaking the with at in of i we or for your can could please on
    this y e pero de del la el con desde otra aqui aca soy vivo trabajo tengo quiero necesito me por que
    a en o para una un ando
    """
)


def given_name(turn: Turn, start: int, end: int) -> list[Span]:
    """A name after "my name is" and the like: with capitals, or in lower case up to the next mark."""
    spans = proper_name(turn, start, end)
    if spans:
        return spans
    words, stop = phrase(
        turn, start, end, 3, frozenset(("with", "de", "from", "con", "at", "aqui", "here", "la", "el"))
    )
    if not words or len(words) > 2 or not _could_be_name(turn, words):
        return []
    if stop is not None and stop.text not in MODIFIERS_STOP | LINKS | _AFTER_NAME:
        return []
    return [Span(words[0].start, words[-1].end)]


def _could_be_name(turn: Turn, words: list[Word]) -> bool:
    return all(word.text.replace("-", "").replace("'", "").isalpha() for word in words) and not any(
        word.text in NO_NAMES or word.text in NO_THINGS or word.text in LANGUAGES or word.text in _COMMON
        for word in words
    )


_COMMON = word_set(
    """
    later tomorrow maybe names crazy sir madam maam ma'am mad stupid old-fashioned daddy mom boss by man
    bro dude manana luego algo cuando quiera senor senora loco loca tonto jefe exagerado rara raro asi
    cosas mejor verdad mentira rapido ahora anytime asap taxi ambulance irrelevant important blank null
    undefined tarde spelled written taken wrong misspelled long short hard unique common spelt pronounced
    different difficult urgente
    """
)


def proper_name(turn: Turn, start: int, end: int) -> list[Span]:
    """A name with capitals after "I'm" or "soy"; none if the phrase goes on, so that it is no name alone."""
    words: list[Word] = []
    after: Word | None = None
    for word in following(turn, start, end, 7):
        if (is_capital(turn, word) and len(words) < 5 and word.text not in {"i", "i'm", "y"}) or (
            words and word.text in _JOINING and capital_next(turn, word, end)
        ):
            words.append(word)
        else:
            after = word
            break
    if not words or not is_capital(turn, words[0]) or not _could_be_name(turn, words[:1]):
        return []
    if any(word.text.endswith("'s") for word in words) or words[0].text in TOWNS:
        return []
    if any(word.text in TRADES for word in words) and not is_full_name(words):
        return []
    written = turn.written[words[0].start : words[-1].end]
    if (written.isupper() and len(written) > 4) or (len(written) < 2):
        return []
    if after is not None and after.text not in _AFTER_NAME | MODIFIERS_STOP:
        return []
    return [Span(words[0].start, words[-1].end)]


_RANKS = word_set("junior marine general major sales art case page media master sergeant")
_NEVER_IN_ONE = word_set("of at in for to en and or who a an the un una que como with")
_LONGEST_NAME = 4


def is_full_name(words: Sequence[Word]) -> bool:
    """Whether words with a profession among them are a first name and a surname: "Kate Butler", not "Head Chef".

    After a first name that is mostly another word ("Grant", "Mason") the profession must be known as a surname.
    """
    first, *rest = (word.text for word in words)
    if not 1 <= len(rest) < _LONGEST_NAME or first in _RANKS or not _NEVER_IN_ONE.isdisjoint((first, *rest)):
        return False
    if first in NAMES_TOO or (first in TRADES and first in common_names()):
        trades = [part for word in rest for part in word.split("-") if part in TRADES]
        return bool(trades) and SURNAMES.issuperset(trades)
    return first in common_names()


def capital_next(turn: Turn, word: Word, end: int) -> bool:
    """Whether a name continues after a word that joins its parts ("de", "of the")."""
    for following_word in following(turn, word.end, end, 2):
        if is_capital(turn, following_word):
            return True
        if following_word.text not in _JOINING:
            return False
    return False
