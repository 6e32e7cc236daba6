"""Rejects plain words that the weights take for names: in small letters, or at the beginning of a sentence."""

from collections.abc import Sequence

from strata.domain.entities import name_lists
from strata.domain.entities.clues import lists_with
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import EntityType

_SHORTENED = ("'re", "'ll", "'ve", "n't", "'d", "'m")
_NAMED = {"kn=organization", "kn=thing", "kn=event"}


def writes_capitals(words: Sequence[Word]) -> bool:
    """Whether a text has capitals, so that a word without one is hardly a name."""
    return any(word.capital and word.text != "I" and not word.text.startswith("I'") for word in words)


def is_plain(words: Sequence[Word], first: int, last: int, kind: EntityType, *, capitals: bool) -> bool:
    """Whether these words are no name, whatever the weights say.

    Args:
        words: of a text.
        first, last: the positions of the first and the last word of what was taken for a name.
        kind: the type that it was taken for.
        capitals: whether the text has capitals where they belong.
    """
    name = words[first : last + 1]
    if kind == "person" and any(word.fold.endswith(_SHORTENED) for word in name):
        return True
    known = [lists_with(word.fold) for word in name]
    if capitals and not any(word.capital for word in name):
        return _is_small(name, known, kind)
    if kind != "person" or first != last or not name[0].begins:
        return False
    word = name[0].fold
    listed = name_lists.NAMES_TOO | name_lists.common_names() | name_lists.famous_people()
    return "ord" in known[0] and word not in listed


def _is_small(name: Sequence[Word], known: Sequence[Sequence[str]], kind: EntityType) -> bool:
    """Whether a name without capitals is a plain word: no list has it as a name of this type alone."""
    if kind == "person":
        return not any("cn" in each and "ord" not in each for each in known)
    if len(name) > 1:
        return False
    each = known[0]
    listed = {"pl", "lp"} if kind == "place" else _NAMED
    return "ord" in each or listed.isdisjoint(each)
