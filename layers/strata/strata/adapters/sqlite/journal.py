"""The port `Journal`: the stream of a remote table, numbered, and stored here until it is read."""

from collections.abc import Collection, Sequence

from strata.adapters.sqlite.changes import SqliteChanges
from strata.ports.changes import Change, Place


class SqliteJournal(SqliteChanges):
    """Changes of a remote table, in the order in which they were fetched.

    They share the log of the file's own rows: a store has its rows in one place, and consumers read the row
    of a change wherever it is.
    """

    def append(self, stream: str, place: Place, changes: Sequence[Change]) -> None:
        """Add the changes of one shard and its reader's position, in one transaction."""
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT INTO changes (pk, sk, event) VALUES (?, ?, ?)",
                [(f"{change.tenant}#{change.key.pk}", change.key.sk, change.event) for change in changes],
            )
            connection.execute(
                "INSERT INTO shards (stream, shard, after, ended) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (stream, shard) DO UPDATE SET after = excluded.after, ended = excluded.ended",
                (stream, place.shard, place.after, place.ended),
            )

    def places(self, stream: str) -> dict[str, Place]:
        """The position in each shard of a stream."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT shard, after, ended FROM shards WHERE stream = ?", (stream,)
            ).fetchall()
        return {shard: Place(shard, after, bool(ended)) for shard, after, ended in rows}

    def forget(self, stream: str, shards: Collection[str]) -> None:
        """Drop the positions of shards that no longer exist."""
        with self._database.writing() as connection:
            connection.executemany(
                "DELETE FROM shards WHERE stream = ? AND shard = ?", [(stream, shard) for shard in shards]
            )
