"""The port `Remnants` over one SQLite file.

Deleted rows are overwritten (`secure_delete`), but copies remain in the gaps of split pages, the full-text
index keeps the words of deleted documents until its segments are merged, and the write-ahead log keeps old
pages.
"""

from strata.adapters.sqlite.database import SqliteDatabase


class SqliteRemnants:
    """Removes remnants of deleted data from the file and its log."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def expunge(self) -> bool:
        """Merge the full-text index, vacuum the file, empty the log. False while a reader uses the log.

        It needs space for a second file, and blocks writes meanwhile (decisions 19).
        """
        if not self._database.checkpoint():
            return False  # what was written anew would pile up in the log
        with self._database.writing() as connection:
            connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        with self._database.alone() as connection:
            connection.execute("PRAGMA temp_store = FILE")  # the copy may be larger than the memory
            try:
                connection.execute("VACUUM")
            finally:
                connection.execute("PRAGMA temp_store = MEMORY")
        return self._database.checkpoint()
