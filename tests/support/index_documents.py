"""Documents and searches as the index suites write them."""

from typing import TYPE_CHECKING

import numpy as np

from strata.domain.scope import Scope
from strata.domain.text.analysis import query_terms
from strata.ports.search import Document, SearchIndex, SearchQuery

if TYPE_CHECKING:
    from strata.ports.language import Vectors

KIND = "observation"
DIMENSIONS = 16


def unit(*values: float) -> "Vectors":
    """A unit vector that begins with these values."""
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[: len(values)] = values
    return vector / np.linalg.norm(vector)


def document(key: str, text: str = "", vector: "Vectors | None" = None, **fields: str) -> Document:
    return Document(key, KIND, "", text, fields=fields, vector=vector)


def by_words(
    index: SearchIndex, scope: Scope, text: str, *where: tuple[tuple[str, str], ...], limit: int = 200
) -> list[str]:
    found = index.search(scope, SearchQuery(KIND, query_terms(text), where=where, limit=limit))
    return [each.key for each in sorted(found, key=lambda each: 0 if each.bm25 is None else -each.bm25)]


def by_vector(
    index: SearchIndex, scope: Scope, vector: "Vectors", *where: tuple[tuple[str, str], ...], limit: int = 200
) -> list[str]:
    found = index.search(scope, SearchQuery(KIND, vector=vector, where=where, limit=limit))
    return [each.key for each in sorted(found, key=lambda each: -2 if each.cosine is None else -each.cosine)]


def keys_of(index: SearchIndex, scope: Scope) -> list[str]:
    return sorted(key for key, _ in index.catalog(scope, KIND))
