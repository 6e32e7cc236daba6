"""One SQLite file: connections for every thread and process, one writer at a time, and our errors."""

import os
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from strata.adapters.sqlite.failing import fails, is_damage, tell, translated
from strata.adapters.sqlite.inspection import ADVICE, inspect
from strata.adapters.sqlite.migrations import migrate
from strata.adapters.sqlite.store_file import ROOM, Failures, StoreFile
from strata.adapters.sqlite.write_lock import WriteLock, lock_of
from strata.domain.errors import Unavailable

_abandoned: list[object] = []  # what a fork left in the child: closing it there would harm the parent's


class SqliteDatabase:
    """The file at `path`, created if there is none, with its schema migrated.

    A commit survives the death of the process, kill -9 included. With `durable` it also survives a power
    failure (`synchronous=FULL`: an fsync a commit, about a third of the speed); without it (`NORMAL`) a power
    failure may lose the latest commits, but never leaves half of one
    (https://www.sqlite.org/pragma.html#pragma_synchronous).

    Connections are opened when needed, and again in a forked child. `wait` limits, in seconds, the wait of a
    write for earlier writers.

    Raises:
        CorruptStore: the file is not a database, damaged, another program's, or of a newer Strata.
        Unavailable: it cannot be opened or read now.
    """

    def __init__(self, path: Path | str, *, durable: bool = False, wait: float = 5.0) -> None:
        self.path = Path(path).absolute()
        self._durable = durable
        self._wait = wait
        with translated():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            inspect(self.path)
            self._file = StoreFile(self.path)
            self._process = _Process(self._file, durable, wait)
            with self.writing() as connection:
                migrate(connection)

    @contextmanager
    def reading(self, *, briefly: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection for reads, in autocommit: each statement sees all earlier commits.

        `briefly`: for a read that writes of this process may wait for. It uses the writer's connection if
        that is idle, whose cached pages its own commits keep valid, while they void those of every other one.
        """
        process = self._here()
        self._file.check_now_and_then()
        try:  # as in `translated`, without a second context on the way of every statement
            borrowed = briefly and process.lock.hold()
            connection = process.writer if borrowed else process.take_reader()
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.rollback()
                if borrowed:
                    process.lock.let_go()
                else:
                    process.readers.append(connection)
        except (sqlite3.DatabaseError, OSError) as error:
            if is_damage(error):
                process.failures.add(damaged=True)
            tell(error)
            raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A connection whose reads all see the same commit. Never blocks a writer."""
        with self.reading() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The one write transaction: committed at the end, rolled back on any exception.

        Raises:
            Unavailable: others wrote for longer than `wait`, the disk is full or failing, or the file was
                deleted or replaced.
        """
        process = self._here()
        self._file.check()
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
            process.failures.forget()
        except (sqlite3.DatabaseError, OSError) as error:
            if fails(error):
                process.failures.add(damaged=is_damage(error))
            tell(error)
            raise
        finally:
            process.lock.release()

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """A connection for statements outside a transaction, without writers; raises as `writing` does."""
        process = self._here()
        self._file.check()
        process.lock.acquire_or_raise(self._wait)
        try:
            with translated():
                yield process.writer
        finally:
            process.lock.release()

    def problems(self) -> list[str]:
        """The problems that SQLite's integrity check of the whole file finds; empty for a sound file."""
        try:
            with self.reading() as connection:
                found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(20)")]
        except Unavailable as unreadable:
            return [unreadable.message]
        if found != ["ok"]:
            return found
        self._here().failures.forget_damage()
        return []

    def check_writes(self) -> None:
        """Check that writes go on: in this file, with room on the disk, without damage that anybody met.

        After a failed write it tries one itself, larger than a save and leaving nothing.

        Raises:
            Unavailable: they do not.
        """
        self._file.check()
        with translated():
            self._file.check_room()
        failures = self._here().failures
        if failures.damaged:
            raise Unavailable(f"the store's file is damaged. {ADVICE}")
        if failures.any:
            with self.writing() as connection:
                connection.execute("CREATE TABLE probe AS SELECT zeroblob(?) AS room", (ROOM,))
                connection.execute("DROP TABLE probe")  # its pages are overwritten (secure_delete)

    def checkpoint_beside(self) -> None:
        """Copy the write-ahead log to the file, as far as no reader needs it, while writers go on."""
        with self.reading() as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def checkpoint(self) -> bool:
        """Checkpoint the write-ahead log; False when a reader kept it in use for five seconds."""
        with self.alone() as connection:
            return not connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]

    def close(self) -> None:
        """Close this process's connections. The last process to do so checkpoints the log."""
        self._here().close()

    def _here(self) -> "_Process":
        if self._process.pid != os.getpid():
            inherited, self._process = self._process, _Process(self._file, self._durable, self._wait)
            inherited.lock.close()  # or the parent's death would not release a lock it held
            _abandoned.append(inherited)
        return self._process


class _Process:
    """State of one process: SQLite connections and flocks must not be carried over a fork."""

    def __init__(self, file: StoreFile, durable: bool, wait: float) -> None:
        self.pid = os.getpid()
        self._file = file
        self._synchronous = "FULL" if durable else "NORMAL"
        self.lock = WriteLock(lock_of(file.path))
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
        # only now that the file has its first page: its record tells `inspect` that there was one
        self.failures = Failures(self.lock, file.number)

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
            f"file:{quote(str(self._file.path))}?mode=rw",  # never a new file in the place of ours
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=512,
            timeout=5.0,
        )
        self._opened.append(connection)
        self._file.check()
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        connection.execute("PRAGMA cache_size = -16384")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA secure_delete = ON")  # what is erased must not stay in free pages
        connection.execute("PRAGMA journal_size_limit = 67108864")
        # A commit checkpoints only where nobody follows the stream, who does it beside the writers.
        connection.execute("PRAGMA wal_autocheckpoint = 8000")
        return connection
