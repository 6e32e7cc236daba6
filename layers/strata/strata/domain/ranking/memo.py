"""What a memory's text says, taken apart once and kept for the next query."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from strata.domain.analysis import STOP_WORDS, stem, words
from strata.domain.dates import speaks_of_time
from strata.domain.retrieval import Candidate

MAX_CHARACTERS = 10_000
"""A memory is scored by its beginning; the engine, which proposed it, has read all of it."""

MAX_WORDS = 400
"""Distinct words of a memory that take part in the soft match."""

_SHORT = 1_000
_SENTENCE = re.compile(r"[^.!?\u3002\uff01\uff1f\n]+[.!?\u3002\uff01\uff1f]*")
_ASIDE = re.compile(r"\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Memo:
    """A memory's words.

    Attributes:
        stems: how often each stem occurs, title and keywords included.
        length: number of words.
        content: its distinct words without stop words, in order.
        label: the folded title.
        label_stems: stems of the title.
        asking: share of its words that stand in questions, 0 to 1.
        timed: whether it speaks of a time.
    """

    stems: Mapping[str, int]
    length: int
    content: tuple[str, ...]
    label: str
    label_stems: frozenset[str]
    asking: float
    timed: bool


def memo(candidate: Candidate) -> Memo:
    """The candidate's text taken apart; what was taken apart lately comes from a bounded memory."""
    text = candidate.text[:MAX_CHARACTERS]
    read = _read_short if len(text) <= _SHORT else _read_long
    return read(candidate.title, text, candidate.keywords)


def _read(title: str, text: str, keywords: str) -> Memo:
    label = words(title)
    found = [*label, *words(text), *words(keywords)]
    content = dict.fromkeys(word for word in found if word not in STOP_WORDS)
    return Memo(
        stems=Counter(map(stem, found)),
        length=len(found),
        content=tuple(content)[:MAX_WORDS],
        label=" ".join(label),
        label_stems=frozenset(map(stem, label)),
        asking=_asking(text),
        timed=speaks_of_time(text),
    )


_read_short = lru_cache(maxsize=8_192)(_read)
_read_long = lru_cache(maxsize=256)(_read)


def _asking(text: str) -> float:
    """Share of the text that asks; what stands in square brackets (a date, a picture) is not said."""
    if not ("?" in text or "\uff1f" in text):
        return 0.0
    asked = total = 0
    for sentence in _SENTENCE.findall(_ASIDE.sub(" ", text)):
        total += len(sentence)
        if sentence.endswith(("?", "\uff1f")):
            asked += len(sentence)
    return asked / total if total else 0.0
