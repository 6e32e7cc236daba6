"""The evidence that a memory answers a message: a few named numbers for each candidate of a search."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.domain.neighbours import neighbours
from strata.domain.relevance.asking import read
from strata.domain.relevance.everyday import is_everyday
from strata.domain.relevance.purpose import is_name, purpose
from strata.domain.text.analysis import cased_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
else:
    from strata.domain import arrays as np

LEXICAL = (
    "words",
    "coverage",
    "gap",
    "missing",
    "around",
    "reply",
    "asking",
    "speaker",
    "subject",
    "subjects",
    "purpose",
    "name",
    "unknown",
)
"""Numbers that need neither vectors nor the ranking; see `lexical`."""

FULL = (
    "words",
    "coverage",
    "missing",
    "score",
    "best",
    "place",
    "around",
    "reply",
    "asking",
    "speaker",
    "subject",
    "subjects",
    "purpose",
    "name",
    "unknown",
)
"""Numbers that rest on the ranking, and so on its weights and the embedder; see `full`."""

SENTENCES = (*FULL, "above", "margin", "closest", "nearby")
"""Numbers for an embedder that reads whole sentences; see `sentences`."""

ANSWERING = ("score", "near")
"""Numbers that tell whether a question is answered, for stores of any size; see `answering`."""

_PAIR = 0.5
"""Weight of a pair of characters of an unspaced script: about two pairs make a word."""

_NEAR = 0.35
"""Similarity from which a word may stand for another one."""

_DIGITS = 6

_UNSPACED = "\u0e00"


@dataclass(frozen=True, slots=True)
class Seen:
    """A search as the ranking saw it. Turns without a neighbour have zeros for it.

    Attributes:
        query: the message.
        terms: its terms.
        rarity: how rare each term is, above 0: (terms,).
        speakers: 1 for terms that name a speaker: (terms,).
        exact: 1 where a memory has a term's stem: (candidates, terms).
        near: similarity of each term to its nearest word, 1 where exact: (candidates, terms).
        previous, next: the candidate that is the turn before and after, -1 for none: (candidates,).
        asking: the share of questions in a turn: (candidates,).
        speaker: 1 where the query names the speaker of a turn: (candidates,).
        scores: of the ranking: (candidates,).
        purpose: log odds that the query has anything to look up; None for those of the package's table.
        cosines: to the query's vector; None without vectors: (candidates,).
        worded: gives the scores of the ranking without vectors: (candidates,).
    """

    query: str
    terms: Sequence[str]
    rarity: "Floats"
    speakers: "Floats"
    exact: "Floats"
    near: "Floats"
    previous: "NDArray[np.intp]"
    next: "NDArray[np.intp]"
    asking: "Floats"
    speaker: "Floats"
    scores: "Floats"
    purpose: float | None = None
    cosines: "Floats | None" = None
    worded: "Callable[[], Floats] | None" = None

    def telling(self) -> "Floats":
        """The weight of each term that tells what is asked for, 0 for others: (terms,)."""
        message = read(self.query)
        told = self._weights(message.telling)
        return told if told.any() or not message.telling else self._weights(message.vague)

    def _weights(self, words: Collection[str]) -> "Floats":
        weights = [(_PAIR if _paired(term) else 1.0) * (term in words) for term in self.terms]
        return np.array(weights) * (1 - self.speakers)


def full(seen: Seen) -> "Floats":
    """The evidence with words weighed by their rarity: (candidates, FULL).

    Of the telling words: `words`, log of the weight that matches; `coverage`, its share; `missing`, the share
    that no candidate has; `around`, the share that a memory and its neighbours have by words of like meaning;
    `reply`, the share in the turn before, if that asks. `subject`: whether a word that is no everyday word
    matches; `subjects`: whether the query has one. Of the ranking: `score`, `best` (the highest score) and
    `place` (log of the rank). Of turns: `asking`, `speaker`. Of the query: `purpose`, the log odds that it
    has anything to look up; `name`, whether no candidate has a first name of it; `unknown`, the same for
    another word with a capital, to which no word of a candidate is near.
    """
    weights = seen.telling() * seen.rarity
    falling = -np.round(seen.scores, _DIGITS)
    places = np.searchsorted(np.sort(falling), falling)
    words, coverage, missing = _of_words(seen, weights)
    best = np.full(len(seen.scores), seen.scores.max(initial=0.0))
    columns = [words, coverage, missing, seen.scores, best, np.log1p(places)]
    return np.column_stack([*columns, *_of_turns(seen, seen.near, weights), *_of_query(seen, seen.near)])


def sentences(seen: Seen) -> "Floats":
    """As `full` with scores that go by words alone, and what the vectors say: (candidates, SENTENCES).

    `above`: how much higher the cosine is than the mean of all candidates; `margin`: how much lower than the
    highest; `closest`: log of its rank; `nearby`: the better `above` of a turn's neighbours.
    """
    by_words = seen if seen.worded is None else replace(seen, scores=seen.worded())
    cosines = np.zeros(len(seen.scores)) if seen.cosines is None else seen.cosines
    falling = -np.round(cosines, _DIGITS)
    closest = np.log1p(np.searchsorted(np.sort(falling), falling))
    above = cosines - cosines.mean()
    margin = cosines - cosines.max(initial=-1.0)
    nearby = np.maximum(neighbours(above, seen.previous), neighbours(above, seen.next))
    return np.column_stack([full(by_words), above, margin, closest, nearby])


def lexical(seen: Seen) -> "Floats":
    """The evidence of equal words alone, each as good as any other: (candidates, LEXICAL).

    As `full`; and `gap`: how much less of the telling words matches than in the best candidate.
    """
    weights = seen.telling()
    words, coverage, missing = _of_words(seen, weights)
    gap = coverage.max(initial=0.0) - coverage
    columns = [words, coverage, gap, missing]
    return np.column_stack([*columns, *_of_turns(seen, seen.exact, weights), *_of_query(seen, seen.exact)])


def answering(seen: Seen) -> "Floats":
    """`score` of the ranking, and `near`: the share of the telling words by words of like meaning."""
    weights = seen.telling() * seen.rarity
    return np.column_stack([seen.scores, seen.near @ weights / max(float(weights.sum()), 1e-9)])


def _of_words(seen: Seen, weights: "Floats") -> "tuple[Floats, Floats, Floats]":
    """`words`, `coverage`, `missing`."""
    whole = max(float(weights.sum()), 1e-9)
    matched = seen.exact @ weights
    missing = float(weights[~seen.exact.any(axis=0)].sum()) / whole
    return np.log1p(matched), matched / whole, np.full(len(matched), missing)


def _of_turns(seen: Seen, matches: "Floats", weights: "Floats") -> "tuple[Floats, ...]":
    """`around`, `reply`, `asking`, `speaker`."""
    shares = weights / max(float(weights.sum()), 1e-9)
    before, after = neighbours(matches, seen.previous), neighbours(matches, seen.next)
    around = np.maximum(matches, np.maximum(before, after)) @ shares
    reply = neighbours(seen.asking, seen.previous) * (before @ shares)
    return around, reply, seen.asking, seen.speaker


def _of_query(seen: Seen, near: "Floats") -> "tuple[Floats, ...]":
    """`subject`, `subjects`, `purpose`, `name`, `unknown`."""
    telling = seen.telling() > 0
    named = telling & np.array([not is_everyday(term) for term in seen.terms], dtype=bool)
    matched = (seen.exact[:, named] > 0).any(axis=1).astype(float)
    odds = purpose(seen.query) if seen.purpose is None else seen.purpose
    missing = {
        term: float(near[:, place].max(initial=0.0))
        for place, term in enumerate(seen.terms)
        if telling[place] and not seen.exact[:, place].any()
    }
    of_all = float(named.any()), odds, *_strangers(seen.query, missing)
    return matched, *(np.full(len(matched), each) for each in of_all)


def _strangers(query: str, missing: Mapping[str, float]) -> tuple[float, float]:
    """`name` and `unknown`, of the terms that no candidate has, each with its nearest word's similarity."""
    names = {term for term in missing if is_name(term)}
    capital = {word for place, (word, begins) in enumerate(cased_words(query)) if begins and place}
    others = {term for term in missing.keys() & capital - names if missing[term] < _NEAR}
    return float(bool(names)), float(bool(others))


def _paired(term: str) -> bool:
    return len(term) == 2 and term[0] >= _UNSPACED
