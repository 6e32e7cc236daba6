"""The tables of the search index in the file: whether they are sound, and how damaged ones are replaced."""

import sqlite3

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.migrations import migrate
from strata.domain.errors import Unavailable

_TABLES = ("spaces", "documents", "narrowings", "vectors", "words", "index_models", "index_identities")
_OWN = f"tbl_name IN ({', '.join(repr(name) for name in _TABLES)}) OR tbl_name LIKE 'words\\_%' ESCAPE '\\'"


def problems(database: SqliteDatabase) -> list[str]:
    """The damages of the index, a sentence each; empty for a sound one."""
    found: list[str] = []
    for name in _tables_of(database):
        try:
            with database.reading() as connection:
                told = [str(row[0]) for row in connection.execute(f"PRAGMA quick_check('{name}')")]
        except Unavailable as damaged:
            told = [str(damaged.__cause__)]
        found += [f"{name}: {each}" for each in told if each != "ok"]
    if not found:
        try:
            with database.writing() as connection:
                connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        except Unavailable as damaged:
            found.append(f"words: {damaged.__cause__}")
    return found


def make_anew(database: SqliteDatabase) -> None:
    """Replace the tables of the index by empty ones, without reading a page of them, and free their pages.

    It needs space for a second file, and blocks writes meanwhile.
    """
    with database.writing() as connection:
        connection.execute("PRAGMA writable_schema = ON")
        try:
            connection.execute(f"DELETE FROM sqlite_schema WHERE {_OWN}")  # noqa: S608 - names of our own
        finally:
            connection.execute("PRAGMA writable_schema = RESET")
        for statement in _statements():
            connection.execute(statement)
    with database.alone() as connection:
        connection.execute("VACUUM")


def _tables_of(database: SqliteDatabase) -> list[str]:
    with database.reading() as connection:
        query = f"SELECT name FROM sqlite_schema WHERE ({_OWN}) AND type = 'table' AND rootpage > 0"  # noqa: S608
        return [str(row[0]) for row in connection.execute(query)]


def _statements() -> list[str]:
    """The statements that make the tables as the migrations leave them."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        migrate(connection)
        shadows = "name LIKE 'words\\_%' ESCAPE '\\'"
        query = f"SELECT sql FROM sqlite_schema WHERE ({_OWN}) AND sql IS NOT NULL AND NOT {shadows}"  # noqa: S608
        return [str(row[0]) for row in connection.execute(query)]
    finally:
        connection.close()
