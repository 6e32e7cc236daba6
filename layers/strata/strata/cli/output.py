"""Output: the API's own response for machines, tables and colour for people.

Colour goes to terminals only, and not when `NO_COLOR` is set.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from strata.domain.text.visible import visible

_PIPE_WIDTH = 120


def console() -> Console:
    """The standard output, created for each use because it may be redirected."""
    out = Console(highlight=False, soft_wrap=False)
    if not out.is_terminal:
        out.width = _PIPE_WIDTH
    return out


def print_json(answer: str) -> None:
    """Print the API's response unchanged; `null` for one without a body."""
    sys.stdout.write((answer or "null").rstrip("\n") + "\n")


def print_document(document: Any) -> None:
    """Print a document as JSON."""
    print_json(json.dumps(document, ensure_ascii=False))


def plain(text: str, *, cut: int | None = None) -> str:
    """Text without terminal escape sequences and hidden characters, which stored memories may contain."""
    if cut is not None and len(text) > cut:
        text = text[:cut].rstrip() + "…"
    return visible(text).encode("utf-8", "replace").decode()


def say(text: str, style: str = "") -> None:
    """Print one line for people: a terminal wraps it, a pipe gets it whole."""
    console().print(Text(plain(text), style=style), soft_wrap=True)


def memory(title: str, content: str, superseded_by: int | None = None, *, cut: int = 300) -> Text:
    """A memory in a cell: its title, and below it the content, unless that starts with the title.

    One that a newer memory superseded names it.
    """
    title, body = plain(title), plain(content, cut=cut).strip()
    if not body:
        said = Text(title, "bold")
    elif body.startswith(title.removesuffix("…")):
        said = Text(body)
    else:
        said = Text.assemble((title, "bold"), "\n", (body, "dim"))
    return (
        said
        if superseded_by is None
        else Text.assemble(said, "\n", (f"superseded by {superseded_by}", "yellow"))
    )


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str | Text]], *, nothing: str) -> None:
    """Print a table, or a sentence if it is empty; a column `#name` holds numbers.

    Numbers and ids are never broken over lines: an id is copied.
    """
    if not rows:
        say(nothing, "dim")
        return
    table = Table(box=SIMPLE_HEAD, header_style="bold cyan", pad_edge=False)
    for column in columns:
        name = column.removeprefix("#")
        number = column != name
        whole = number or name.rpartition(" ")[2] == "id"
        table.add_column(name, justify="right" if number else "left", no_wrap=whole, overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(cell)) if isinstance(cell, str) else cell for cell in row))
    console().print(table)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Progress]:
    """A progress bar on the error stream, if that is a terminal."""
    errors = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        bar.add_task(what, total=total)
        yield bar


def advance(bar: Progress, done: int, total: int | None = None) -> None:
    """Move the bar of `progress` to `done` of `total`, if that is known."""
    task = bar.tasks[0]
    bar.update(task.id, completed=done, total=task.total if total is None else total)
