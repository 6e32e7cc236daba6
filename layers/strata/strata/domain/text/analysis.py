"""Tokenization, the same for every engine and for the ranking rules.

Text is folded (see `folding`). Scripts without spaces are cut into overlapping pairs of characters, as
Lucene's CJK analysis does, because word boundaries there need a dictionary. An emoji counts as the words of
its Unicode name, so both 🚀 and "rocket" find it.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from Stemmer import Stemmer

from strata.domain.text.folding import fold, name_emoji
from strata.domain.text.stop_words import ENGLISH

MAX_TERMS = 64
"""The most distinct terms of a query; more terms cost time and do not improve the results."""

# Thai, Lao, Tibetan, Myanmar, Hangul (its particles cling), Khmer, kana, Han and their extensions.
_UNSPACED = (
    "\u0e00-\u0e4f\u0e80-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u1950-\u19df\u1a20-\u1aad"
    "\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uaa60-\uaa7f"
    "\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
# Vowel signs and points that `\w` leaves out although they stand inside words: Hebrew, Arabic, Indic scripts.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0971-\u0df3\u200c\u200d"
)

_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_TOKEN = re.compile(f"[{_UNSPACED}]+|(?:(?![_{_UNSPACED}])[\\w{_MARKS}])+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_NAMED = re.compile(r"(?<=[\w,;] )(?<!\bI )(?:May|Will)(?=[?!.,;:]|'s\b|\u2019s\b|\s|\Z)")
"""Stop words that are names with a capital, where no sentence begins."""


def words(text: str) -> list[str]:
    """The folded words of a text in order, repeats included; runs of an unspaced script as pairs."""
    folded = fold(text)
    if folded.isascii():
        return _ASCII_WORD.findall(folded)
    found: list[str] = []
    for token in _TOKEN.findall(folded):
        if _UNSPACED_RUN.match(token):
            found.extend(_pairs(token))
        else:
            found.append(token)
    return found


def cased_words(text: str) -> list[tuple[str, bool]]:
    """The folded words of a text in order, each with whether it begins with a capital."""
    if text.isascii():
        pairs = zip(_ASCII_WORD.findall(text.lower()), _ASCII_WORD.findall(text), strict=True)
        return [(word, word[0] != as_written[0]) for word, as_written in pairs]
    found: list[tuple[str, bool]] = []
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", name_emoji(text))):
        found.extend((word, token[0].isupper()) for word in words(token))
    return found


def searchable(text: str) -> str:
    """Text for the standard tokenizer of an engine.

    ASCII text stays as it is. Other text is folded, and runs of an unspaced script become characters and
    pairs separated by spaces, so that a query of a single character matches too.
    """
    if text.isascii():
        return text
    return _UNSPACED_RUN.sub(_spaced, fold(text))


def query_terms(query: str) -> tuple[str, ...]:
    """The distinct words of a query in order, unstemmed, without stop words unless all are stop words.

    A stop word that stands for a name there ("in May") is kept.
    """
    found = tuple(dict.fromkeys(words(query)))
    silent = ENGLISH - named_stop_words(query)
    return (tuple(word for word in found if word not in silent) or found)[:MAX_TERMS]


def named_stop_words(text: str) -> frozenset[str]:
    """The stop words that stand for a month or a person in a text: a capital inside a sentence, "in May".

    None in a title, where most words have capitals.
    """
    if _NAMED.search(text) is None:
        return frozenset()
    capitals = [begins for _, begins in cased_words(_NAMED.sub(" ", text))]
    if sum(capitals[1:]) * 2 > len(capitals[1:]):
        return frozenset()
    return frozenset(found.lower() for found in _NAMED.findall(text))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of an English word (Porter 2); a word with non-ASCII letters stays as it is."""
    return str(_STEMMER.stemWord(word)) if word.isascii() else word


_STEMMER = Stemmer("english", 0)  # without a cache of its own: lru_cache is faster


def _units(run: str) -> list[str]:
    """Characters with their combining marks."""
    units: list[str] = []
    for char in run:
        if units and unicodedata.category(char).startswith("M"):
            units[-1] += char
        else:
            units.append(char)
    return units


def _pairs(run: str) -> list[str]:
    units = _units(run)
    if len(units) == 1:
        return units
    return [first + second for first, second in pairwise(units)]


def _spaced(match: re.Match[str]) -> str:
    return f" {' '.join(_units_and_pairs(match.group()))} "


def _units_and_pairs(run: str) -> Iterator[str]:
    units = _units(run)
    for position, unit in enumerate(units):
        yield unit
        if position + 1 < len(units):
            yield unit + units[position + 1]
