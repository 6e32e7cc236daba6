"""The port `Remnants` over one SQLite file.

Rows are overwritten as they are deleted (`secure_delete`), but copies of them stay in the gaps of pages that
were divided, the full-text index keeps the words of deleted documents until its segments are merged, and the
write-ahead log keeps pages as they were.
"""

from strata.adapters.sqlite.database import SqliteDatabase


class SqliteRemnants:
    """What is left in the file and beside it."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def expunge(self) -> bool:
        """Merge the full-text index, write the file anew, empty the log. False while a reader uses the log.

        It takes room for a second file, and writes wait meanwhile (decisions 19).
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
