"""The part of a long text that answers a query: its best sentences, whole and in order."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from math import log
from typing import TYPE_CHECKING, Any

from strata.domain.assembly.items import Remembered
from strata.domain.text.analysis import query_terms, stem, words
from strata.domain.text.lexicon import WordLexicon
from strata.domain.text.sentences import WRITTEN_ENDS, sentences
from strata.domain.text.strings import MORE, shortened
from strata.domain.text.visible import visible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]
else:
    from strata.domain import arrays as np

PASSAGE = 700
"""Characters of what is given of a text of relevance .5, where no budget says otherwise."""

_READ = 20_000
"""Characters of a text that are looked at."""
_LONGEST = 240
"""Characters of a piece: a longer sentence counts as several."""
_SHORTEST = 30
"""Characters below which the beginning of a sentence tells nothing."""
_BEFORE, _AFTER = 0.5, 0.2
"""Shares of the neighbours' matches that count for a sentence: an answer often follows its subject."""
_MEANING = 0.8
"""The weight of a sentence's meaning beside that of its words."""
_GAP = len(f" {MORE} ")

_BLANK = re.compile(r"[^\S\n]+(?=\n|\Z)|\n(?=\s*\n)|\A\s*\n")
_FENCE = re.compile(r"^[ \t]*```.*\n?|```", re.MULTILINE)
_TELLS = re.compile(r"\w")
_MARKS = re.compile(rf"{MORE}(?:\s*{MORE})+")


class Passages:
    """Chooses passages for one query.

    Args:
        query: the question; of one of stop words alone, passages are the beginnings of texts.
        lexicon: the meaning and rarity of words.
    """

    def __init__(self, query: str, lexicon: WordLexicon) -> None:
        terms = list(query_terms(query))
        self._lexicon = lexicon
        self._stems = [stem(term) for term in terms]
        self._rarity = lexicon.rarity(terms) if terms else np.zeros(0)
        self._vectors = lexicon.word_vectors(terms) if terms else np.zeros((0, 0))
        self._direction = _unit(self._rarity @ self._vectors)

    def of(self, text: str, runes: int) -> str:
        """The text, or what answers in at most this many characters, with "…" for what is left out.

        "" where there is no room for anything that tells something.
        """
        text = _seen(text)
        if len(text) <= runes:
            return text
        pieces = list(_pieces(text[:_READ]))
        if not pieces:
            return ""
        best = self._ranked(text, pieces)
        left = runes - _GAP
        taken: list[int] = []
        for place in best:
            start, end = pieces[place]
            cost = len(text[start:end].strip())
            cost += 1 if {place - 1, place + 1} & set(taken) else _GAP
            if cost <= left:
                taken.append(place)
                left -= cost
        if best[0] not in taken:
            start, end = pieces[best[0]]
            whole = text[start:end].strip()
            beginning = shortened(whole, min(runes, len(whole) - 1))
            return beginning if len(beginning) > _SHORTEST else ""
        return _joined(text, [pieces[place] for place in sorted(taken)])

    def best(self, text: str) -> str:
        """The sentence of a text that answers best; "" for a text without words."""
        text = _seen(text)
        pieces = list(_pieces(text[:_READ]))
        if not pieces:
            return ""
        start, end = pieces[self._ranked(text, pieces)[0]]
        return text[start:end].strip()

    def shown(self, item: Remembered, passage: int = PASSAGE) -> Remembered:
        """The item with what answers of it: the more relevant it is, the more.

        `passage` is the most characters at a relevance of .5.
        """
        return replace(item, content=self.of(item.content, int(passage * (0.5 + item.relevance))))

    def _ranked(self, text: str, pieces: Sequence[tuple[int, int]]) -> list[int]:
        """The places of the pieces, the best first."""
        matches = self._matches([text[start:end] for start, end in pieces])
        scores = matches.copy()
        scores[1:] += _BEFORE * matches[:-1]
        scores[:-1] += _AFTER * matches[1:]
        return [int(place) for place in np.argsort(-np.round(scores, 6), kind="stable")]

    def _matches(self, pieces: Sequence[str]) -> "Floats":
        """The match of each piece with the query: in words, weighted by rarity, and in meaning."""
        found = [list(dict.fromkeys(words(piece))) for piece in pieces]
        places = dict(zip(dict.fromkeys(chain.from_iterable(found)), count()))
        scores = np.zeros(len(pieces))
        if not self._stems or not places:
            return scores
        vectors, rarity = self._lexicon.word_vectors(list(places)), self._lexicon.rarity(list(places))
        near = np.clip(vectors @ self._vectors.T, 0.0, 1.0)
        stems = [{stem(word) for word in each} for each in found]
        within = Counter(chain.from_iterable(stems))
        weights = self._rarity * [log(1 + len(pieces) / max(within[own], 1)) for own in self._stems]
        weights /= weights.sum()
        for place, each in enumerate(found):
            if each:
                rows = [places[word] for word in each]
                exact = [own in stems[place] for own in self._stems]
                meaning = _unit(rarity[rows] @ vectors[rows]) @ self._direction
                scores[place] = np.where(exact, 1.0, near[rows].max(axis=0)) @ weights
                scores[place] += _MEANING * max(0.0, float(meaning))
        return scores


def _seen(text: str) -> str:
    return _BLANK.sub("", visible(text)).rstrip()


def _unit(vector: "Floats") -> "Floats":
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, each with its mark; long ones in parts that end after a word."""
    for sentence in sentences(text, WRITTEN_ENDS):
        start, end = sentence.start, sentence.end + len(sentence.mark.rstrip("\n"))
        while end - start > _LONGEST:
            space = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
            middle = space + 1 if space > 0 else start + _LONGEST
            yield start, middle
            start = middle
        if _TELLS.search(text, start, end):
            yield start, end


def _joined(text: str, pieces: Sequence[tuple[int, int]]) -> str:
    """The pieces in order; "…" stands for what is between them."""
    parts = [] if not text[: pieces[0][0]].strip() else [MORE]
    first, last = pieces[0]
    for start, end in pieces[1:]:
        if text[last:start].strip():
            parts += [text[first:last].strip(), MORE]
            first = start
        last = end
    parts.append(text[first:last].strip())
    if text[last:].strip():
        parts.append(MORE)
    passage = _MARKS.sub(MORE, " ".join(parts))
    return _FENCE.sub("", passage) if passage.count("```") % 2 else passage
