"""The ports `ChangeLog` and `Backlog`: changes to rows of the same file, in commit order."""

from collections.abc import Sequence

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.plan import Event, Stored
from strata.domain.scope import Scope
from strata.ports.changes import Change
from strata.ports.rows import Key

_LAST = chr(0x10FFFF)

_CHECKPOINT = 1000
"""Changes after which a consumer checkpoints the write-ahead log, of about four pages each."""


class SqliteChanges:
    """The log of changes in one `SqliteDatabase`."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._checkpointed = 0

    def fetch(self) -> None:
        """Do nothing: the log is written with the rows."""

    def head(self) -> int:
        with self._database.reading() as connection:
            row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").fetchone()
        return 0 if row is None else int(row[0])

    def read(self, after: int, limit: int) -> list[Change]:
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

    def waiting(self, scope: Scope, prefixes: Sequence[str], limit: int) -> list[Key]:
        """Keys of the tenant's changes that a consumer has not read, newest first, each once.

        Only those whose sort keys begin with one of `prefixes`, among the newest `limit` such changes.
        """
        statement, parameters = _waiting(scope, prefixes, limit)
        with self._database.reading() as connection:
            rows: list[Stored] = connection.execute(statement, parameters).fetchall()
        return [Key(pk.partition("#")[2], sk) for pk, sk in dict.fromkeys(rows)]

    def is_longer(self, scope: Scope, prefixes: Sequence[str], than: int) -> bool:
        statement, parameters = _waiting(scope, prefixes, than + 1)
        with self._database.reading() as connection:
            (found,) = connection.execute(f"SELECT count(*) FROM ({statement})", parameters).fetchone()  # noqa: S608
        return bool(found > than)

    def advance(self, consumer: str, sequence: int) -> None:
        """Store the consumer's position, never backwards, and drop changes that every consumer has read.

        A consumer is registered by its first `advance`; changes dropped before are lost to it. Now and then
        the write-ahead log is checkpointed, so that a save seldom has to.
        """
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO consumers (name, sequence) VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET sequence = max(sequence, excluded.sequence)",
                (consumer, sequence),
            )
            connection.execute("DELETE FROM changes WHERE sequence <= (SELECT min(sequence) FROM consumers)")
        if sequence - self._checkpointed >= _CHECKPOINT:
            self._checkpointed = sequence
            self._database.checkpoint_beside()


def _waiting(scope: Scope, prefixes: Sequence[str], limit: int) -> tuple[str, tuple[object, ...]]:
    """The statement that selects a tenant's newest changes that a consumer has not read."""
    begins = " OR ".join(["sk >= ? AND sk < ?"] * len(prefixes))
    statement = (
        "SELECT pk, sk FROM changes"  # noqa: S608
        " WHERE sequence > coalesce((SELECT min(sequence) FROM consumers), 0)"
        f" AND pk >= ? AND pk < ? AND ({begins}) ORDER BY sequence DESC LIMIT ?"
    )
    ends = (end for each in prefixes for end in (each, each + _LAST))
    return statement, (*of_tenant(scope), *ends, limit)


def _change(sequence: int, pk: str, sk: str, event: Event) -> Change:
    tenant, _, own = pk.partition("#")
    return Change(sequence, tenant, Key(own, sk), event)


def of_tenant(scope: Scope) -> tuple[str, str]:
    """The bounds of a tenant's stored partition keys: "$" follows the "#" that ends the tenant in them."""
    return f"{scope.tenant}#", f"{scope.tenant}$"
