"""Whether a message has anything to look up, and the words of it that tell what."""

from functools import lru_cache

from strata.domain.relevance.small_talk import FILLERS, GREETINGS, without_small_talk
from strata.domain.text.analysis import cased_words
from strata.domain.text.stop_words import ENGLISH, GERMAN, SPANISH

_FALSE_FRIENDS = frozenset(
    "bin die era gab hat man son sin sobre solo tag tan toll war dime lista list los tal tales".split()  # noqa: SIM905
)
"""Spanish and German words without a subject that are English words with one."""

_FOREIGN = SPANISH | GERMAN
_SILENT = (ENGLISH | _FOREIGN | FILLERS | GREETINGS) - _FALSE_FRIENDS
_ENGLISH_ONLY = ENGLISH - _FOREIGN
_FOREIGN_ONLY = _FOREIGN - ENGLISH - _FALSE_FRIENDS
_SHORTEST_NUMBER = 3
_MOST_NAMES = 2


@lru_cache(maxsize=1024)
def telling_words(message: str) -> frozenset[str]:
    """The folded words of a message that tell what it is about; none in small talk.

    Stop words, small talk, single characters and short numbers tell nothing, and a name tells nothing where
    the message otherwise only speaks to its bearer ("thanks, Melanie!").
    """
    found = cased_words(without_small_talk(message))
    silent = _SILENT
    if _foreign([word for word, _ in found]):
        silent |= _FALSE_FRIENDS
    telling = {word: capital for word, capital in found if not (word in silent or _says_little(word))}
    addressed = any(word in GREETINGS for word, _ in found)
    if addressed and len(telling) <= _MOST_NAMES and all(telling.values()):
        return frozenset()
    return frozenset(telling)


def asks_something(message: str) -> bool:
    """Whether a message has a telling word: without one, there is nothing to look up."""
    return bool(telling_words(message))


def _foreign(words: list[str]) -> bool:
    """Whether a message is rather Spanish or German than English."""
    foreign = sum(word in _FOREIGN_ONLY or (word in GREETINGS and word not in ENGLISH) for word in words)
    return foreign > sum(word in _ENGLISH_ONLY for word in words)


def _says_little(word: str) -> bool:
    return len(word) == 1 or (word.isdigit() and len(word) < _SHORTEST_NUMBER)
