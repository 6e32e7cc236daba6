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
        is_borne_out(found.value, turn, shorter_than=0) and is_borne_out(found.fact, turn)
        for turn in turns
        if basis in _flat(turn)
    )


def is_borne_out(text: str, said: str, *, shorter_than: int = _SHORT_WORD) -> bool:
    """Whether what was said has half of a text's longer words and every figure."""
    known = set(_WORD.findall(fold(said)))
    words = [word for word in _WORD.findall(fold(text)) if len(word) > shorter_than or _is_figure(word)]
    borne_out = [word for word in words if word in known]
    return figures_are_borne_out(text, said) and len(borne_out) >= _SHARE * len(words)


def figures_are_borne_out(text: str, said: str) -> bool:
    """Whether what was said has every figure of a text."""
    known = set(_WORD.findall(fold(said)))
    return all(word in known for word in _WORD.findall(fold(text)) if _is_figure(word))


def _is_figure(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _flat(text: str) -> str:
    return " ".join(text.split())
