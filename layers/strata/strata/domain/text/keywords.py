"""Keyword extraction. The best keyword of a text serves as its topic.

Candidates are runs of up to three words between stop words and punctuation, as in RAKE (Rose and others
2010). The score of a run grows with the rarity of its words and its frequency, and is higher for names. The
result is deterministic.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

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


@dataclass(frozen=True, slots=True)
class _Word:
    """A word in lower case and folded, whether it is a name, and whether it begins with a capital."""

    written: str
    folded: str
    name: bool
    capital: bool


def _runs(text: str) -> list[_Run]:
    found: dict[tuple[str, ...], _Run] = {}
    place = 0
    for fragment in _fragments(text):
        for start in range(len(fragment)):
            for end in range(start + 1, min(start + _LONGEST, len(fragment)) + 1):
                part = fragment[start:end]
                if sum(len(word.written) + 1 for word in part) > MAX_TAG:
                    continue
                folded = tuple(word.folded for word in part)
                stems = tuple(map(stem, folded))
                if stems not in found:
                    written = tuple(word.written for word in part)
                    found[stems] = _Run(written, folded, place, stems=frozenset(stems))
                found[stems].count += 1
                found[stems].name |= all(word.name for word in part)
                place += 1
    return list(found.values())


def _fragments(text: str) -> Iterator[list[_Word]]:
    """Runs of words between stop words and punctuation."""
    told: list[_Word | None] = []
    begins = True
    for match in _WORD.finditer(text):
        written = match.group()
        if not written[0].isalnum():
            begins = begins or written in _BEFORE_A_CAPITAL
            told.append(None)
            continue
        written = written.replace("\u2019", "'").removesuffix("'s")
        name = written[0].isupper() and (not begins or (len(written) > 1 and written.isupper()))
        begins = False
        folded = fold(written)
        silent = folded in _SILENT or len(written) == 1 or not any(map(str.isalpha, written))
        told.append(None if silent else _Word(written.lower(), folded, name, written[0].isupper()))
    for speaks, group in groupby(told, key=lambda each: each is not None):
        if speaks:
            yield _named([each for each in group if each is not None])


def _named(fragment: list[_Word]) -> list[_Word]:
    """The run, whose first word with a capital joins the name that follows."""
    if len(fragment) > 1 and fragment[0].capital and fragment[1].name:
        fragment[0] = replace(fragment[0], name=True)
    return fragment
