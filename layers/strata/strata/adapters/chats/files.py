"""Shared code for reading files of other tools: what is broken is counted, never raised."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any
from urllib.parse import quote, unquote, urlsplit

from pydantic_core import from_json

from strata.ports.chats import ChatNote

Record = dict[str, Any]
Unread = Counter[str]

_BROKEN = ValueError, RecursionError
_PIECE = 1 << 20
_MILLISECONDS, _MICROSECONDS = 1e11, 1e14


def objects(value: object) -> list[Record]:
    """Those elements of a list that are objects; none of anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def inner(value: object, *names: str) -> Record:
    """The object under these names; empty where there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


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
                found = _record(line)
                if isinstance(found, dict):
                    yield found
                else:
                    half = not line.endswith(b"\n")
                    unread[
                        f"{path}: {'a half-written last line' if half else 'a line that is no object'}"
                    ] += 1
    except OSError as error:
        unread[f"{path}: {error.strerror}"] += 1


def _record(line: bytes) -> Any:
    try:
        return from_json(line)  # three times as fast as the other, which takes lone surrogates, too
    except ValueError:
        return value_of(line)


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a text file, without their ends; none of one that can't be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            yield from (line.rstrip("\r\n") for line in lines)
    except OSError:
        return


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


def rows(path: Path, unread: Unread, query: str, *given: object) -> Iterator[sqlite3.Row]:
    """The rows of a query in a SQLite file, one at a time; none of a table that is not there.

    The file, which its tool may be writing, is opened in place and read only. Where a reader can't take part
    in its log, because the folder can't be written, it is read without.
    """
    try:
        try:
            connection = _opened(path, "mode=ro")
        except sqlite3.OperationalError:
            connection = _opened(path, "immutable=1")
        with closing(connection):
            yield from connection.execute(query, given)
    except sqlite3.Error as error:
        if "no such table" not in str(error):
            unread[f"{path}: {error}"] += 1


def _opened(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True, timeout=5)
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
            at = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            unit = 1e6 if value > _MICROSECONDS else 1e3 if value > _MILLISECONDS else 1
            at = datetime.fromtimestamp(value / unit, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return at if 1970 < at.year < 2200 else None


def changed(path: Path) -> datetime:
    """The time at which a file was last written; now where it has just gone."""
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
    return (checkout(Path(folder)) or PurePosixPath(folder)).name or None


def checkout(folder: Path) -> Path | None:
    """The root of the checkout that a folder is in; None outside of checkouts."""
    try:
        return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    except OSError:
        return None


def local(folder: object) -> Path | None:
    """The folder on this machine that a `file:` address or a path names."""
    if not isinstance(folder, str) or not folder.startswith(("file://", "/")):
        return None
    path = Path(unquote(urlsplit(folder).path))
    return path if path.is_dir() else None


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
        text = "\n".join(text_lines(path)).strip() if later(at, since) else ""
        if text:
            yield ChatNote(text, at, title=path.stem, project=project)
