"""Whether a message has anything to look up, and the words of it that tell what."""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import lru_cache

from strata.domain.relevance.everyday import is_of_the_moment, without_everyday_chinese
from strata.domain.relevance.small_talk import FILLERS, GREETINGS, REACTIONS, without_small_talk
from strata.domain.text.analysis import cased_words, named_stop_words
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, GERMAN, SPANISH

_FALSE_FRIENDS = frozenset(
    "bin dice era fast gab hat man sea son sobre solo tag tan toll war dime lista list tal tales".split()  # noqa: SIM905
)
"""Spanish and German words without a subject that are English words with one."""

_ARTICLES = frozenset({"die", "los", "sin"})
"""The commonest of them: English words only where the rest of the message is English."""

_FOREIGN = SPANISH | GERMAN
_SILENT = (ENGLISH | _FOREIGN | REACTIONS | GREETINGS) - _FALSE_FRIENDS - _ARTICLES
_VAGUE = FILLERS - _FALSE_FRIENDS - _ARTICLES
_ENGLISH_ONLY = ENGLISH - _FOREIGN
_FOREIGN_ONLY = _FOREIGN - ENGLISH - _FALSE_FRIENDS - _ARTICLES
_SHORTEST_NUMBER = 3
_MOST_NAMES = 2
_BARE = 3
_HAN = "\u2e80"

_QUESTIONS = frozenset(
    """
    what when where which who whom whose why how about any did does remind remember recall find search list
    quien quienes cual cuales cuanto cuanta cuantos cuantas acerca recuerda recuerdas recuerdame busca
    wann wo wer wem wen wessen wieso warum welche welcher welches welchen wohin woher erinnere erinnerst suche
    """.split()  # noqa: SIM905
)
"""Words that ask wherever they stand in a message."""

_BEGINS_A_QUESTION = frozenset(
    """
    is are was were will would do can could has have had should may must
    que como cuando donde sobre wie uber
    """.split()  # noqa: SIM905
)
_SIGNS_OF_A_QUESTION = re.compile(
    "[?\uff1f]|什么|谁|哪|几|多少|怎|为何|吗|呢|关于|记得|找|查|多久|多大|\\b(?:qué|cómo|cuándo|dónde)\\b"
)
_TO_THE_AGENT = frozenset(
    """
    you your yours tu tus te ti eres tienes sabes puedes podrias du dich dir dein deine deinen
    hast bist kannst
    """.split()  # noqa: SIM905
)
_OF_MYSELF = frozenset("i m im my me mine ich mein meine meinen mir mich yo mi mis estoy tengo".split())  # noqa: SIM905
_ORDER = re.compile(r"\b\w*[áéíóú]\w*(?:(?<!u)l[oa]s?|me)\b")


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it was read; every word is folded.

    Attributes:
        telling: the words that tell what it is about; none in small talk.
        vague: words that tell it where the others only name who takes part ("what is Ann's job?").
        bare: whether it is a few common words alone: who searches for them means them, who talks does not.
    """

    telling: Set[str]
    vague: Set[str] = frozenset()
    bare: bool = False


@lru_cache(maxsize=1024)
def read(message: str) -> Message:
    """Read a message.

    Stop words, reactions, single characters and short numbers tell nothing. Nor do everyday words and
    numbers in what is no question, or one to the agent about itself; nor a name where the message otherwise
    only speaks to its bearer ("thanks, Melanie!").
    """
    plain = without_small_talk(message)
    found = cased_words(plain)
    words = [word for word, _ in found]
    english, foreign = _languages(words, message)
    silent = _SILENT
    silent |= _FALSE_FRIENDS if foreign > english else frozenset()
    silent |= _ARTICLES if foreign >= english else frozenset()
    silent -= named_stop_words(message)
    told = {word: capital for word, capital in found if not (word in silent or _says_little(word))}
    vague = told.keys() & _VAGUE
    telling = {word: capital for word, capital in told.items() if word not in vague}
    subjects = _subjects(message, plain, telling.keys(), words, forms=foreign > english)
    if subjects and not _only_addressed(found, telling):
        return Message(frozenset(telling), vague)
    bare = not subjects and len(told) == len(cased_words(message)) <= _BARE
    return Message(frozenset(told), bare=True) if told and bare else Message(frozenset())


def telling_words(message: str) -> Set[str]:
    """The folded words of a message that tell what it is about; none in small talk."""
    return read(message).telling


def asks_something(message: str) -> bool:
    """Whether a message has a telling word: without one, there is nothing to look up."""
    return bool(telling_words(message))


def _subjects(message: str, plain: str, telling: Set[str], words: list[str], *, forms: bool) -> Set[str]:
    """The telling words that are enough to ask for something."""
    subjects = telling - {fold(order) for order in _ORDER.findall(message.lower())}
    if len(words) > 1:  # a number counts things, unless it is the whole message
        subjects = {word for word in subjects if not word.isdigit()}
    if subjects and _of_its_moment(message, words):
        subjects = {word for word in subjects if not is_of_the_moment(word, forms=forms)}
        if subjects and any(char > _HAN for char in plain):
            left = {
                word for word, _ in cased_words(without_everyday_chinese(plain)) if not _says_little(word)
            }
            subjects &= left
    return subjects


def _of_its_moment(message: str, words: list[str]) -> bool:
    """Whether everyday words ask for nothing: in no question, and in one to the agent about itself."""
    own = set(words)
    asks = not own.isdisjoint(_QUESTIONS) or not _BEGINS_A_QUESTION.isdisjoint(words[:1])
    asks = asks or _SIGNS_OF_A_QUESTION.search(message) is not None
    of_me = not own.isdisjoint(_OF_MYSELF) or "我" in message
    to_you = not own.isdisjoint(_TO_THE_AGENT) or "你" in message
    return not asks or (to_you and not of_me)


def _only_addressed(found: list[tuple[str, bool]], telling: Mapping[str, bool]) -> bool:
    addressed = any(word in GREETINGS for word, _ in found)
    return addressed and len(telling) <= _MOST_NAMES and all(telling.values())


def _languages(words: list[str], message: str) -> tuple[int, int]:
    """The signs that a message is English, and that it is Spanish or German."""
    foreign = sum(word in _FOREIGN_ONLY or (word in GREETINGS and word not in ENGLISH) for word in words)
    foreign += any(char in "äöüßñáéíóú¿¡" for char in message.lower())
    return sum(word in _ENGLISH_ONLY for word in words), foreign


def _says_little(word: str) -> bool:
    return len(word) == 1 or (word.isdigit() and len(word) < _SHORTEST_NUMBER)
