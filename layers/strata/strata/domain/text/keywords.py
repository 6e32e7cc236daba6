"""Keyword extraction. The best keyword of a text serves as its topic.

Candidates are runs of up to three words between stop words and punctuation, as in RAKE (Rose and others
2010). The score of a run grows with the rarity of its words and its frequency, and is higher for names. The
result is deterministic.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from strata.domain.text.analysis import stem
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, FILLERS, SPANISH
from strata.domain.text.strings import cut
from strata.domain.wire.fields import MAX_TAG

MOST = 8
"""The most keywords of one text."""

Rarity = Callable[[Sequence[str]], Sequence[float]]
"""An idf-like weight above 0 for each word: see `Lexicon.rarity`."""

_LONGEST = 3
_READ = 20_000
_WORD = re.compile(r"\w{1,40}(?:['\u2019./_-]\w{1,40}){0,3}(?:\+\+|#)?|[^\w\s]|\n")
_BEFORE_A_CAPITAL = frozenset('.!?:\n"“-*>')
_SILENT = ENGLISH | FILLERS | SPANISH


@dataclass(slots=True)
class _Run:
    """A candidate: its first spelling, its frequency, and whether it is a name."""

    words: tuple[str, ...]
    folded: tuple[str, ...]
    place: int
    count: int = 0
    name: bool = False
    stems: frozenset[str] = field(default_factory=frozenset)


def keywords(texts: Sequence[str], rarity: Rarity, *, most: int = MOST) -> list[str]:
    """The keywords of these texts, best first, at most `most`, in lower case.

    No two keywords share a word. Only the first 20 000 characters are read.
    """
    found = _runs(cut("\n".join(texts), _READ))
    singles = sorted({word for run in found for word in run.folded})
    rarities = dict(zip(singles, map(float, rarity(singles)), strict=True)) if singles else {}
    found.sort(key=lambda run: (-_score(run, rarities), run.place))
    chosen: list[str] = []
    taken: set[str] = set()
    for run in found:
        if len(chosen) == most:
            break
        if not taken & run.stems:
            chosen.append(" ".join(run.words))
            taken |= run.stems
    return chosen


def _score(run: _Run, rarities: dict[str, float]) -> float:
    mean = sum(rarities[word] for word in run.folded) / len(run.folded)
    together = 1 + (0.5 if run.name else 0.15) * (len(run.words) - 1)
    score = mean * together * (1 + math.log(run.count)) * (1.25 if run.name else 1.0)
    return round(score, 6)  # sums of floats must not decide between equals


class _Word(NamedTuple):
    """A word in lower case, folded and its stem; whether it begins with a capital or has only capitals."""

    written: str
    folded: str
    stem: str
    capital: bool
    capitals: bool


_Fragment = list[tuple[_Word, bool]]
"""Words that follow each other, and whether each is a name."""


def _runs(text: str) -> list[_Run]:
    found: dict[tuple[str, ...], _Run] = {}
    place = 0
    for fragment in _fragments(text):
        for start in range(len(fragment)):
            left, stems, names = MAX_TAG, tuple[str, ...](), True
            for end, (word, name) in enumerate(fragment[start : start + _LONGEST], start + 1):
                left -= len(word.written) + 1
                if left < 0:
                    break
                stems, names = (*stems, word.stem), names and name
                run = found.get(stems)
                if run is None:
                    words = [each for each, _ in fragment[start:end]]
                    written = tuple(each.written for each in words)
                    folded = tuple(each.folded for each in words)
                    run = found[stems] = _Run(written, folded, place, stems=frozenset(stems))
                run.count += 1
                run.name |= names
                place += 1
    return list(found.values())


def _fragments(text: str) -> Iterator[_Fragment]:
    """Runs of words between stop words and punctuation."""
    fragment: _Fragment = []
    begins = True
    for token in (*_WORD.findall(text), "\n"):
        word = _word(token)
        if word is not None:
            fragment.append((word, word.capital and (not begins or word.capitals)))
        elif fragment:
            yield _named(fragment)
            fragment = []
        begins = token in _BEFORE_A_CAPITAL or (begins and not token[0].isalnum())


@lru_cache(maxsize=16_384)
def _word(token: str) -> _Word | None:
    """The word; None for a stop word, and for what is none."""
    if not token[0].isalnum():
        return None
    written = token.replace("\u2019", "'").removesuffix("'s")
    folded = fold(written)
    if folded in _SILENT or len(written) == 1 or not any(map(str.isalpha, written)):
        return None
    return _Word(written.lower(), folded, stem(folded), written[0].isupper(), written.isupper())


def _named(fragment: _Fragment) -> _Fragment:
    """The run, whose first word with a capital joins the name that follows."""
    if len(fragment) > 1 and fragment[0][0].capital and fragment[1][1]:
        fragment[0] = fragment[0][0], True
    return fragment
