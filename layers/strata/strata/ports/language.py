"""The meaning of words and texts, and the models that give it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from strata.domain.text.lexicon import WordLexicon

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """One row of numbers, or several: (dimensions,) or (n, dimensions)."""


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """The name of the maker of vectors, and their length. Vectors of two names never mix."""

    name: str
    dimensions: int


class Embedder(Protocol):
    """Text to unit vectors. `model` names weights and rules: vectors of two models never mix.

    Raises: `Unavailable` when what makes the vectors does not answer in time, `ModelFailed` when it will not
    have one of these texts.
    """

    @property
    def model(self) -> str:
        """Name and version of what makes the vectors."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def at_once(self) -> int:
        """The most texts that may be embedded while a caller waits; of more, words alone must do."""

    def embed(self, texts: Sequence[str], *, soon: bool = False) -> "Vectors":
        """One unit row (float32) for each text; a text without a known word is all zeros.

        With `soon` a caller waits, so several texts may take no longer than a query.
        """

    def embed_query(self, query: str) -> "Vectors":
        """The unit vector (float32) of a query, to compare with texts; some models read queries otherwise."""


class Lexicon(WordLexicon, Protocol):
    """The meaning of single words and their rarity, for the soft match."""
