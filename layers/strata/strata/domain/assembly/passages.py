"""The part of a long text that answers a query: its best sentences, whole and in order."""

import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import chain, count
from math import log
from typing import TYPE_CHECKING, Any

from strata.domain.assembly.items import Remembered
from strata.domain.assembly.pieces import Piece, closed, pieces
from strata.domain.text.analysis import query_terms, stem, words
from strata.domain.text.lexicon import WordLexicon
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
_SHORTEST = 30
"""Characters below which the beginning of a sentence tells nothing."""
_BEFORE, _AFTER = 0.5, 0.2
"""Shares of the neighbours' matches that count for a sentence: an answer often follows its subject."""
_MEANING = 0.8
"""The weight of a sentence's meaning beside that of its words."""
_GAP = len(f" {MORE} ")

_BLANK = re.compile(r"[^\S\n]+(?=\n|\Z)|\n(?=\s*\n)|\A\s*\n")
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
        read, more = closed(text[:_READ]), len(text) > _READ
        found = pieces(read)
        best = self._ranked(read, found)
        if not best:
            return ""
        left = runes - _GAP
        taken: set[int] = set()
        for place in best:
            for frame in (found[place].frame, ()):
                wanted = sorted({place, *frame} - taken)
                cost = sum(_cost(read, found, each, taken.union(wanted)) for each in wanted)
                if wanted and cost <= left:
                    taken.update(wanted)
                    left -= cost
                    break
        if best[0] not in taken:
            whole = _text(read, found[best[0]]).strip()
            beginning = shortened(whole, min(runes, len(whole) - 1))
            return beginning if len(beginning) > _SHORTEST else ""
        return _joined(read, [found[place] for place in sorted(taken)], more=more)

    def best(self, text: str) -> str:
        """The sentence of a text that answers best; "" for a text without words."""
        text = _seen(text)[:_READ]
        found = pieces(text)
        best = self._ranked(text, found)
        return _text(text, found[best[0]]).strip() if best else ""

    def shown(self, item: Remembered, passage: int = PASSAGE) -> Remembered:
        """The item with what answers of it: the more relevant it is, the more.

        `passage` is the most characters at a relevance of .5.
        """
        return replace(item, content=self.of(item.content, int(passage * (0.5 + item.relevance))))

    def _ranked(self, text: str, found: Sequence[Piece]) -> list[int]:
        """The places of the pieces that tell something, the best first."""
        matches = self._matches([text[each.start : each.end] for each in found])
        scores = matches.copy()
        scores[1:] += _BEFORE * matches[:-1]
        scores[:-1] += _AFTER * matches[1:]
        ranked = (int(place) for place in np.argsort(-np.round(scores, 6), kind="stable"))
        return [place for place in ranked if found[place].tells]

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


def _text(text: str, first: Piece, last: Piece | None = None) -> str:
    """The text from one piece to another, as it is given; lines keep their indentation."""
    said = text[first.start : (last or first).end]
    return said.rstrip() if first.is_line else said.strip()


def _cost(text: str, found: Sequence[Piece], place: int, taken: Container[int]) -> int:
    """The characters that a piece takes among those that are taken."""
    first, last = place - 1 in taken, place + 1 in taken
    return len(_text(text, found[place])) + (1 if first or last else _GAP)


def _joined(text: str, taken: Sequence[Piece], *, more: bool) -> str:
    """The pieces in order; "…" stands for what is between them, on a line of its own beside lines."""
    runs: list[list[Piece]] = [[taken[0]]]
    for piece in taken[1:]:
        if text[runs[-1][-1].end : piece.start].strip():
            runs.append([piece])
        else:
            runs[-1].append(piece)
    said = [_text(text, run[0], run[-1]) for run in runs]
    passage = said[0]
    if text[: taken[0].start].strip():
        passage = MORE + _space(taken[0]) + passage
    for before, run, part in zip(runs, runs[1:], said[1:], strict=False):
        space = _space(before[-1], run[0])
        passage += space + MORE + space + part
    if more or text[taken[-1].end :].strip():
        passage += _space(taken[-1]) + MORE
    return _MARKS.sub(MORE, passage)


def _space(*pieces: Piece) -> str:
    return "\n" if any(piece.is_line for piece in pieces) else " "
