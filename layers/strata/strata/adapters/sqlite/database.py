"""One SQLite file: connections for every thread and process, one writer at a time, errors in our words."""

import os
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from strata.adapters.sqlite.migrations import APPLICATION_ID, MIGRATIONS, migrate, version
from strata.adapters.sqlite.write_lock import WriteLock
from strata.domain.errors import Unavailable

_ADVICE = "Restore a backup, or move the file away and start with an empty store."
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_abandoned: list[object] = []  # what a fork left in the child: closing it there would harm the parent's


class CorruptStore(Exception):
    """The file can't be used as it is; the message says why and what to do. The file was not touched."""


class SqliteDatabase:
    """The file at `path`, made if there is none, with its schema brought up to date.

    A commit survives the end of the process, kill -9 included, as soon as it returns. With `durable` it
    also survives a loss of power (`synchronous=FULL`: an fsync a commit, about a third of the speed);
    without it (`NORMAL`) a loss of power may take the last moments' commits, but never leaves half of one
    (https://www.sqlite.org/pragma.html#pragma_synchronous).

    Connections are opened when needed, and again in a forked child. `wait` bounds, in seconds, how long a
    write waits for the writers before it.

    Raises:
        CorruptStore: the file is no database, is damaged, is another program's, or of a newer Strata.
        Unavailable: it can't be opened or read now.
    """

    def __init__(self, path: Path | str, *, durable: bool = False, wait: float = 5.0) -> None:
        self.path = Path(path).absolute()
        self._durable = durable
        self._wait = wait
        with translated():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _inspect(self.path)
            _make(self.path)
            self._process = _Process(self.path, durable, wait)
            with self.writing() as connection:
                migrate(connection)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for reads, in autocommit: each statement sees all that was committed before it."""
        process = self._here()
        try:  # as in `translated`, without a second context on the way of every statement
            connection = process.take_reader()
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.rollback()
                process.readers.append(connection)
        except (sqlite3.DatabaseError, OSError) as error:
            _tell(error)
            raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A connection whose reads all see one and the same commit. Never blocks a writer."""
        with self.reading() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The one write transaction: committed at the end, rolled back on any exception.

        Raises:
            Unavailable: others wrote for longer than `wait`, or the disk is full or failing.
        """
        process = self._here()
        process.lock.acquire_or_raise(self._wait)
        connection = process.writer
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
        except (sqlite3.DatabaseError, OSError) as error:
            _tell(error)
            raise
        finally:
            process.lock.release()

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """A connection for what takes no transaction, while nobody writes; raises as `writing` does."""
        process = self._here()
        process.lock.acquire_or_raise(self._wait)
        try:
            with translated():
                yield process.writer
        finally:
            process.lock.release()

    def problems(self) -> list[str]:
        """What SQLite's own check of the whole file finds (reads all of it); empty when it is sound."""
        try:
            with self.reading() as connection:
                found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(20)")]
        except Unavailable as unreadable:
            return [unreadable.message]
        return [] if found == ["ok"] else found

    def checkpoint(self) -> bool:
        """Empty the write-ahead log into the file; False when a reader kept it in use for five seconds."""
        with self.alone() as connection:
            return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]

    def close(self) -> None:
        """Close this process's connections. The last process to do so folds the log into the file."""
        self._here().close()

    def _here(self) -> "_Process":
        if self._process.pid != os.getpid():
            inherited, self._process = self._process, _Process(self.path, self._durable, self._wait)
            inherited.lock.close()  # or the parent's death would not release a lock it held
            _abandoned.append(inherited)
        return self._process


class _Process:
    """What belongs to one process: SQLite connections and flocks must not be carried over a fork."""

    def __init__(self, path: Path, durable: bool, wait: float) -> None:
        self.pid = os.getpid()
        self._path = path
        self._synchronous = "FULL" if durable else "NORMAL"
        self.lock = WriteLock(path.with_name(path.name + ".lock"))
        self.readers: deque[sqlite3.Connection] = deque()
        self._opened: list[sqlite3.Connection] = []
        try:
            self.lock.acquire_or_raise(wait)
        except Unavailable:
            self.lock.close()
            raise
        try:  # the switch to WAL needs the file for itself
            self.writer = self._open()
            self.writer.execute("PRAGMA journal_mode = WAL")
        finally:
            self.lock.release()

    def take_reader(self) -> sqlite3.Connection:
        try:
            return self.readers.pop()
        except IndexError:
            return self._open()

    def close(self) -> None:
        for connection in self._opened:
            connection.close()
        self._opened.clear()
        self.readers.clear()
        self.lock.close()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, isolation_level=None, check_same_thread=False, cached_statements=512, timeout=5.0
        )
        self._opened.append(connection)
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        connection.execute("PRAGMA cache_size = -16384")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA secure_delete = ON")  # what is erased must not stay in free pages
        connection.execute("PRAGMA journal_size_limit = 67108864")
        # A save writes some thirty pages: SQLite's own 1000 would mean an fsync every thirty saves.
        connection.execute("PRAGMA wal_autocheckpoint = 4000")
        return connection


@contextmanager
def translated() -> Iterator[None]:
    """Raise `Unavailable` from SQLite's operational errors; what is a bug of ours stays what it is."""
    try:
        yield
    except (sqlite3.DatabaseError, OSError) as error:
        _tell(error)
        raise


def _tell(error: sqlite3.DatabaseError | OSError) -> None:
    """Raise `Unavailable` from an error that is the store's; return for one that is a bug of ours."""
    if isinstance(error, OSError):
        raise Unavailable(f"the store can't be used now: {error.strerror or error}") from error
    if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.NotSupportedError):
        return
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED:
        raise Unavailable(f"the store's file is damaged ({error}). {_ADVICE}") from error
    raise Unavailable(f"the store can't be used now: {error}") from error


def _inspect(path: Path) -> None:
    """Look at the file without writing to it; raise `CorruptStore` when it can't be ours."""
    if not path.exists() or path.stat().st_size == 0:
        return
    try:
        found, application, pages, size, objects = _read_header(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise CorruptStore(f"{path} is damaged or not a Strata store ({error}). {_ADVICE}") from error
    if application != APPLICATION_ID and objects:
        raise CorruptStore(f"{path} is another program's database. Choose another folder for Strata's data.")
    if found > len(MIGRATIONS):
        raise CorruptStore(
            f"{path} was written by a newer Strata (schema {found}, this one knows {len(MIGRATIONS)})."
            " Upgrade Strata, or choose another folder."
        )
    if pages * size > path.stat().st_size and not _has_log(path):
        raise CorruptStore(f"{path} is cut short: {pages} pages of {size} bytes are missing some. {_ADVICE}")


def _make(path: Path) -> None:
    """Make the file if there is none, for its user only; SQLite makes its own beside it in the same way."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _read_header(path: Path) -> tuple[int, int, int, int, int]:
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=5.0)
    try:
        application, pages, size = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("application_id", "page_count", "page_size")
        )
        objects = int(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
        return version(connection), application, pages, size, objects
    finally:
        connection.close()


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0
