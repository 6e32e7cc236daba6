"""Tags of words: which of them begin a name, which go on with it, and of which type it is."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from strata.domain.entities import name_lists
from strata.domain.entities.animals import ARTICLES, COPULAS, MINE, hints_at_pet
from strata.domain.entities.doubts import is_plain, writes_capitals
from strata.domain.entities.merging import Span
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import ENTITY_TYPES, PET
from strata.domain.entities.telling import told
from strata.domain.entities.vocabulary import ROLES

OUTSIDE = "O"
BEGINS, GOES_ON = "B-", "I-"
_TYPES = {place + kind: kind for kind in ENTITY_TYPES for place in (BEGINS, GOES_ON)}
_WIDEST = 3
"""The most characters between two words of a name: "St. James", "Bono - Live"."""


def tags_of(words: Sequence[Word], names: Sequence[tuple[int, int, str]]) -> list[str]:
    """The tags of words whose names, or values, are known, as weights are fitted to them.

    Args:
        words: of a text.
        names: beginning, end and type of each.
    """
    tags = [OUTSIDE] * len(words)
    for start, end, kind in names:
        inside = [at for at, word in enumerate(words) if word.start < end and start < word.end]
        for at in inside:
            tags[at] = (BEGINS if at == inside[0] else GOES_ON) + kind
    return tags


def spans_of(words: Sequence[Word], tags: Sequence[str], sure: Sequence[float]) -> Iterator[Span]:
    """The names that tags tell, in order, each as sure as the least sure of its words."""
    at, capitals = 0, writes_capitals(words)
    while at < len(words):
        first, kind = at, _TYPES.get(tags[at])
        at += 1
        if kind is None:
            continue
        while at < len(words) and words[at].start - words[at - 1].end <= _WIDEST:
            surname = kind == "person" and tags[at] == tags[first] and _is_surname(words[at - 1], words[at])
            if tags[at] != GOES_ON + kind and not surname:
                break
            at += 1
        if kind == "person" and first and tags[first - 1] == OUTSIDE and _is_initial(words, first - 1):
            first -= 1
        confidence = min(1.0, max(0.01, round(min(sure[first:at]), 2)))
        role = _role(words, first, at - 1) if kind == "person" else ""
        hint = ""
        if not role and is_plain(words, first, at - 1, kind, capitals=capitals):
            continue
        if not role:
            kind, role = told(words, first, at - 1, kind)
            hinted = kind == "person" and first == at - 1 and hints_at_pet(words, first)
            hint = PET if hinted else ""
        end = words[at - 1].end
        own = kind == "organization" or _is_listed(words[first:at])  # "Addenbrooke's", "Nando's"
        yield Span(
            words[first].start, end + 2 * (own and words[at - 1].possessive), kind, confidence, role, hint
        )


def _is_surname(before: Word, word: Word) -> bool:
    """Whether two words are one person though each may be a first name: "Marta Gil", but "ana luis" of two."""
    return word.joined and before.capital and word.capital and not before.possessive


def _is_initial(words: Sequence[Word], at: int) -> bool:
    """Whether a sentence begins with an initial before a name: "A. Ruiz called" is no "A ruiz"."""
    word, name = words[at], words[at + 1]
    stop = name.joined and name.start - word.end == len(". ")
    return word.begins and len(word.text) == 1 and word.capital and stop


def _is_listed(words: Sequence[Word]) -> bool:
    """Whether a name is known with its possessive."""
    return f"{' '.join(word.fold for word in words)}'s" in name_lists.known_names()


def _role(words: Sequence[Word], first: int, last: int) -> str:
    """The word for who the person of these words is: "my sister Ana", "Ana, my sister"; "" without one.

    Args:
        words: of a text.
        first, last: the positions of the first and the last word of the name.
    """
    before = ["", "", ""]
    for back in range(3):
        at = first - back
        if at <= 0 or words[at].begins:
            break
        before[back] = words[at - 1].fold
    if before[0] in ROLES and (not before[1] or set(before[1:]) & (MINE | ARTICLES)):
        return before[0]
    after: list[Word] = []
    for word in words[last + 1 : last + 5]:
        if word.begins:
            break
        after.append(word)
    for whose, what in pairwise(after):
        if whose.fold in MINE and what.fold in ROLES and not what.possessive:
            return what.fold if after[0].comma or after[0].fold in COPULAS else ""
    return ""
