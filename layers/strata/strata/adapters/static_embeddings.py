"""Embeddings without a model server: a table of word piece → vector, in milliseconds and without torch.

The 256-dimensional table and its tokenizer come with the `wordllama` package (MIT). The package itself is
never imported: it would import a hub client, and look for its files outside its own folder.
"""

import json
import math
import sys
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.domain.text.analysis import cased_words
from strata.domain.text.stop_words import ENGLISH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TENSOR = "embedding.weight"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"

_BYTE_PIECES = 259
"""The first ids are control tokens and single bytes; merges follow in the order in which they were learnt."""

_MOST_COMMON = 2.0
"""Log rank below which all pieces are equally common: the first merges are letters, not words."""

_PROPER = 0.5
"""Weight of a capitalized word: a static vector knows that Ann is a name, the text search knows which."""

_LONGEST = 100
"""The part of a word that is read; only encoded data has longer ones."""

_FIRST_ROWS = 1_024

_WORDS_AT_ONCE = 4_096
"""Distinct words of texts that are looked up together, so that many long texts take little memory."""

_READ_AT_ONCE = 256
"""New words whose pieces are read together: words may be long."""

_LOADED = {"_tokenizer", "_table", "_vectors", "_rarities", "_used"}

_NUMERAL = 0.5
"""Weight of a word of digits, for the same reason."""


class StaticEmbeddings:
    """Port `Embedder` and `Lexicon`: vectors of words, and of texts as the weighted mean of their words.

    A word's vector is the mean of its pieces'. In a text, words are weighted by their rarity and stop words
    by zero, unless there are no others (cf. Arora et al. 2017, SIF). Rarity comes from the tokenizer alone,
    whose merges were learnt in the order of their frequency: it grows with the log of the rank of a word's
    rarest piece (Zipf), so it never goes stale and is the same in every store.

    The vectors of the `cached_words` words used last are cached (1 KB each). Thread-safe. The table is
    memory-mapped: processes share its pages.

    Raises:
        FileNotFoundError: the `wordllama` package, or a file of it, is missing.
    """

    model = "wordllama-l2-256/strata-1"
    dimensions = 256
    at_once = sys.maxsize

    def __init__(self, folder: Path | None = None, *, cached_words: int = 16_384) -> None:
        folder = folder or _package_folder()
        self._files = _existing(folder / _TOKENIZER), _existing(folder / _WEIGHTS)
        self._capacity = cached_words
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._rows: dict[str, int] = {}
        self._words: list[str] = []
        self._calls = 0

    def __getattr__(self, name: str) -> Any:
        """Load the table at the first use of a part: a cold start embeds nothing, and must not pay for it."""
        if name not in _LOADED:
            raise AttributeError(name)
        with self._loading:
            if name not in vars(self):
                self._load()
        return vars(self)[name]

    def _load(self) -> None:
        import numpy as np  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415

        tokenizer, weights = self._files
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._table = _mapped(weights, _TENSOR)
        self._vectors = np.zeros((_FIRST_ROWS, self.dimensions), dtype=np.float32)
        self._rarities = np.zeros(_FIRST_ROWS, dtype=np.float32)
        self._used = np.zeros(self._capacity, dtype=np.int64)

    def embed(self, texts: Sequence[str], *, soon: bool = False) -> "Vectors":
        import numpy as np  # noqa: PLC0415

        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        weighted: dict[int, dict[str, float]] = {}
        places: dict[str, int] = {}
        for row, text in enumerate(texts):
            if weights := _weights(text):
                weighted[row] = weights
                for word in weights:
                    places.setdefault(word, len(places))
            if len(places) >= _WORDS_AT_ONCE or row == len(texts) - 1:
                self._weigh(weighted, places, vectors)
                weighted, places = {}, {}
        return _unit(vectors)

    def embed_query(self, query: str) -> "Vectors":
        vector: Vectors = self.embed([query])[0]
        return vector

    def _weigh(
        self, weighted: dict[int, dict[str, float]], places: dict[str, int], vectors: "Vectors"
    ) -> None:
        """Set the rows of these texts to the weighted sums of their words, which are looked up together."""
        import numpy as np  # noqa: PLC0415

        words, rarities = self._looked_up(list(places))
        for row, weights in weighted.items():
            own = np.fromiter(map(places.__getitem__, weights), np.intp, len(weights))
            shares = rarities[own] * np.fromiter(weights.values(), np.float32, len(weights))
            vectors[row] = shares @ words[own]

    def word_vectors(self, words: Sequence[str]) -> "Vectors":
        return self._looked_up(words)[0]

    def rarity(self, words: Sequence[str]) -> "Vectors":
        return self._looked_up(words)[1]

    def _looked_up(self, words: Sequence[str]) -> "tuple[Vectors, Vectors]":
        import numpy as np  # noqa: PLC0415

        parts = []
        for start in range(0, max(len(words), 1), self._capacity):
            with self._lock:
                rows = self._cached(words[start : start + self._capacity])
                parts.append((self._vectors[rows], self._rarities[rows]))
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def _cached(self, words: Sequence[str]) -> "NDArray[np.intp]":
        """The row of each word, in place of the words used least recently. No more are given than fit."""
        import numpy as np  # noqa: PLC0415

        self._calls += 1
        known = list(map(self._rows.get, words))
        if None in known:
            self._used[[row for row in known if row is not None]] = self._calls
            new = list(dict.fromkeys(word for word, row in zip(words, known, strict=True) if row is None))
            for start in range(0, len(new), _READ_AT_ONCE):
                self._add(new[start : start + _READ_AT_ONCE])
            known = list(map(self._rows.get, words))
        rows = np.array(known, dtype=np.intp)
        self._used[rows] = self._calls
        return rows

    def _add(self, words: Sequence[str]) -> None:
        """Read words into free rows, then into those of the words used least recently."""
        import numpy as np  # noqa: PLC0415

        vectors, rarities = self._read(words)
        free = min(len(words), self._capacity - len(self._words))
        rows = list(range(len(self._words), len(self._words) + free))
        while len(self._words) + free > len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
            self._rarities = np.concatenate([self._rarities, np.zeros_like(self._rarities)])
        self._used[rows] = self._calls
        if missing := len(words) - free:
            forgotten = np.argpartition(self._used, missing - 1)[:missing].tolist()
            for row in forgotten:
                del self._rows[self._words[row]]
            rows += forgotten
        self._words += words[:free]
        for row, word in zip(rows, words, strict=True):
            self._words[row] = word
            self._rows[word] = row
        self._vectors[rows], self._rarities[rows] = vectors, rarities
        self._used[rows] = self._calls

    def _read(self, words: Sequence[str]) -> "tuple[Vectors, Vectors]":
        """The vectors and rarities of words that are not cached."""
        import numpy as np  # noqa: PLC0415

        encode = self._tokenizer.encode
        pieces = [encode(word[:_LONGEST], add_special_tokens=False).ids for word in words]
        vectors = np.zeros((len(words), self.dimensions), dtype=np.float32)
        lengths = np.fromiter(map(len, pieces), np.intp, len(words))
        for length in np.unique(lengths[lengths > 0]).tolist():  # a reduction over equal lengths is exact
            places = (lengths == length).nonzero()[0]
            table = self._table[[pieces[place] for place in places.tolist()]]
            vectors[places] = _unit(np.asarray(table).astype(np.float32).mean(axis=1))
        return vectors, np.array([self._rarity(of_one) for of_one in pieces], dtype=np.float32)

    def _rarity(self, pieces: Sequence[int]) -> float:
        rank = max(pieces, default=0) - _BYTE_PIECES + 1
        return max(math.log(rank if rank > 0 else len(self._table)) - _MOST_COMMON, 0.1)


def _weights(text: str) -> dict[str, float]:
    """Each distinct word with the sum of its occurrences' weights, without rarity."""
    found = cased_words(text)
    weights: dict[str, float] = {}
    for word, capital in [pair for pair in found if pair[0] not in ENGLISH] or found:
        weight = _PROPER if capital else _NUMERAL if word.isdigit() else 1.0
        weights[word] = weights.get(word, 0.0) + weight
    return weights


def _unit(vectors: "Vectors") -> "Vectors":
    import numpy as np  # noqa: PLC0415

    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0))


def _package_folder() -> Path:
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("the package 'wordllama', which carries the word vectors, is not installed")
    return Path(next(iter(spec.submodule_search_locations)))


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing; install 'wordllama' again")
    return path


def _mapped(path: Path, tensor: str) -> "NDArray[np.float16]":
    """A memory-mapped tensor of a safetensors file: a JSON header's length, the header, the raw numbers."""
    import numpy as np  # noqa: PLC0415

    with path.open("rb") as file:
        header_length = int.from_bytes(file.read(8), "little")
        entry: dict[str, Any] = json.loads(file.read(header_length))[tensor]
    if entry["dtype"] != "F16":
        raise ValueError(f"{path}: expected 16-bit floats, found {entry['dtype']}")
    offset = 8 + header_length + entry["data_offsets"][0]
    return np.memmap(path, dtype=np.float16, mode="r", offset=offset, shape=tuple(entry["shape"]))
