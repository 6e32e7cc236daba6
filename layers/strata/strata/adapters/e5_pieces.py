"""Word pieces of multilingual-e5-small: the most likely ones that a text is made of (Kudo 2018, Unigram).

The tokenizer library holds the same 250 000 pieces in 270 MB of each process and takes a second for it.
Here a sorted array of checksums leads to them, in 16 MB.
"""

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE = "\N{LOWER ONE EIGHTH BLOCK}"
"""The mark before a word."""

_LONGEST = 16
"""The characters of the longest piece."""

_MARKS = 4
"""The first ids are those of start, padding, end and unknown, which no text may name."""

_UNKNOWN_PENALTY = 10.0
"""How much less likely an unknown character is than the least likely piece, as the library has it."""

_REMEMBERED = 16_384
"""The words, up to the longest piece's characters, whose pieces are kept: longer ones are whole texts of an
unspaced script."""


class Pieces:
    """Splits words into pieces.

    Args:
        letters: the bytes of all pieces, one after the other.
        ends: where each begins, and where the last one ends.
        scores: the log likelihood of each.
        unknown: the id of what no piece is for.
    """

    def __init__(self, letters: bytes, ends: Sequence[int], scores: Sequence[float], unknown: int) -> None:
        import numpy as np  # noqa: PLC0415 - functions that read no pieces must not pay for it

        self._letters, self._ends, self._scores, self._unknown = letters, ends, scores, unknown
        count = len(scores)
        sums = np.fromiter(
            (zlib.crc32(letters[ends[each] : ends[each + 1]]) for each in range(count)), "u4", count
        )
        self._order: NDArray[np.intp] = np.argsort(sums, kind="stable")
        self._sums: NDArray[np.uint32] = sums[self._order]
        self._least = min(scores) - _UNKNOWN_PENALTY
        self._remembered = lru_cache(maxsize=_REMEMBERED)(self._of_word)

    def of(self, text: str) -> list[int]:
        """The ids of the pieces of a text; white space is no piece of its own but before a word."""
        ids: list[int] = []
        for word in text.split() or [""]:
            ids += self._remembered(word) if len(word) <= _LONGEST else self._of_word(word)
        return ids

    def _of_word(self, word: str) -> tuple[int, ...]:
        """The likeliest pieces of a word; unknown characters beside each other are one."""
        word = SPACE + word
        found = self._found(word)
        best: list[tuple[float, int, int]] = [(0.0, 0, 0)]
        for end in range(1, len(word) + 1):
            ways = [
                (best[start][0] + self._scores[found[start, end]], -start, found[start, end])
                for start in range(max(0, end - _LONGEST), end)
                if (start, end) in found
            ]
            if (end - 1, end) not in found:
                ways.append((best[end - 1][0] + self._least, 1 - end, -1))
            best.append(max(ways))
        ids: list[int] = []
        end = len(word)
        while end:
            _, start, piece = best[end]
            if piece >= 0:
                ids.append(piece)
            elif not ids or ids[-1] != self._unknown:
                ids.append(self._unknown)
            end = -start
        return tuple(reversed(ids))

    def _found(self, word: str) -> dict[tuple[int, int], int]:
        """The pieces among the parts of a word, by where they begin and end."""
        import numpy as np  # noqa: PLC0415

        spans = [
            (start, end)
            for start in range(len(word))
            for end in range(start + 1, min(start + _LONGEST, len(word)) + 1)
        ]
        parts = [word[start:end].encode(errors="replace") for start, end in spans]
        sums = np.fromiter(map(zlib.crc32, parts), "u4", len(parts))
        places = np.searchsorted(self._sums, sums)
        alike = np.flatnonzero(self._sums[np.minimum(places, len(self._sums) - 1)] == sums)
        found = {}
        for each, place in zip(alike.tolist(), places[alike].tolist(), strict=True):
            if (piece := self._piece(parts[each], place)) is not None:
                found[spans[each]] = piece
        return found

    def _piece(self, part: bytes, place: int) -> int | None:
        """The piece of these bytes among those with the checksum at this place; None for none."""
        for at in range(place, len(self._sums)):
            if self._sums[at] != self._sums[place]:
                return None
            piece = int(self._order[at])
            if self._letters[self._ends[piece] : self._ends[piece + 1]] == part:
                return piece if piece >= _MARKS else None
        return None
