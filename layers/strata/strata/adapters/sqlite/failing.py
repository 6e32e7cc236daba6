"""SQLite's errors, and ours for them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from strata.domain.errors import Unavailable

_ADVICE_WHILE_OPEN = (
    "Try `strata export` first: it may still read everything. `strata reindex` makes a damaged search index"
    " anew. Where the rows are damaged, restore a backup, or move the file away and import what was exported."
)
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_CALLERS = sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.NotSupportedError
"""Errors of the caller, not of the store."""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


@contextmanager
def translated() -> Iterator[None]:
    """Raise `Unavailable` from SQLite's operational errors; programming errors are unchanged."""
    try:
        yield
    except (sqlite3.DatabaseError, OSError) as error:
        tell(error)
        raise


def is_damage(error: Exception) -> bool:
    """Whether SQLite met damage in the file."""
    return _code(error) in _DAMAGED


def tell(error: sqlite3.DatabaseError | OSError) -> None:
    """Raise `Unavailable` from an error of the store; return for a programming error."""
    if isinstance(error, OSError):
        raise Unavailable(f"the store can't be used now: {error.strerror or error}") from error
    if isinstance(error, _CALLERS):
        return
    if is_damage(error):
        raise Unavailable(f"the store's file is damaged ({error}). {_ADVICE_WHILE_OPEN}") from error
    raise Unavailable(f"the store can't be used now: {error}") from error


def _code(error: Exception) -> int:
    """SQLite's primary result code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def fails(error: Exception) -> bool:
    """Whether an error of a write is the store's, not the caller's or that of another writer."""
    return not isinstance(error, _CALLERS) and _code(error) not in _BUSY
