"""The port `Embedder` over a model's server."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from strata.adapters.circuit import Circuit
from strata.adapters.models.errors import Unusable
from strata.adapters.models.trying import tried
from strata.adapters.recent_vectors import RecentVectors
from strata.ports.language import EmbeddingModel

if TYPE_CHECKING:
    from strata.ports.language import Vectors

MOST_BYTES = 8_000
"""Longest text in bytes: a token has at least one, and these models take 8 191 tokens or more."""

_BATCH_BYTES = 250_000
_PAUSE = 3.0


class VectorSource(Protocol):
    """A provider of vectors; it raises the errors of `strata.adapters.models.errors`."""

    @property
    def most_texts(self) -> int:
        """Maximum of texts in one request."""

    @property
    def width(self) -> int:
        """Maximum of parallel requests."""

    def vectors(self, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
        """One vector for each text, in their order."""


class RemoteEmbedder:
    """Requests vectors that are not cached, in batches and within a deadline.

    Blank texts are never sent; long ones are truncated to 8 000 bytes. Queries repeat, so the vectors of
    recent texts are cached by a hash of the text. After a request without a response all calls fail at once
    for three seconds; after one that was only too slow for a caller who waits, such calls alone do, since the
    others have more time. Thread-safe.

    Args:
        source: the provider of the vectors.
        made: the model's name, which must differ where vectors do, and their length.
        seconds, batch_seconds: time limit of a call for one text or a caller who waits, and for several.
        kept: number of cached vectors.
    """

    at_once = 32

    def __init__(
        self,
        source: VectorSource,
        made: EmbeddingModel,
        *,
        seconds: float = 2.0,
        batch_seconds: float = 20.0,
        kept: int = 4_096,
    ) -> None:
        self.model = made.name
        self.dimensions = made.dimensions
        self._source = source
        self._seconds = seconds
        self._batch_seconds = batch_seconds
        self._circuit = Circuit(_PAUSE, server="the embedding model")
        self._soon_circuit = Circuit(_PAUSE, server="the embedding model")
        self._recent = RecentVectors(made.dimensions, self._asked, kept=kept)

    def embed(self, texts: Sequence[str], *, soon: bool = False) -> "Vectors":
        """One unit row (float32) for each text; a blank text is all zeros.

        With `soon` the time limit of one text holds for several, too.

        Raises:
            Unavailable: the server does not respond, or not with such vectors.
            ModelFailed: it rejects one of the texts.
        """
        beginnings = [_beginning(text.strip()) for text in texts]
        return self._recent.of(beginnings, self._asked_soon if soon else None)

    def embed_query(self, query: str) -> "Vectors":
        vector: Vectors = self.embed([query])[0]
        return vector

    def _asked(self, texts: list[str]) -> "list[Vectors]":
        """The vectors of distinct texts."""
        self._circuit.admit()
        seconds = self._seconds if len(texts) == 1 else self._batch_seconds
        return self._requested(texts, time.monotonic() + seconds, self._circuit)

    def _asked_soon(self, texts: list[str]) -> "list[Vectors]":
        """The same for a caller who waits."""
        if len(texts) == 1:
            return self._asked(texts)
        self._circuit.admit()
        self._soon_circuit.admit()
        rows = self._requested(texts, time.monotonic() + self._seconds, self._soon_circuit)
        self._circuit.succeeded()
        return rows

    def _requested(self, texts: list[str], until: float, circuit: Circuit) -> "list[Vectors]":
        """The vectors, in parallel requests where several are needed; a failure opens the circuit."""
        batches = _batches(texts, self._source.most_texts)
        if len(batches) == 1 or self._source.width == 1:
            rows = [self._batch(batch, until, circuit) for batch in batches]
        else:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - few calls need it

            with ThreadPoolExecutor(min(self._source.width, len(batches))) as threads:
                rows = list(threads.map(lambda batch: self._batch(batch, until, circuit), batches))
        circuit.succeeded()
        return [vector for batch in rows for vector in batch]

    def _batch(self, texts: list[str], until: float, circuit: Circuit) -> "Vectors":
        rows = tried(
            lambda seconds: self._source.vectors(texts, seconds),
            until,
            failed=lambda error: circuit.failed(),
        )
        return self._checked(rows, len(texts))

    def _checked(self, rows: Sequence[Sequence[float]], count: int) -> "Vectors":
        import numpy as np  # noqa: PLC0415

        try:
            vectors = np.asarray(rows, dtype=np.float64)
        except (ValueError, TypeError, OverflowError, RecursionError):
            raise Unusable("the embedding model's answer holds no vectors") from None
        if vectors.ndim != 2 or len(vectors) != count or not np.isfinite(vectors).all():
            raise Unusable("the embedding model's answer holds no vectors")
        if vectors.shape[1] != self.dimensions:
            raise Unusable(
                f"the embedding model gives vectors of {vectors.shape[1]} numbers, not {self.dimensions}:"
                " set STRATA_EMBEDDING_DIMENSIONS"
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = np.divide(vectors, norms, out=np.zeros_like(vectors), where=(norms > 0) & np.isfinite(norms))
        return np.asarray(unit, dtype=np.float32)


def _batches(texts: list[str], most: int) -> list[list[str]]:
    """The texts in order, in batches of limited number and size."""
    batches: list[list[str]] = [[]]
    size = 0
    for text in texts:
        length = len(text.encode())
        if batches[-1] and (len(batches[-1]) == most or size + length > _BATCH_BYTES):
            batches.append([])
            size = 0
        batches[-1].append(text)
        size += length
    return batches


def _beginning(text: str) -> str:
    """The text, truncated to `MOST_BYTES`."""
    return text.encode(errors="replace")[:MOST_BYTES].decode(errors="ignore")
