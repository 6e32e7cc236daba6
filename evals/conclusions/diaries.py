"""The labelled diaries: what a file of the folders here is. How they were labelled: README.md."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time
from itertools import pairwise
from pathlib import Path
from typing import Literal, NoReturn

Part = Literal["dev", "train", "unknown", "kept", "kept2", "kept3"]
"""Readers are fitted to `dev` and `train`; thresholds are chosen by `unknown`, of other authors; the kept
ones are opened for the last measurement only."""

KINDS = ("preference", "habit", "topic", "time", "tool")
DAYS = 30
EACH = 5
"""So many patterns a diary has, and so many conflicts."""

_NUMBERS = {
    "dev": range(1, 21),
    "train": range(101, 801),
    "unknown": range(801, 901),
    "kept": range(21, 31),
    "kept2": range(901, 951),
    "kept3": range(951, 1000),
}
_NAME = re.compile(r"([a-z]{2})(\d{2,3})")
_PATTERN = re.compile(r"(p\d) (\w+): (\S.*?) \| terms: (\S.*)")
_CONFLICT = re.compile(r"(c\d) (\S.*?) \| old: (\S.*?) \| new: (\S.*)")
_DAY = re.compile(r"day (\d{4}-\d\d-\d\d)")
_LINE = re.compile(r"(\d\d:\d\d) (\S+) \| (\S.*)")


@dataclass(frozen=True, slots=True)
class Line:
    """One message of the person, with its label and where it stands in the file, counted from 1."""

    day: date
    time: time
    label: str
    text: str
    number: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """Something that repeats, and the words of which one stands in every right conclusion about it."""

    id: str
    kind: str
    text: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """An attribute of the person that has one value at a time, and changed; the old values in order."""

    id: str
    attribute: str
    old: tuple[str, ...]
    new: str


@dataclass(frozen=True, slots=True)
class Diary:
    """A person's messages to their assistant on 30 days, and what follows from it."""

    id: str
    person: str
    language: str
    patterns: tuple[Pattern, ...]
    conflicts: tuple[Conflict, ...]
    lines: tuple[Line, ...]

    def labelled(self, label: str) -> list[Line]:
        """Its lines of this label, in order."""
        return [line for line in self.lines if line.label == label]


def read(part: Part) -> list[Diary]:
    """Read the diaries of a part, ordered by id.

    Raises:
        OSError, ValueError: a file cannot be read, or breaks a rule of the format.
    """
    return [diary(path) for path in sorted((Path(__file__).parent / part).glob("*.txt"))]


def diary(path: Path) -> Diary:
    """Read the diary of this file, whose folder is its part.

    Raises:
        OSError: it cannot be read.
        ValueError: it breaks a rule of the format; the message names file and line, and quotes nothing.
    """
    return _File(path).diary()


class _File:
    """A file that is read line by line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._written = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise ValueError(f"{path}:{line}: is not UTF-8") from None
        self._at = 0

    def diary(self) -> Diary:
        name = _NAME.fullmatch(self._path.stem)
        if name is None:
            self._refuse("the file is not named by a language and two or three digits")
        if int(name[2]) not in _NUMBERS.get(self._path.parent.name, ()):
            self._refuse("this number belongs to another part")
        person = self._next(re.compile(r"person: (\S.*)"), "the person")[1]
        language = self._next(re.compile(r"lang: ([a-z]{2})"), "the language")[1]
        if language != name[1]:
            self._refuse("the language is not the one of the file's name")
        patterns = tuple(self._pattern(f"p{number}") for number in range(1, EACH + 1))
        conflicts = tuple(self._conflict(f"c{number}") for number in range(1, EACH + 1))
        read = Diary(name[0], person, language, patterns, conflicts, self._lines())
        self._check(read)
        return read

    def _pattern(self, expected: str) -> Pattern:
        found = self._next(_PATTERN, f"the pattern {expected}")
        if found[1] != expected:
            self._refuse(f"the pattern {expected} is expected")
        if found[2] not in KINDS:
            self._refuse("there is no such kind of pattern")
        terms = self._values(found[4], ",")
        if len(terms) > 5:
            self._refuse("a pattern has five terms at most")
        return Pattern(found[1], found[2], found[3], terms)

    def _conflict(self, expected: str) -> Conflict:
        found = self._next(_CONFLICT, f"the conflict {expected}")
        if found[1] != expected:
            self._refuse(f"the conflict {expected} is expected")
        old = self._values(found[3], ";")
        if len(old) > 2:
            self._refuse("a conflict has two old values at most")
        if found[4].casefold() in map(str.casefold, old):
            self._refuse("the new value is an old one")
        return Conflict(found[1], found[2], old, found[4])

    def _values(self, written: str, mark: str) -> tuple[str, ...]:
        values = tuple(value.strip() for value in written.split(mark))
        if not all(values) or len({value.casefold() for value in values}) < len(values):
            self._refuse("a value is empty or stands there twice")
        return values

    def _lines(self) -> tuple[Line, ...]:
        lines: list[Line] = []
        days: list[date] = []
        while self._at < len(self._written):
            day = self._day(days)
            first = len(lines)
            while self._at < len(self._written) and not self._written[self._at].startswith("day "):
                lines.append(self._line(day, lines[first:]))
            if not 1 <= len(lines) - first <= 4:
                self._refuse("a day has one to four lines")
        if len(days) != DAYS:
            self._refuse(f"a diary has {DAYS} days, not {len(days)}")
        return tuple(lines)

    def _day(self, before: list[date]) -> date:
        found = self._next(_DAY, "a day")
        try:
            day = date.fromisoformat(found[1])
        except ValueError:
            self._refuse("there is no such day")
        if before and day <= before[-1]:
            self._refuse("the days don't rise")
        before.append(day)
        return day

    def _line(self, day: date, before: Sequence[Line]) -> Line:
        found = self._next(_LINE, "a line")
        try:
            moment = time.fromisoformat(found[1])
        except ValueError:
            self._refuse("there is no such time")
        if before and moment <= before[-1].time:
            self._refuse("the times don't rise")
        return Line(day, moment, found[2], found[3], self._at)

    def _check(self, read: Diary) -> None:
        """The rules that hold over all of its lines."""
        ids = [pattern.id for pattern in read.patterns]
        against = [f"{pattern}x" for pattern in ids]
        signed = [f"{conflict.id}{sign}" for conflict in read.conflicts for sign in "-+"]
        declared = {*ids, *against, *signed, "n", "s"}
        said: set[str] = set()
        for line in read.lines:
            if line.label not in declared:
                self._refuse("there is no such label", line.number)
            if line.text in said:
                self._refuse("the same was said before", line.number)
            said.add(line.text)
        labels = Counter(line.label for line in read.lines)
        if labels["s"] > 4:
            self._refuse("more than four lines are lasting", read.labelled("s")[4].number)
        if labels.total() < 40 or labels["n"] < 12:
            self._refuse("there are too few lines, or too few that are noise")
        if sum(labels[label] for label in against) > 2:
            self._refuse("more than two lines speak against patterns")
        if sum(len(conflict.old) > 1 for conflict in read.conflicts) > 1:
            self._refuse("more than one conflict has two old values")
        for pattern in read.patterns:
            self._check_pattern(pattern, read)
        for conflict in read.conflicts:
            self._check_conflict(conflict, read)

    def _check_pattern(self, pattern: Pattern, read: Diary) -> None:
        where = self._head(pattern.id)
        support, against = read.labelled(pattern.id), read.labelled(f"{pattern.id}x")
        if not 3 <= len(support) <= 6 or len({line.day for line in support}) < 3:
            self._refuse("a pattern has three to six lines, on three days or more", where)
        if len(against) * 3 >= len(support) and against:
            self._refuse("a third of its lines or more speak against it", against[-1].number)
        if pattern.kind == "time" and not _alike([line.time for line in support]):
            self._refuse("the times of the lines don't show a like time of the day", where)
        for term in pattern.terms:
            if not any(term.casefold() in line.text.casefold() for line in support):
                self._refuse("a term stands in none of the lines that support the pattern", where)

    def _check_conflict(self, conflict: Conflict, read: Diary) -> None:
        where = self._head(conflict.id)
        old, new = read.labelled(f"{conflict.id}-"), read.labelled(f"{conflict.id}+")
        if len(old) != len(conflict.old) or len(new) != 1:
            self._refuse("a conflict has one line for each old value, and one for the new one", where)
        if not _rising(line.day for line in (*old, *new)):
            self._refuse("the values of a conflict are not said on days that rise", where)
        for value, line in zip((*conflict.old, conflict.new), (*old, *new), strict=True):
            if value.casefold() not in line.text.casefold():
                self._refuse("the line doesn't say its value", line.number)

    def _head(self, named: str) -> int:
        return next(at for at, line in enumerate(self._written, 1) if line.startswith(f"{named} "))

    def _next(self, form: re.Pattern[str], what: str) -> re.Match[str]:
        written = self._written[self._at] if self._at < len(self._written) else ""
        self._at += 1
        found = form.fullmatch(written)
        if found is None:
            self._refuse(f"{what} is expected")
        return found

    def _refuse(self, why: str, line: int | None = None) -> NoReturn:
        raise ValueError(f"{self._path}:{self._at if line is None else line}: {why}")


def _rising(days: Iterable[date]) -> bool:
    return all(one < other for one, other in pairwise(days))


def _alike(times: Iterable[time]) -> bool:
    """Whether all of them lie within two hours, of which midnight may be one."""
    minutes = sorted(each.hour * 60 + each.minute for each in times)
    gaps = [later - earlier for earlier, later in pairwise((*minutes, minutes[0] + 24 * 60))]
    return 24 * 60 - max(gaps) <= 120
