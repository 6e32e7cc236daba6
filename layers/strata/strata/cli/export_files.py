"""Export files: written page by page, imported in chunks."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

from strata.cli.failures import CommandError

Document = dict[str, Any]
"""`{exported_at, sessions, observations}`, as /export gives it."""

MAX_BYTES = 4_000_000
"""Size of one chunk; the import route accepts 5 MB."""
MAX_ROWS = 1_000
"""Rows of one chunk, so that a slow server responds in time and progress is visible."""


class ExportWriter:
    """Writes the pages of an export as one document, one row a line, without holding it in memory."""

    def __init__(self, out: TextIO, aside: TextIO) -> None:
        self._out = out
        self._aside = aside
        self.sessions = 0
        self.observations = 0
        self._began = False

    def add(self, page: Document) -> None:
        """Write one page; observations are written aside until the last session is written."""
        if not self._began:
            self._out.write(f'{{"exported_at": {json.dumps(page["exported_at"])},\n"sessions": [')
            self._began = True
        self.sessions += _write_rows(self._out, page["sessions"], self.sessions)
        self.observations += _write_rows(self._aside, page["observations"], self.observations)

    def finish(self) -> None:
        """Write the observations and the end of the document."""
        self._out.write('\n],\n"observations": [')
        self._aside.seek(0)
        shutil.copyfileobj(self._aside, self._out)
        self._out.write("\n]}\n")
        self._out.flush()


def _write_rows(out: TextIO, rows: list[Any], before: int) -> int:
    for number, row in enumerate(rows, before):
        out.write(f"{',' if number else ''}\n{json.dumps(row, ensure_ascii=False)}")
    return len(rows)


@contextmanager
def writing(file: str) -> Iterator[ExportWriter]:
    """A writer to a file, which is created atomically and for this user only, or to a stream.

    `-` is the standard output. Anything but a regular file (a pipe, a device) is written to directly.
    """
    target = Path(file).resolve()
    if file != "-" and target.is_dir():
        raise CommandError(f"{file} is a folder")
    if not target.parent.is_dir():
        raise CommandError(f"{target.parent}: No such file or directory")
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass") as aside,
        ExitStack() as stack,
    ):
        if file == "-":
            out: TextIO = sys.stdout
        elif target.exists() and not target.is_file():
            out = stack.enter_context(target.open("w", encoding="utf-8", errors="surrogatepass"))
        else:
            out = stack.enter_context(replacing(target))
        writer = ExportWriter(out, aside)
        yield writer
        writer.finish()


@contextmanager
def replacing(target: Path) -> Iterator[TextIO]:
    """A temporary file that replaces `target` on success."""
    handle, part = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", errors="surrogatepass") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def rows_of(document: Document, name: str) -> list[Document]:
    """The `sessions` or `observations` of a document; an absent or null list is an empty one.

    Raises:
        CommandError: it is not a list of objects.
    """
    rows = document.get(name) or []
    if not isinstance(rows, list):
        raise CommandError(f"the {name} of the document are not a list")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise CommandError(f"entry {number} of the {name} is not an object")
    return rows


def chunks(document: Document, max_bytes: int = MAX_BYTES, max_rows: int = MAX_ROWS) -> Iterator[Document]:
    """The document in chunks, sessions first, with every row in order."""
    for name in ("sessions", "observations"):
        piece: list[Document] = []
        size = 0
        for row in rows_of(document, name):
            weight = len(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")) + 1
            if piece and (size + weight > max_bytes or len(piece) >= max_rows):
                yield {name: piece}
                piece, size = [], 0
            piece.append(row)
            size += weight
        if piece:
            yield {name: piece}
