"""Training turns: one a line, its names marked as `[Ana Ruiz|person]`."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from evals.entities.measure import TYPES, Turn, load
from strata.domain.text.folding import fold

FOLDER = Path(__file__).parent / "train"
LABELLED = ("dev", "dev2")
"""Parts whose turns are trained on, too."""
_INITIAL = len("A.")
_QUOTES = ('"', "\u201c", "\u00ab", "'")
_MARK = re.compile(rf"\[([^\[\]|]+)\|({'|'.join(TYPES)})\]")

Names = tuple[tuple[int, int, str], ...]
"""Beginning, end and type of each name in a turn."""


def parts() -> dict[str, list[tuple[Turn, Names]]]:
    """The turns of each author, by the name of their part: `en01`, `es01` and so on, `dev`, `dev2`.

    Raises:
        OSError: a file cannot be read.
        ValueError: a line has a bracket or a bar that belongs to no mark.
    """
    marked = {
        path.stem: [
            _turn(f"{path.stem}-{number:03}", line)
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        ]
        for path in sorted(FOLDER.glob("*.txt"))
    }
    return marked | {part: [(turn, _places(turn)) for turn in load(part)] for part in LABELLED}


def quoted(text: str, names: Names) -> tuple[str, Names]:
    """A turn whose things of several words stand in quotation marks, as titles do, unless they did before."""
    told, end = "", 0
    found: list[tuple[int, int, str]] = []
    for start, stop, kind in names:
        title = kind == "thing" and " " in text[start:stop]
        mark = '"' * (title and text[start - 1 : start] not in _QUOTES)
        told += text[end:start] + mark
        found.append((len(told), len(told) + stop - start, kind))
        told, end = told + text[start:stop] + mark, stop
    return told + text[end:], tuple(found)


def initialled(text: str, names: Names) -> tuple[str, Names]:
    """A turn whose people of two words and more have an initial for their first name: "A. Ruiz"."""

    def shortened(name: str) -> str:
        first, _, rest = name.partition(" ")
        return f"{first[0]}. {rest}" if rest and len(first) > _INITIAL and name[0].isupper() else name

    return renamed(text, names, shortened)


def renamed(text: str, names: Names, rename: Callable[[str], str]) -> tuple[str, Names]:
    """A turn whose people have other names, in their order."""
    told, end = "", 0
    found: list[tuple[int, int, str]] = []
    for start, stop, kind in names:
        name = rename(text[start:stop]) if kind == "person" else text[start:stop]
        told += text[end:start]
        found.append((len(told), len(told) + len(name), kind))
        told, end = told + name, stop
    return told + text[end:], tuple(found)


def digest(turns: Mapping[str, Sequence[tuple[Turn, Names]]]) -> str:
    """A digest of the turns and their names, which changes with any of them."""
    return hash_of([(part, turn.text, names) for part, ones in turns.items() for turn, names in ones])


def hash_of(values: object) -> str:
    """A digest of plain values, the same in every process."""
    return hashlib.sha256(repr(values).encode()).hexdigest()


def unmarked(line: str, marks: re.Pattern[str]) -> tuple[str, Names]:
    """A line without its marks, and where what they mark stands in it.

    Args:
        line: with marks such as `[Ana Ruiz|person]`.
        marks: matches one; its groups are the words and their type.
    """
    text, end = "", 0
    names: list[tuple[int, int, str]] = []
    for mark in marks.finditer(line):
        text += line[end : mark.start()]
        names.append((len(text), len(text) + len(mark[1]), mark[2]))
        text, end = text + mark[1], mark.end()
    return text + line[end:], tuple(names)


def _turn(identity: str, line: str) -> tuple[Turn, Names]:
    text, names = unmarked(line, _MARK)
    if not {"[", "]", "|"}.isdisjoint(text):
        raise ValueError(f"{identity}: a bracket or a bar belongs to no mark: {text!r}")
    return Turn(identity, identity[:2], text, _distinct(text, names)), names


def _distinct(text: str, names: Names) -> tuple[tuple[str, str], ...]:
    """Each entity once, in its longest form, as the guide asks."""
    found: dict[tuple[str, str], str] = {}
    for start, end, kind in sorted(names, key=lambda name: name[0] - name[1]):
        folded = fold(text[start:end])
        within = rf"(?<!\w){re.escape(folded)}(?!\w)"
        if not any(kind == other and re.search(within, longer) for other, longer in found):
            found[kind, folded] = text[start:end]
    return tuple((kind, name) for (kind, _), name in found.items())


def _places(turn: Turn) -> Names:
    """Where the labels of a turn stand in it, the longest name at each place."""
    found: list[tuple[int, int, str]] = []
    for kind, name in sorted(turn.entities, key=lambda entity: -len(entity[1])):
        for place in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", turn.text):
            if not any(start < place.end() and place.start() < end for start, end, _ in found):
                found.append((place.start(), place.end(), kind))
    return tuple(sorted(found))
