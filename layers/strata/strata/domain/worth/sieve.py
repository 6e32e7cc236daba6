"""A quick test of which sentences many patterns can match: most sentences match none.

Python tries each pattern at each character. Here the alternatives of all patterns are grouped by how they begin, and
those by their first letter, so that a place where no word begins is passed by at once, and at another one
only a few are tried.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

_REPEATED = frozenset("?*+{")


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
            if (rest := "|".join(first + after for first, after in _by_first("|".join(parts))))
        ]

    def matches(self, sentence: str) -> bool:
        """Whether one of the patterns matches."""
        return any(test(sentence) for test in self._tests)


def _by_first(pattern: str) -> Iterator[tuple[str, str]]:
    """First letters, "" where one is not known, and what may follow each of them in the pattern."""
    after: dict[str, list[str]] = {}
    for each in _alternatives(pattern):
        group, rest = _opened(each)
        if group is not None:
            for first, inner in _by_first(group):
                after.setdefault(first, []).append(inner + rest)
        elif each[:1].isalnum() and each[1:2] not in _REPEATED:
            after.setdefault(each[0], []).append(each[1:])
        else:
            after.setdefault("", []).append(each)
    for first, found in after.items():
        yield first, found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"


def _opened(pattern: str) -> tuple[str | None, str]:
    """The inside of the group that a pattern begins with, and the rest; None where it begins otherwise."""
    if pattern.startswith("(?:"):
        at = 0
        for piece, depth in _pieces(pattern):
            at += len(piece)
            if not depth:
                break
        if pattern[at : at + 1] not in _REPEATED:
            return pattern[3 : at - 1], pattern[at:]
    return None, pattern


def _alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between the bars that stand outside of all brackets."""
    parts = [""]
    for piece, depth in _pieces(pattern):
        if piece == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _pieces(pattern: str) -> Iterator[tuple[str, int]]:
    """The characters of a pattern, escaped ones with their stroke, and how many brackets are open after each."""
    depth, listed = 0, False
    for piece in re.findall(r"\\.|.", pattern):
        if listed:
            listed = piece != "]"
        elif piece == "[":
            listed = True
        else:
            depth += (piece == "(") - (piece == ")")
        yield piece, depth + listed
