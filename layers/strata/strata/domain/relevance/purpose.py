"""Whether a message has anything to look up, by fitted weights: of small talk, nothing noted earlier helps.

A logistic regression over clues of a message's words and form. Its table, `purpose.txt`, is written by
`python -m evals.relevance fit`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files

from strata.domain.entities.name_lists import first_names, known_names, places
from strata.domain.relevance.asking import read
from strata.domain.relevance.everyday import is_everyday
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, GERMAN, SPANISH

BIAS = "+bias"
"""The name of the bias in the table."""

SURE = 1.0
"""The log odds of a message that is taken for one with something to look up."""

_DOUBT = -2.5
"""Log odds from which a message is taken for one: short key words ("token expiry") look like small talk."""

_LEAST = -6.0
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\W\d_]+|\d+|[^\w\s]")
_CODE = re.compile(r"\w[_/]\w|\w\.\w|\w-\d|[a-z][A-Z]")
_UNSPACED = "\u3040", "\u9fff"
_A_WORD = 0.6
"""Words that a character of Chinese or Japanese counts for."""

_BEGINNING, _END, _LONG = 4, 5, 9
"""Letters: of the beginning that is a clue; that a word with an ending and a long word have more than."""

_WORDS = (1, 2, 3, 4, 5, 6, 8, 10)
_CHARACTERS = (2, 4, 6, 8, 10, 12, 16, 20, 25, 30, 40, 60)
_MOST_TELLING = 6
_MOST_RUNES = 500


@lru_cache(maxsize=1024)
def purpose(message: str) -> float:
    """Log odds that a message has anything to look up: 1, or -6 to -2.5 where it is likely small talk."""
    return bounded(log_odds(clues(message), _table()))


def bounded(odds: float) -> float:
    """Log odds as relevance weighs them: all that are not plainly of small talk are one."""
    return SURE if odds >= _DOUBT else max(odds, _LEAST)


def log_odds(found: Iterable[str], weights: Mapping[str, float]) -> float:
    """The sum of the weights of clues, and the bias."""
    return weights[BIAS] + sum(weights.get(clue, 0.0) for clue in found)


def clues(message: str) -> frozenset[str]:
    """The clues of a message that tell small talk from what is to be looked up.

    Words with their beginnings and endings, pairs of words, the first three, and single, paired and three
    characters of Chinese; numbers by their length, names, capitals, code, how long it is, and how many words
    tell something (`asking`).
    """
    text = message[:_MOST_RUNES]
    tokens = _WORD.findall(text)
    found: set[str] = set()
    pattern = [_told(place, token, found) for place, token in enumerate(tokens)]
    found.update(f"{one} {other}" for one, other in zip(["^", *pattern], [*pattern, "$"], strict=True))
    found.add(f"^ {' '.join(pattern[:3])}")
    size = int(sum(len(each) * _A_WORD if _unspaced(each) else each.isalpha() for each in tokens))
    found.update(f"+words>{number}" for number in _WORDS if size > number)
    found.update(f"+characters>{number}" for number in _CHARACTERS if len(text) > number)
    found.update(_of_form(text))
    return frozenset(found)


def _told(place: int, token: str, found: set[str]) -> str:
    """Add the clues of one token, and return what stands for it in pairs."""
    if _unspaced(token):
        runs = (token[start : start + size] for size in (1, 2, 3) for start in range(len(token) - size + 1))
        found.update(runs)
        found.update((f"^{token[0]}", f"^{token[:2]}", f"{token[-1]}$", f"{token[-2:]}$"))
        return "*"
    if token.isdigit():
        found.add(f"+digits{min(len(token), 4)}")
        return "0"
    if not token.isalpha():
        found.add(token)
        return token
    word, capital = fold(token), token[0].isupper()
    found.add(word)
    if len(word) > _BEGINNING:
        found.add(f"{word[:_BEGINNING]}-")
    if len(word) > _END:
        found.add(f"-{word[-3:]}")
    if len(word) > _LONG:
        found.add("+long")
    if capital and place:
        found.add("+capital")
    if len(token) > 1 and token.isupper():
        found.add("+capitals")
    if is_name(word):
        found.add("+name")
    elif capital and (word in places() or word in known_names()):
        found.add("+known")
    elif capital and place and not _is_common(word):
        found.add("+unknown")
    return word


def is_name(word: str) -> bool:
    """Whether a folded word is a first name, and no common word."""
    return word in first_names() and not _is_common(word)


def _of_form(text: str) -> Iterator[str]:
    message = read(text)
    yield f"+telling{min(len(message.telling), _MOST_TELLING)}"
    if message.bare:
        yield "+bare"
    if text[:1].islower():
        yield "+lower"
    if _CODE.search(text):
        yield "+code"
    if "'s " in text or "\u2019s " in text:
        yield "+possessive"


def _is_common(word: str) -> bool:
    return word in _STOPPED or is_everyday(word)


_STOPPED = ENGLISH | SPANISH | GERMAN


def _unspaced(token: str) -> bool:
    return _UNSPACED[0] <= token[0] <= _UNSPACED[1]


@cache
def _table() -> Mapping[str, float]:
    lines = (files(__package__) / "purpose.txt").read_text("utf-8").rstrip("\n").split("\n")
    rows = (line.split("\t") for line in lines)
    return {clue: int(weight) / 100 for clue, weight in rows}
