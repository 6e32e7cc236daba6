"""Files of JSON lines: written page by page, continued after an interruption, imported in pieces."""

import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from strata.cli import output
from strata.cli.export_files import MAX_BYTES, MAX_ROWS
from strata.cli.failures import CommandError
from strata.client.calls import transfer
from strata.client.client import Client
from strata.domain.wire.lines import BEGIN, END, NEXT

_AROUND = (BEGIN, NEXT, END)


@dataclass(slots=True)
class Done:
    """The result of an import: the rows that it added by kind, and the lines that it left out by reason."""

    rows: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)


def write_lines(client: Client, file: str, kinds: Sequence[str], user: str | None) -> Counter[str]:
    """Export lines to a file, which appears when it is whole; `-` is the standard output.

    Until then they are in `FILE.part`, whose last cursor continues an export that was interrupted.

    Returns:
        The number of rows of each kind in the file.
    """
    if file == "-":
        return _write(client, sys.stdout, kinds, user, None)
    target = Path(file).resolve()
    if target.is_dir():
        raise CommandError(f"{file} is a folder")
    part = target.with_name(f"{target.name}.part")
    rows, cursor, whole = _begun(part)
    handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with open(handle, "r+", encoding="utf-8") as out:
        out.seek(whole)
        out.truncate()
        rows += _write(client, out, kinds, user, cursor)
        os.fsync(out.fileno())
    os.replace(part, target)
    return rows


def _write(
    client: Client, out: TextIO, kinds: Sequence[str], user: str | None, cursor: str | None
) -> Counter[str]:
    rows = Counter[str]()
    with output.progress("exporting", None) as bar:
        while True:
            text = client.send(transfer.export_lines(kinds, user_id=user, cursor=cursor)).text
            out.write(text)
            out.flush()
            *page, last = map(_read, text.splitlines())
            rows.update(each["kind"] for each in page if each["kind"] not in _AROUND)
            output.advance(bar, rows.total())
            if last["kind"] == END:
                return rows
            cursor = last["cursor"]


def _begun(part: Path) -> tuple[Counter[str], str | None, int]:
    """The rows of an export that was interrupted, its last cursor, and the bytes up to it."""
    kept: tuple[Counter[str], str | None, int] = (Counter(), None, 0)
    if not part.is_file():
        return kept
    rows, size = Counter[str](), 0
    with part.open("rb") as lines:
        for line in lines:
            size += len(line)
            if not line.endswith(b"\n"):
                break
            found = _read(line.decode())
            if found["kind"] == NEXT:
                kept = rows.copy(), found["cursor"], size
            elif found["kind"] not in _AROUND:
                rows[found["kind"]] += 1
    return kept


def _read(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("kind"), str):
        raise CommandError("this is no export of JSON lines: a line is not an object with a kind")
    return found


@contextmanager
def opened(file: str) -> Iterator[Iterable[str] | None]:
    """The lines of a file of JSON lines; None for another file. The standard input can be read again."""
    if file == "-":
        text = sys.stdin.read()
        sys.stdin = io.StringIO(text)
        yield text.split("\n") if _are_lines(text.partition("\n")[0]) else None
        return
    try:
        with open(file, encoding="utf-8-sig") as lines:
            first = lines.readline()
            lines.seek(0)
            yield lines if _are_lines(first) else None
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is not UTF-8 text: {error}") from None


def _are_lines(first: str) -> bool:
    try:
        _read(first.removeprefix("\ufeff"))
    except CommandError:
        return False
    return True


def import_lines(client: Client, lines: Iterable[str], *, resurrect: bool) -> Done:
    """Import lines in pieces; again after an interruption, it adds what is missing."""
    done, read = Done(), 0
    with output.progress("importing", None) as bar:
        for piece in _pieces(lines):
            added = client.import_({"lines": piece}, resurrect=resurrect or None)
            done.rows.update(added.imported or {})
            done.skipped.update(f"{each.kind}: {each.reason}" for each in added.skipped or ())
            read += len(piece)
            output.advance(bar, read)
    return done


def _pieces(lines: Iterable[str]) -> Iterator[list[Any]]:
    piece: list[Any] = []
    size = 0
    for text in lines:
        line = text.strip().removeprefix("\ufeff")
        if not line:
            continue
        weight = len(line.encode("utf-8", "surrogatepass")) + 1
        if piece and (size + weight > MAX_BYTES or len(piece) >= MAX_ROWS):
            yield piece
            piece, size = [], 0
        piece.append(_read(line))
        size += weight
    if piece:
        yield piece
