"""Near-duplicates among memories: the same source, the same words, or nearly the same words."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from strata.domain.assembly.items import Remembered
from strata.domain.dedup import normalized
from strata.domain.text.analysis import stem, words
from strata.domain.text.lexicon import WordLexicon
from strata.domain.text.stop_words import ENGLISH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
else:
    from strata.domain import arrays as np

ALIKE = 0.8
"""The cosine from which two words count as one, and two texts are compared word by word."""

SHARED = 0.85
"""The share of two texts' words, weighted by rarity, that must be in both. Texts differ as soon as each has a
word of its own, because one may contradict the other ("likes purple", "likes cyan")."""

_ABOUT_PEOPLE = ("facts", "conclusions")
_FEWEST = 3
_NEGATIONS = frozenset(
    {"no", "not", "never", "none", "nobody", "nothing", "without", "cannot"}
    | {"nunca", "sin", "ni", "tampoco", "nadie", "nada"}
)


def distinct(items: Iterable[Remembered], lexicon: WordLexicon) -> list[Remembered]:
    """The items in the given order, without near-duplicates of earlier ones."""
    return [first for first, *_ in repeats(items, lexicon)]


def repeats(items: Iterable[Remembered], lexicon: WordLexicon) -> list[list[Remembered]]:
    """The distinct items in the given order, each with the later ones that say what it says."""
    found: list[list[Remembered]] = []
    told: list[_Text] = []
    sources: dict[str, int] = {}
    said: dict[str, int] = {}
    for item in items:
        text = normalized(item.text)
        of = said.get(text, sources.get(item.source or ""))
        if of is None:
            known = _Text(text, lexicon)
            of = next((place for place, other in enumerate(told) if known.says_what(other)), None)
            if of is None:
                of = len(found)
                found.append([])
                told.append(known)
                said[text] = of
                if item.source is not None:
                    sources[item.source] = of
        found[of].append(item)
    return found


def told_in_profile(items: Iterable[Remembered], told: Iterable[Remembered]) -> set[str]:
    """The keys of the facts and conclusions whose value an entry of the profile tells whole.

    "Is called Ann" beside "Name: Ann".
    """
    values = {_value(each) for each in told if _tells_value(each)}
    return {each.key for each in items if each.layer in _ABOUT_PEOPLE and _value(each) in values}


def values_once(items: Iterable[Remembered]) -> list[Remembered]:
    """The items in the given order; of a value that the profile tells, and others too, the first alone."""
    known = list(items)
    told = {_value(each) for each in known if _tells_value(each)}
    kept: list[Remembered] = []
    seen: set[tuple[str, str]] = set()
    for each in known:
        value = _value(each) if each.layer in (*_ABOUT_PEOPLE, "profile") else None
        if value in told and value in seen:
            continue
        kept.append(each)
        if value is not None:
            seen.add(value)
    return kept


def _tells_value(item: Remembered) -> bool:
    """Whether this is an entry of the profile that ends with its value."""
    return item.layer == "profile" and bool(item.title) and item.content.endswith(item.title)


def _value(item: Remembered) -> tuple[str, str]:
    return item.subject or item.type, normalized(item.title)


def alike(one: str, other: str, lexicon: WordLexicon) -> bool:
    """Whether two texts have the same words, or nearly the same without a contradiction."""
    first, second = normalized(one), normalized(other)
    return first == second or _Text(first, lexicon).says_what(_Text(second, lexicon))


class _Text:
    """A text, prepared for comparison."""

    def __init__(self, text: str, lexicon: WordLexicon) -> None:
        found = words(text)
        content = list(dict.fromkeys(word for word in found if word not in ENGLISH))
        self._stems = [stem(word) for word in content]
        self._figures = {word for word in found if any(character.isdigit() for character in word)}
        self._denied = sum(word in _NEGATIONS or word.endswith("n't") for word in found) % 2
        self._vectors = lexicon.word_vectors(content)
        self._weights = lexicon.rarity(content)
        whole = self._weights @ self._vectors if content else np.zeros(0, dtype=np.float32)
        self._direction = whole / max(float(np.linalg.norm(whole)), 1e-9)

    def says_what(self, other: "_Text") -> bool:
        """Whether both texts say nearly the same, without a contradiction."""
        if min(len(self._stems), len(other._stems)) < _FEWEST:
            return False
        if self._figures != other._figures or self._denied != other._denied:
            return False
        if float(self._direction @ other._direction) < ALIKE:
            return False
        alike = self._vectors @ other._vectors.T
        mine = self._alone(other, alike.max(axis=1))
        theirs = other._alone(self, alike.max(axis=0))
        if mine > 0 and theirs > 0:
            return False
        whole = float(self._weights.sum() + other._weights.sum())
        return 1 - (mine + theirs) / whole >= SHARED

    def _alone(self, other: "_Text", nearest: "Floats") -> float:
        """The weight of this text's words that the other text has no equivalent of."""
        there = set(other._stems)
        alone = [own not in there and near < ALIKE for own, near in zip(self._stems, nearest, strict=True)]
        return float(self._weights[np.array(alone)].sum())
