"""The meaning and the rarity of words, as the rules need them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class WordLexicon(Protocol):
    """The meaning of single words and their rarity."""

    def word_vectors(self, words: Sequence[str]) -> "NDArray[np.float32]":
        """One unit row (float32) for each word; all zeros for an unknown one."""

    def rarity(self, words: Sequence[str]) -> "NDArray[np.float32]":
        """An idf-like weight above 0 for each word: rare words weigh more."""
