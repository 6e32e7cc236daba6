"""The analysed text of a memory, cached for later queries."""

import re
from collections import Counter
from functools import cached_property, lru_cache

from strata.domain.ranking.time_words import speaks_of_time
from strata.domain.retrieval import Candidate
from strata.domain.text.analysis import stem, words
from strata.domain.text.folding import fold
from strata.domain.text.sentences import sentences
from strata.domain.text.stop_words import ENGLISH

MAX_CHARACTERS = 10_000
"""The part of a memory that is scored: its beginning. The engine indexes all of it."""

MAX_WORDS = 400
"""The most distinct words of a memory in the soft match."""

_SHORT = 1_000
_ASIDE = re.compile(r"\[[^\]]*\]")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z]\w+|\"[^\"]+\"")


_CODE = 5
"""Length from which a word with a digit is taken for an id, hash, date or count, and only matches exactly."""


class Memo:
    """The words of a memory. `memo` creates it; properties that few queries need are computed on demand.

    Attributes:
        stems: the frequency of each stem, title and keywords included.
        length: number of words.
        content: its distinct words in order, without stop words and codes, at most `MAX_WORDS`.
        label: the folded title.
        label_stems: stems of the title.
        said: the text without parts in square brackets, such as time stamps and pictures.
        asking: the share of questions in it, 0 to 1.
    """

    def __init__(self, title: str, text: str, keywords: str) -> None:
        titled = words(title)
        found = [*titled, *words(text), *words(keywords)]
        distinct = dict.fromkeys(found)
        content = [
            word for word in distinct if word not in ENGLISH and (word.isalpha() or not _is_code(word))
        ]
        self.stems = Counter(map(stem, found))
        self.length = len(found)
        self.content = tuple(content)[:MAX_WORDS]
        self.label = " ".join(titled)
        self.label_stems = frozenset(map(stem, titled))
        self.said = _ASIDE.sub(" ", text) if "[" in text else text
        self.asking = _asking(self.said)

    @cached_property
    def timed(self) -> bool:
        """Whether the text names a time."""
        return speaks_of_time(self.said)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names in the text: words with a capital inside a sentence, and quoted titles."""
        return frozenset(fold(name) for name in _NAME.findall(self.said))


def _asking(said: str) -> float:
    if not ("?" in said or "\uff1f" in said):
        return 0.0
    whole = asked = 0
    for sentence in sentences(said):
        length = sentence.end - sentence.start + len(sentence.mark.strip("\n"))
        whole += length
        asked += length * sentence.mark.endswith(("?", "\uff1f"))
    return asked / max(whole, 1)


def _is_code(word: str) -> bool:
    return len(word) >= _CODE and any(map(str.isdigit, word))


def memo(candidate: Candidate) -> Memo:
    """The analysed text of a candidate, from a bounded cache if it was analysed lately."""
    text = candidate.text[:MAX_CHARACTERS]
    read = _short if len(text) <= _SHORT else _long
    return read(candidate.title, text, candidate.keywords)


_short = lru_cache(maxsize=16_384)(Memo)
_long = lru_cache(maxsize=256)(Memo)
