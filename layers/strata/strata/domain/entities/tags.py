"""Tags of words: which of them begin a name, which go on with it, and of which type it is."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from strata.domain.entities import name_lists
from strata.domain.entities.merging import Span
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import ENTITY_TYPES, PET
from strata.domain.entities.vocabulary import PET_TALK, PETS, ROLES

OUTSIDE = "O"
BEGINS, GOES_ON = "B-", "I-"
_TYPES = {place + kind: kind for kind in ENTITY_TYPES for place in (BEGINS, GOES_ON)}
_WIDEST = 3
"""The most characters between two words of a name: "St. James", "Bono - Live"."""
_NEAR = 6
"""How many words from its name on either side the word for an animal may stand."""
_FAR = 40
"""How many words away the talk about animals may be."""
_PETS = frozenset(("person", "thing"))
"""The types that a pet's name may have by its words alone."""
_NAMED = frozenset(("named", "called", "name", "name's", "llama", "llamaba", "llamado", "llamada"))
_CALLED = _NAMED | {"is", "was", "se", "que", "es"}
_MINE = frozenset(("my", "our", "mi", "mis", "nuestro", "nuestra"))
_ARTICLES = frozenset(("the", "a", "an", "el", "la", "los", "las", "un", "una"))
_COPULAS = frozenset(("is", "es", "era", "was", "are", "son", "'s"))


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
    at = 0
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
        if not role and kind in _PETS and _is_pet(words, first, at - 1, person=kind == "person"):
            kind, role = "thing", PET
        end = words[at - 1].end
        own = kind == "organization" or _is_listed(words[first:at])  # "Addenbrooke's", "Nando's"
        yield Span(words[first].start, end + 2 * (own and words[at - 1].possessive), kind, confidence, role)


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


def _is_pet(words: Sequence[Word], first: int, last: int, *, person: bool) -> bool:
    """Whether a name is told to be that of an animal at home: "our dog Max", "a cat named Max", "Max, my cat".

    Args:
        words: of a text.
        first, last: the positions of the first and the last word of the name.
        person: whether it is a person's otherwise, as in "the dog Max sold us".
    """
    begin = first
    while begin > max(0, first - _NEAR) and not words[begin].begins:
        begin -= 1
    before = words[begin:first][::-1]
    told = [word.fold for word in before]
    if before and told[0] in PETS and words[first].joined and not before[0].possessive:
        return not person or not _MINE.isdisjoint(told[1:3])
    called = list(takewhile(_CALLED.__contains__, told))
    if not _NAMED.isdisjoint(called) and not PETS.isdisjoint(told[len(called) : len(called) + 1]):
        return True
    after = list(takewhile(lambda word: not word.begins, words[last + 1 : last + 1 + _NEAR]))
    start = int(bool(after) and after[0].fold in _COPULAS)
    whose = _MINE if person else _MINE | _ARTICLES
    if not person and first == last and _is_animals(words, first):
        return True
    if words[last].possessive or len(after) <= start or after[start].fold not in whose:
        return False
    animals = [at for at in range(start + 1, min(start + 4, len(after))) if after[at].fold in PETS]
    return bool(animals) and not any(word.joined for word in after[animals[-1] + 1 :][:1])


def _is_animals(words: Sequence[Word], at: int) -> bool:
    """Whether a thing is called like a person where animals at home are spoken of, here or one sentence away."""
    name = words[at]
    if name.opens or name.fold not in name_lists.first_names() or name.fold in name_lists.known_names():
        return False
    for step, end in ((-1, max(-1, at - _FAR)), (1, min(len(words), at + _FAR))):
        left = 2
        for place in range(at, end, step):
            if words[place].fold in PET_TALK and place != at:
                return True
            left -= words[place if step < 0 else min(place + 1, len(words) - 1)].begins
            if not left:
                break
    return False


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
    if before[0] in ROLES and (not before[1] or set(before[1:]) & (_MINE | _ARTICLES)):
        return before[0]
    after: list[Word] = []
    for word in words[last + 1 : last + 5]:
        if word.begins:
            break
        after.append(word)
    for whose, what in pairwise(after):
        if whose.fold in _MINE and what.fold in ROLES and not what.possessive:
            return what.fold if after[0].comma or after[0].fold in _COPULAS else ""
    return ""
