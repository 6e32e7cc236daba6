"""Copies of a store's file: made while it is written, checked, and put in its place."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

from strata.adapters.folders import sync_folder
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.failing import translated
from strata.adapters.sqlite.inspection import CorruptStore, inspect
from strata.adapters.sqlite.write_lock import WriteLock, lock_of

BEFORE = ".before-restore"
"""Ends the name of the file that a restore replaced."""

_BESIDE = ("", "-wal", "-shm")
_WAIT = 5.0
_SHARED = (0x40000002, 510)
"""The bytes of a database file that every open connection in WAL mode holds a lock on (sqlite3's os.h)."""


class InUse(Exception):
    """Another process has the store open."""


def copy_out(database: SqliteDatabase, target: Path, *, replacing: bool) -> int:
    """Write a consistent copy of an open store to a new file; writers go on. Its size in bytes.

    The copy is checked before it gets its name, and survives a power failure when this returns.

    Raises:
        FileExistsError: the file exists, and `replacing` is not set.
        CorruptStore: the store is damaged, so its copy is.
        Unavailable: the store can't be read now.
    """
    aside = target.with_name(f".{target.name}.{uuid4().hex}")
    try:
        with database.reading() as source:
            _copy(source, aside)
        check_whole(aside)
        if replacing:
            aside.replace(target)
        else:
            os.link(aside, target)
    finally:
        aside.unlink(missing_ok=True)
    sync_folder(target.parent)
    return target.stat().st_size


def copy_in(source: Path, target: Path) -> None:
    """Check a backup and copy it to a new file.

    Raises:
        CorruptStore: it is damaged, another program's, or of a newer Strata.
        FileNotFoundError: there is none.
    """
    if not source.is_file() or source.stat().st_size == 0:
        raise FileNotFoundError(2, "there is no backup in this file", str(source))
    inspect(source)
    with translated(), closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True)) as opened:
        _copy(opened, target)
    check_whole(target)


def check_whole(path: Path) -> None:
    """Check every page of a file that nobody writes.

    Raises:
        CorruptStore: it is damaged.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    except sqlite3.DatabaseError as error:
        found = [str(error)]
    if found != ["ok"]:
        raise CorruptStore(f"{path} is damaged: {'; '.join(found)}")


@contextmanager
def alone_with(database: SqliteDatabase) -> Iterator[SqliteDatabase]:
    """Keep every other process from opening the store, which nobody else may have open now.

    This process must not have read it before: a reader of its own would be in the way, too. The file is
    left without a write-ahead log, so that it can be moved by itself.

    Raises:
        InUse: another process has it open.
        Unavailable: others wrote for too long.
    """
    with database.alone() as connection:  # whoever opens the store needs the lock that this holds
        connection.execute("PRAGMA busy_timeout = 500")
        try:
            connection.execute("PRAGMA journal_mode = DELETE")  # refused while another connection is open
        except sqlite3.OperationalError as error:
            raise InUse(str(database.path)) from error
        yield database


@contextmanager
def alone_with_damaged(path: Path) -> Iterator[None]:
    """The same with a file that can't be opened as a store.

    Raises:
        InUse: another process has it open.
        Unavailable: others wrote for too long.
    """
    lock = WriteLock(lock_of(path))
    try:
        lock.acquire_or_raise(_WAIT)
        try:
            with path.open("r+b") as file:
                first, length = _SHARED
                try:
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, length, first)
                except OSError as error:
                    raise InUse(str(path)) from error
                yield
        finally:
            lock.release()
    finally:
        lock.close()


def put_in_place(copy: Path, path: Path) -> Path | None:
    """Put a closed copy in the place of a closed store, whose files are kept; where, if there were any.

    There is a file at `path` at every moment: the old one or the new one. To be called within `alone_with`.
    """
    kept = path.with_name(path.name + BEFORE)
    for end in _BESIDE:
        kept.with_name(kept.name + end).unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        os.link(path, kept)
    for end in _BESIDE[1:]:  # a damaged store may have its log still, which belongs to it alone
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).replace(kept.with_name(kept.name + end))
    copy.replace(path)
    sync_folder(path.parent)
    return kept if kept.exists() else None


def seal(path: Path) -> None:
    """Leave a closed store's file without a write-ahead log, whole and durable.

    Raises:
        CorruptStore: it is damaged.
        Unavailable: it can't be written.
    """
    with translated(), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    check_whole(path)
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _copy(source: sqlite3.Connection, target: Path) -> None:
    """Copy within one read transaction: other connections may write meanwhile, and are not in the copy."""
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(target, isolation_level=None)) as opened:
        source.backup(opened)
        opened.execute("PRAGMA journal_mode = DELETE")
    with target.open("rb") as file:
        os.fsync(file.fileno())
