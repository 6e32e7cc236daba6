"""Whether a file can be a store of this Strata, read without changing it."""

import sqlite3
from pathlib import Path
from urllib.parse import quote

from strata.adapters.sqlite.migrations import APPLICATION_ID, MIGRATIONS, version
from strata.adapters.sqlite.write_lock import lock_of

ADVICE = "Restore a backup, or move the file away and start with an empty store."


_HIGHEST_VERSION = 10_000
"""A newer Strata has some more migrations, and a damaged page any number."""


class CorruptStore(Exception):
    """The file cannot be used; the message says why and what to do. The file was not changed."""


def inspect(path: Path) -> None:
    """Inspect the file without writing to it; raise `CorruptStore` when it cannot be ours."""
    if not path.exists():
        return
    if _was_emptied(path):
        raise CorruptStore(f"{path} is empty, and held a store before. {ADVICE}")
    if path.stat().st_size == 0:
        return
    try:
        found, application, pages, size, objects = _read_header(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise CorruptStore(f"{path} is damaged or not a Strata store ({error}). {ADVICE}") from error
    if application != APPLICATION_ID and objects:
        raise CorruptStore(f"{path} is another program's database. Choose another folder for Strata's data.")
    if not 0 <= found <= _HIGHEST_VERSION:
        raise CorruptStore(f"{path} is damaged: it names a schema {found} that no Strata has. {ADVICE}")
    if found > len(MIGRATIONS):
        raise CorruptStore(
            f"{path} was written by a newer Strata (schema {found}, this one knows {len(MIGRATIONS)})."
            " Upgrade Strata, or choose another folder."
        )
    if pages * size > path.stat().st_size and not _has_log(path):
        raise CorruptStore(f"{path} is cut short: {pages} pages of {size} bytes are missing some. {ADVICE}")


def _was_emptied(path: Path) -> bool:
    """Whether the file is empty and not new.

    Its lock file has a record from when the file has its first page, and none again before a file is made in
    the place of one that is gone. All is asked twice, since another process may be making one just now.
    """
    lock = lock_of(path)
    return all(lock.exists() and lock.stat().st_size and not path.stat().st_size for _ in range(2))


def _read_header(path: Path) -> tuple[int, int, int, int, int]:
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=5.0)
    try:
        # The objects first: another process may write them and the application's id between two reads.
        objects = int(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
        application, pages, size = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("application_id", "page_count", "page_size")
        )
        return version(connection), application, pages, size, objects
    finally:
        connection.close()


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0
