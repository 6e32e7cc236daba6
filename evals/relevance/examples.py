"""The labelled stores and queries beside this module. How they were labelled: README.md."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "es", "de", "zh")
ROWS = ("note", "turn")
"""The kinds of row. A project holds rows of one kind."""
QUERIES = ("answerable", "small_talk", "general", "elsewhere", "missing")
"""The kinds of query. Only an answerable one has rows that help; a missing one asks for what nobody told."""
_OF_A_PROJECT = ("answerable", "elsewhere", "missing")
DEVELOPMENT = ("dev",)
"""The part that rules may be written and models be fitted from."""
PARAPHRASED = ("dev2",)
"""Questions in other words than the rows have, by other authors, for development; none is fitted to."""
LEARNT = ("learn",)
"""Stores and queries by further authors, to fit a reader of whole sentences to."""
KEPT = ("kept",)
APART = ("kept", "kept2")
"""The parts that are opened for the last measurement only; the second is by an author of its own."""
LONG = ("long",)
"""Long notes, and questions with the part of a note that answers."""
OWN = ("own",)
"""Questions about the project's own commits and documents, for development."""


@dataclass(frozen=True, slots=True)
class Row:
    """A note, or a turn of a conversation, as the memory that is saved."""

    id: str
    language: str
    kind: str
    project: str
    at: date
    text: str
    title: str = ""
    """Of a note; empty when its text stands alone."""
    type: str = ""
    """Of a note."""
    speaker: str = ""
    """Of a turn."""
    session: int = 0
    """Of a turn, counted from 1."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query, and the rows that help with it.

    `project` is the one asked, for an answerable query; the one that the query is about, for one that is
    asked elsewhere; and empty for the others, which can be asked of any project.
    """

    id: str
    language: str
    kind: str
    text: str
    project: str = ""
    helps: frozenset[str] = frozenset()
    answer: str = ""
    """The part of the helping row that answers, where that row is long."""

    def fits(self, project: str) -> bool:
        """Whether the label holds when a project of the query's language is asked."""
        if self.kind == "elsewhere":
            return project != self.project
        return self.project in ("", project)


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows in the order they were written, and queries about them."""

    rows: tuple[Row, ...]
    queries: tuple[Query, ...]

    def projects(self, language: str) -> dict[str, tuple[Row, ...]]:
        """The rows of each project of a language."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            if row.language == language:
                found.setdefault(row.project, []).append(row)
        return {name: tuple(rows) for name, rows in found.items()}


def load(parts: Iterable[str] = DEVELOPMENT, folder: Path = Path(__file__).parent) -> Examples:
    """Read these parts, in order.

    Raises:
        OSError, KeyError, TypeError: a part cannot be read, or a line has other fields.
        ValueError: a line is no JSON, names an unknown kind, language, project or row, or repeats an id.
    """
    named = tuple(parts)
    rows = tuple(row(line) for part in named for line in _lines(folder / f"{part}_stores.jsonl"))
    queries = tuple(query(line) for part in named for line in _lines(folder / f"{part}_queries.jsonl"))
    check(rows, queries)
    return Examples(rows, queries)


def row(line: str) -> Row:
    """One line of a part's stores."""
    written = _renamed(line)
    return Row(**{**written, "at": date.fromisoformat(written["at"])})


def query(line: str) -> Query:
    """One line of a part's queries."""
    written = _renamed(line)
    return Query(**{**written, "helps": frozenset(written.get("helps", ()))})


def check(rows: Iterable[Row], queries: Iterable[Query]) -> None:
    """Refuse examples that do not hold together.

    Raises:
        ValueError: an unknown kind or language, a repeated id, a project or a row that is not there.
    """
    projects: dict[tuple[str, str], str] = {}
    homes: dict[str, tuple[str, str]] = {}
    texts: dict[str, str] = {}
    for each in rows:
        _known(each.id, each.kind, ROWS, each.language)
        _once(each.id, homes)
        homes[each.id] = home = (each.language, each.project)
        texts[each.id] = each.text
        if projects.setdefault(home, each.kind) != each.kind:
            raise ValueError(f"{each.id}: project {each.project} holds notes and turns")
    seen: dict[str, object] = {}
    for asked in queries:
        _known(asked.id, asked.kind, QUERIES, asked.language)
        _once(asked.id, seen)
        seen[asked.id] = asked
        home = (asked.language, asked.project)
        if (home in projects) != (asked.kind in _OF_A_PROJECT):
            raise ValueError(f"{asked.id}: project {asked.project!r} does not fit kind {asked.kind}")
        if bool(asked.helps) != (asked.kind == "answerable"):
            raise ValueError(f"{asked.id}: an answerable query has rows that help, and no other has")
        if strangers := sorted(each for each in asked.helps if homes.get(each) != home):
            raise ValueError(f"{asked.id}: no rows of {asked.project}: {', '.join(strangers)}")
        if asked.answer and not any(asked.answer in texts[each] for each in asked.helps):
            raise ValueError(f"{asked.id}: no row that helps holds its answer")


def _lines(path: Path) -> Iterator[str]:
    yield from path.read_text(encoding="utf-8").splitlines()


def _renamed(line: str) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(line)
    return {"language": written.pop("lang"), **written}


def _known(which: str, kind: str, kinds: tuple[str, ...], language: str) -> None:
    if kind not in kinds or language not in LANGUAGES:
        raise ValueError(f"{which}: unknown kind {kind} or language {language}")


def _once(which: str, seen: dict[str, Any]) -> None:
    if which in seen:
        raise ValueError(f"{which}: the id stands twice")
