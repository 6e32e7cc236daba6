"""A quick test of which sentences many patterns can match: most sentences match none.

Python tries each pattern at each character. Here the alternatives of all patterns are grouped by how they begin, so
that a place where no word begins is passed by at once; it takes a fifth of the time.
"""

import re
from collections.abc import Iterable, Sequence


class Sieve:
    """Tells whether any of these patterns, which have no groups to capture, matches within a sentence.

    Args:
        patterns: the patterns.
        starts: expressions with which several of them begin.
    """

    def __init__(self, patterns: Iterable[str], starts: Sequence[str] = ()) -> None:
        grouped: dict[str, list[str]] = {each: [] for each in ("^", r"\b", *starts, "")}
        for pattern in patterns:
            for each in _alternatives(pattern):
                start = next(start for start in grouped if each.startswith(start))
                grouped[start].append(each.removeprefix(start))
        self._tests = [
            re.compile(rest).match if start == "^" else re.compile(f"{start}(?:{rest})").search
            for start, parts in grouped.items()
            if (rest := "|".join(parts))
        ]

    def matches(self, sentence: str) -> bool:
        """Whether one of the patterns matches."""
        return any(test(sentence) for test in self._tests)


def _alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between the bars that stand outside of all brackets."""
    parts, depth, listed = [""], 0, False
    for piece in re.findall(r"\\.|.", pattern):
        if listed:
            listed = piece != "]"
        elif piece == "[":
            listed = True
        else:
            depth += (piece == "(") - (piece == ")")
        if piece == "|" and not depth and not listed:
            parts.append("")
        else:
            parts[-1] += piece
    return parts
