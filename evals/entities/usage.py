"""Counts how the authors of labelled turns use words, for the table that the package ships."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.entities.marked import Names
from evals.entities.measure import Turn
from strata.domain.entities import usage
from strata.domain.entities.reading import words
from strata.domain.entities.shapes import ENTITY_TYPES
from strata.domain.entities.tags import OUTSIDE, tags_of
from strata.domain.entities.usage import Usage
from strata.domain.text.common import common_stem

_LISTS = Path(usage.__file__).parent / "lists"
_PLAIN, _CAPITAL, _NAMED = range(3)


def of_author(turns: Sequence[tuple[Turn, Names]]) -> Usage:
    """The usage of the one author of these turns: every number is 0 or 1."""
    used: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (_NAMED + len(ENTITY_TYPES)))
    for turn, names in turns:
        read = words(turn.text)
        for word, tag in zip(read, tags_of(read, names), strict=True):
            plain = _CAPITAL if word.capital else _PLAIN
            used[word.fold][plain if tag == OUTSIDE else _place(tag)] = 1
    stems = {common_stem(word) for word, counts in used.items() if counts[_PLAIN]}
    return Usage({word: tuple(counts) for word, counts in used.items()}, dict.fromkeys(stems, 1))


def _place(tag: str) -> int:
    """Where the number of names of this tag's type stands."""
    return _NAMED + next(at for at, kind in enumerate(ENTITY_TYPES) if tag.endswith(f"-{kind}"))


def together(authors: Sequence[Usage]) -> Usage:
    """The usage of several authors."""
    used: defaultdict[str, tuple[int, ...]] = defaultdict(lambda: (0,) * (_NAMED + len(ENTITY_TYPES)))
    stems: Counter[str] = Counter()
    for author in authors:
        stems.update(author.stems)
        for word, counts in author.words.items():
            used[word] = tuple(map(sum, zip(used[word], counts, strict=True)))
    return Usage(dict(used), stems)


def write(told: Usage) -> None:
    """Write the table of the package."""
    _write(usage.WORDS, told.words)
    _write(usage.STEMS, {stem: (count,) for stem, count in told.stems.items()})
    usage.shipped.cache_clear()


def _write(name: str, counted: Mapping[str, tuple[int, ...]]) -> None:
    lines: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    for word, counts in sorted(counted.items()):
        lines[counts].append(word)
    text = "".join(
        f"{' '.join(map(str, counts))}\t{' '.join(each)}\n" for counts, each in sorted(lines.items())
    )
    (_LISTS / name).write_text(text, encoding="utf-8")
