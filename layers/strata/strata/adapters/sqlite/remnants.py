"""The port `Remnants` over one SQLite file.

Pages are overwritten as rows are deleted (`secure_delete`), but the full-text index keeps the words of
deleted documents until its segments are merged, and the write-ahead log keeps pages as they were.
"""

from strata.adapters.sqlite.database import SqliteDatabase


class SqliteRemnants:
    """What is left in the file and beside it."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def expunge(self) -> bool:
        """Merge the full-text index, empty the log. False while a reader uses the log."""
        with self._database.writing() as connection:
            connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        return self._database.checkpoint()
