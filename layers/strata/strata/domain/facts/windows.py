"""Windows over long conversations, each short enough for one call of a finder."""

from collections.abc import Iterator, Sequence

CHARACTERS = 12_000
"""The most characters of a window, about 3 000 tokens."""
OVERLAP = 2
"""The turns that a window repeats from the one before, if they are short enough."""
SHARED = 300
"""The overlap of two pieces of a long turn in characters, so that no shorter sentence is cut."""

_ROOM = CHARACTERS // 4
_LONGEST = CHARACTERS - _ROOM


def windows(turns: Sequence[str]) -> Iterator[Sequence[str]]:
    """The turns in order, in windows of at most `CHARACTERS`. Each begins with the last turns of the one before.

    A turn that is too long for a window is cut into pieces that overlap by `SHARED` characters.
    """
    parts = [piece for turn in turns for piece in _pieces(turn)]
    start = 0
    while start < len(parts):
        first, size = start, 0
        while first > max(0, start - OVERLAP) and size + len(parts[first - 1]) <= _ROOM:
            first -= 1
            size += len(parts[first])
        end = start
        while end < len(parts) and (end == start or size + len(parts[end]) <= CHARACTERS):
            size += len(parts[end])
            end += 1
        yield parts[first:end]
        start = end


def _pieces(turn: str) -> Iterator[str]:
    start = 0
    while len(turn) - start > _LONGEST:
        yield turn[start : start + _LONGEST]
        start += _LONGEST - SHARED
    yield turn[start:]
