"""Shared code for reading files of other tools: what is broken is counted, never raised."""

import json
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from shutil import copy2
from typing import IO, Any
from urllib.parse import quote, unquote, urlsplit

from strata.ports.chats import ChatNote

Record = dict[str, Any]
Unread = Counter[str]

_CONFIGURATION = ".config", "Library/Application Support", "AppData/Roaming"
"""Where programs keep their data on Linux, macOS and Windows."""
_BROKEN = ValueError, RecursionError
_PIECE = 1 << 20
_MILLISECONDS, _MICROSECONDS = 1e11, 1e14


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look: in a person's home, or in these files and folders only."""

    home: Path
    only: tuple[Path, ...] = ()

    def under(self, *names: str) -> list[Path]:
        """Those of these folders and files of the home that are there; `only` in their place."""
        return list(self.only) or [path for name in names if (path := self.home / name).exists()]

    def data(self, *names: str) -> list[Path]:
        """The same, in the folder where the system's programs keep their data."""
        return self.under(*(f"{base}/{name}" for base in _CONFIGURATION for name in names))


def files(roots: Iterable[Path], *patterns: str) -> list[Path]:
    """The files below the roots that match, sorted; a root that is a file itself stands for itself."""
    found: set[Path] = set()
    for root in roots:
        matches = [root] if root.is_file() else [path for each in patterns for path in root.glob(each)]
        found.update(path for path in matches if path.is_file())
    return sorted(found)


def records(path: Path, unread: Unread) -> Iterator[Record]:
    """The objects of a file of JSON lines, one at a time."""
    try:
        with path.open("rb") as lines:
            for line in lines:
                if not line.strip():
                    continue
                try:
                    found = json.loads(line)
                except _BROKEN:
                    found = None
                if isinstance(found, dict):
                    yield found
                else:
                    half = not line.endswith(b"\n")
                    unread[
                        f"{path}: {'a half-written last line' if half else 'a line that is no object'}"
                    ] += 1
    except OSError as error:
        unread[f"{path}: {error.strerror}"] += 1


def document(path: Path, unread: Unread) -> Any:
    """The document of a JSON file; None where it can't be read."""
    try:
        return json.loads(path.read_bytes())
    except _BROKEN:
        unread[f"{path}: not JSON"] += 1
    except OSError as error:
        unread[f"{path}: {error.strerror}"] += 1
    return None


def elements(stream: IO[str]) -> Iterator[Any]:
    """The elements of a JSON list of any length, one at a time.

    Raises:
        ValueError: it is no list, or ends too early.
    """
    decode, text, ended = json.JSONDecoder().raw_decode, stream.read(_PIECE).lstrip("\ufeff \t\r\n"), False
    if not text.startswith("["):
        raise ValueError("no list")
    text = text[1:]
    while True:
        text = text.lstrip(" \t\r\n,")
        if text.startswith("]"):
            return
        try:
            found, end = decode(text)
            if end == len(text) and not ended:  # a number may go on
                raise ValueError
        except ValueError:
            piece = stream.read(max(_PIECE, len(text)))
            if not piece:
                if ended:
                    raise
                ended = True
            text += piece
            continue
        yield found
        text = text[end:]


@contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """A SQLite file that its tool may be writing: opened in place, read only; as a copy where that fails.

    Raises:
        sqlite3.Error: it can't be read.
    """
    with tempfile.TemporaryDirectory(prefix="strata-chats-") as folder:
        try:
            connection = _opened(path)
        except sqlite3.OperationalError:
            for part in (path, path.with_name(f"{path.name}-wal")):
                if part.exists():
                    copy2(part, folder)
            connection = _opened(Path(folder) / path.name)
        with closing(connection):
            yield connection


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True, timeout=5)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda text: text.decode(errors="replace")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def value_of(text: object) -> Any:
    """The JSON of a column that holds text or bytes; None where it has none."""
    try:
        return json.loads(text) if isinstance(text, str | bytes) else None
    except _BROKEN:
        return None


def moment(value: object) -> datetime | None:
    """A time: ISO 8601 (UTC where it names no zone), or seconds, ms or µs since 1970."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value.strip())
            at = at if at.tzinfo else at.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            unit = 1e6 if value > _MICROSECONDS else 1e3 if value > _MILLISECONDS else 1
            at = datetime.fromtimestamp(value / unit, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return at if 1970 < at.year < 2200 else None


def changed(path: Path) -> datetime:
    """When a file was last written; now where it has just gone."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return datetime.now(UTC)


def later(at: datetime | None, since: datetime | None) -> bool:
    """Whether something of this time is to be read."""
    return since is None or at is None or at >= since


def project_of(folder: object) -> str | None:
    """The project of a folder or its `file:` address: the name of its checkout, else its own."""
    if not isinstance(folder, str) or not folder.strip():
        return None
    if "://" in folder:
        folder = unquote(urlsplit(folder).path)
    if "\\" in folder or re.match(r"/?[A-Za-z]:", folder):
        return PureWindowsPath(folder.lstrip("/")).name or None
    path = PurePosixPath(folder)
    try:
        roots = [each for each in (Path(path), *Path(path).parents) if (each / ".git").exists()]
    except OSError:
        roots = []
    return (roots[0].name if roots else path.name) or None


def texts(content: object) -> str:
    """The words of a message: a text, or those parts of a list that are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    kinds = None, "text", "input_text", "output_text"
    parts = [
        each if isinstance(each, str) else each.get("text") if each.get("type") in kinds else None
        for each in content
        if isinstance(each, str | dict)
    ]
    return "\n".join(part for part in parts if isinstance(part, str) and part.strip())


def note_files(
    roots: Iterable[Path], patterns: Iterable[str], since: datetime | None, project: str | None = None
) -> Iterator[ChatNote]:
    """The text files below the roots that match, each a note."""
    for path in files(roots, *patterns):
        at = changed(path)
        text = path.read_text(encoding="utf-8", errors="replace").strip() if later(at, since) else ""
        if text:
            yield ChatNote(text, at, title=path.stem, project=project)
