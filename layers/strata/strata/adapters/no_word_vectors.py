"""An empty lexicon, for an installation without the table of word vectors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
else:
    from strata.domain import arrays as np


class NoWordVectors:
    """Port `Lexicon`: every word is unknown and as rare as any other, so words match by their stems alone."""

    def word_vectors(self, words: Sequence[str]) -> "Vectors":
        """All zeros."""
        return np.zeros((len(words), 1), dtype=np.float32)

    def rarity(self, words: Sequence[str]) -> "Vectors":
        """The same weight for each word."""
        return np.ones(len(words), dtype=np.float32)
