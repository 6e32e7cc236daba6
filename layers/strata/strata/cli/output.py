"""What is printed: the API's own answer for machines, tables and colour for people.

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

_PIPE_WIDTH = 120
_CONTROL = {
    code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"
}


def console() -> Console:
    """The standard output; made anew since it may be redirected."""
    out = Console(highlight=False, soft_wrap=False)
    if not out.is_terminal:
        out.width = _PIPE_WIDTH
    return out


def print_json(answer: str) -> None:
    """What the API answered, unchanged; `null` for an answer without a body."""
    sys.stdout.write((answer or "null").rstrip("\n") + "\n")


def print_document(document: Any) -> None:
    """An answer that was put together here, as JSON."""
    print_json(json.dumps(document, ensure_ascii=False))


def plain(text: str, *, cut: int | None = None) -> str:
    """Text that can't steer the terminal: stored memories may hold escape sequences."""
    if cut is not None and len(text) > cut:
        text = text[:cut].rstrip() + "…"
    return text.translate(_CONTROL).encode("utf-8", "replace").decode()


def say(text: str, style: str = "") -> None:
    """One line for people, however long: a terminal folds it, a pipe gets it whole."""
    console().print(Text(plain(text), style=style), soft_wrap=True)


def memory(title: str, content: str, *, cut: int = 300) -> Text:
    """A memory in a cell: its title, and below it what it says, unless that begins with the title."""
    title, body = plain(title), plain(content, cut=cut).strip()
    if not body:
        return Text(title, "bold")
    if body.startswith(title.removesuffix("…")):
        return Text(body)
    return Text.assemble((title, "bold"), "\n", (body, "dim"))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str | Text]], *, nothing: str) -> None:
    """A table, or the sentence that there is nothing; a column `#name` holds numbers."""
    if not rows:
        say(nothing, "dim")
        return
    table = Table(box=SIMPLE_HEAD, header_style="bold cyan", pad_edge=False)
    for column in columns:
        name = column.removeprefix("#")
        number = column != name
        table.add_column(name, justify="right" if number else "left", no_wrap=number, overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(cell)) if isinstance(cell, str) else cell for cell in row))
    console().print(table)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Progress]:
    """A bar on the error stream while long work goes on; nothing when no one watches."""
    errors = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        bar.add_task(what, total=total)
        yield bar


def advance(bar: Progress, done: int, total: int | None = None) -> None:
    """Move the bar of `progress` to `done`, of `total` when that is known by now."""
    task = bar.tasks[0]
    bar.update(task.id, completed=done, total=task.total if total is None else total)
