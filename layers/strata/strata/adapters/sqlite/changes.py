"""The port `ChangeLog`: changes to rows of the same file, in commit order."""

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.plan import Event
from strata.ports.changes import Change
from strata.ports.rows import Key


class SqliteChanges:
    """The log of changes in one `SqliteDatabase`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def fetch(self) -> None:
        """Do nothing: the log is written with the rows."""

    def head(self) -> int:
        """Sequence number of the newest change, 0 when there was none."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").fetchone()
        return 0 if row is None else int(row[0])

    def read(self, after: int, limit: int) -> list[Change]:
        """Changes with a higher sequence number than `after`, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT sequence, pk, sk, event FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?",
                (after, limit),
            ).fetchall()
        return [_change(*row) for row in rows]

    def position(self, consumer: str) -> int:
        """The position of the named consumer; 0 for an unknown one."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT sequence FROM consumers WHERE name = ?", (consumer,)).fetchone()
        return 0 if row is None else int(row[0])

    def advance(self, consumer: str, sequence: int) -> None:
        """Store the consumer's position, never backwards, and drop changes that every consumer has read.

        A consumer is registered by its first `advance`; changes dropped before are lost to it.
        """
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO consumers (name, sequence) VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET sequence = max(sequence, excluded.sequence)",
                (consumer, sequence),
            )
            connection.execute("DELETE FROM changes WHERE sequence <= (SELECT min(sequence) FROM consumers)")


def _change(sequence: int, pk: str, sk: str, event: Event) -> Change:
    tenant, _, own = pk.partition("#")
    return Change(sequence, tenant, Key(own, sk), event)
