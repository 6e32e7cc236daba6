"""A check that a fact from a language model is supported by the person's words."""

import re
from collections.abc import Sequence

from strata.domain.facts.found import FoundFact
from strata.domain.text.folding import fold

MAX_VALUE, MAX_FACT, MAX_BASIS = 200, 300, 1000
_SHORTEST_BASIS = 3
_SHORT_WORD = 3
"""Words up to this length say little about the subject of a sentence."""
_SHARE = 0.5
_WORD = re.compile(r"[^\W_]+")


def is_grounded(found: FoundFact, turns: Sequence[str]) -> bool:
    """Whether one of the turns contains the basis, white space aside, and supports value and fact.

    That turn must contain at least half of the value's words, half of the fact's longer words, and every figure.
    """
    basis = _flat(found.basis)
    if not (found.value and found.fact and len(basis) >= _SHORTEST_BASIS):
        return False
    if len(found.value) > MAX_VALUE or len(found.fact) > MAX_FACT or len(found.basis) > MAX_BASIS:
        return False
    return any(
        _borne_out(found.value, turn, 0) and _borne_out(found.fact, turn, _SHORT_WORD)
        for turn in turns
        if basis in _flat(turn)
    )


def _borne_out(text: str, turn: str, shorter_than: int) -> bool:
    said = set(_WORD.findall(fold(turn)))
    words = [word for word in _WORD.findall(fold(text)) if len(word) > shorter_than or _is_figure(word)]
    known = [word for word in words if word in said]
    figures = all(word in said for word in words if _is_figure(word))
    return figures and len(known) >= _SHARE * len(words)


def _is_figure(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _flat(text: str) -> str:
    return " ".join(text.split())
