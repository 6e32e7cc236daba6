"""The ports `Table`, `ChangeLog` (see `changes`) and `Census` over one SQLite file."""

from collections.abc import Iterator, Sequence

from strata.adapters.rules.keys import MAX_ACTIONS, stored_key, stored_keys
from strata.adapters.sqlite.changes import SqliteChanges, of_tenant
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.plan import Stored, plan
from strata.adapters.sqlite.queries import run_query
from strata.adapters.sqlite.rows import parsed
from strata.domain.scope import RESERVED, Scope
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Item, Key, Update
from strata.ports.table import Page, Query

_PAGE = 1000
_CHUNK = 200  # keys in one statement
_FEW = 20  # rows for which a writer of this process may wait

_WRITE = (
    "INSERT INTO items (pk, sk, item, expires_at, gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (pk, sk) DO UPDATE SET item = excluded.item,"
    " expires_at = excluded.expires_at, gsi1pk = excluded.gsi1pk, gsi1sk = excluded.gsi1sk,"
    " gsi2pk = excluded.gsi2pk, gsi2sk = excluded.gsi2sk,"
    " gsi3pk = excluded.gsi3pk, gsi3sk = excluded.gsi3sk"
)
_WANTED = (
    "WITH wanted (a, b) AS (VALUES {}) SELECT pk, sk, item, expires_at"
    " FROM wanted CROSS JOIN items ON pk = a AND sk = b"
)
_LIVE = _WANTED + " WHERE expires_at IS NULL OR expires_at > ?"


class SqliteTable(SqliteChanges):
    """Rows and their change log in one `SqliteDatabase`. A write returns when it is committed.

    Conditions are evaluated inside the write transaction, so that rows cannot change meanwhile.
    """

    def __init__(self, database: SqliteDatabase, clock: Clock) -> None:
        super().__init__(database)
        self._clock = clock

    # --- Table

    def get(self, scope: Scope, key: Key) -> Item | None:
        with self._database.reading(briefly=True) as connection:
            row = connection.execute(
                "SELECT item FROM items WHERE pk = ? AND sk = ? AND (expires_at IS NULL OR expires_at > ?)",
                (*stored_key(scope, key), self._now()),
            ).fetchone()
        return None if row is None else parsed(row[0])

    def get_many(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, Item]:
        found: dict[Key, Item] = {}
        by_stored = {stored_key(scope, key): key for key in keys}
        stored = list(by_stored)
        one = len(stored) <= _CHUNK  # statement, which sees one commit by itself
        with (
            self._database.reading(briefly=len(stored) <= _FEW) if one else self._database.snapshot()
        ) as connection:
            for start in range(0, len(stored), _CHUNK):
                chunk = stored[start : start + _CHUNK]
                parameters = [part for each in chunk for part in each]
                statement = _LIVE.format(_placeholders(len(chunk)))
                for pk, sk, item, _ in connection.execute(statement, (*parameters, self._now())):
                    found[by_stored[pk, sk]] = parsed(item)
        return found

    def query(self, scope: Scope, query: Query) -> Page:
        with self._database.reading() as connection:
            return run_query(connection, scope, query, self._now())

    def transact(self, scope: Scope, actions: Sequence[Action]) -> None:
        """Write up to 100 actions on distinct keys at once, or raise `ConditionFailed`.

        Raises:
            ValueError: more actions, or two of them on one key.
        """
        self._write(scope, actions)

    def delete_many(self, scope: Scope, keys: Sequence[Key]) -> None:
        left = [Delete(key) for key in dict.fromkeys(keys)]
        for start in range(0, len(left), MAX_ACTIONS):
            self._write(scope, left[start : start + MAX_ACTIONS])

    def update(self, scope: Scope, update: Update) -> Item:
        (text,) = self._write(scope, (update,))
        return parsed(text)

    def delete_expired(self, scope: Scope, limit: int = 1000) -> int:
        """Remove up to `limit` expired rows, recorded as changes like any other; their number."""
        with self._database.writing() as connection:
            rows: list[Stored] = connection.execute(
                "SELECT pk, sk FROM items WHERE expires_at <= ? AND pk >= ? AND pk < ?"
                " ORDER BY expires_at LIMIT ?",
                (self._now(), *of_tenant(scope), limit),
            ).fetchall()
            connection.executemany("DELETE FROM items WHERE pk = ? AND sk = ?", rows)
            connection.executemany("INSERT INTO changes (pk, sk, event) VALUES (?, ?, 'REMOVE')", rows)
        return len(rows)

    def has_expiring(self, scope: Scope) -> bool:
        """Whether a row has a time to live."""
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT 1 FROM items WHERE expires_at IS NOT NULL AND pk >= ? AND pk < ? LIMIT 1",
                of_tenant(scope),
            ).fetchone()
        return found is not None

    # --- Census

    def tenants(self) -> list[str]:
        found: list[str] = []
        while True:
            after = f"{found[-1]}$" if found else ""  # "$" follows "#", which ends the tenant in a stored key
            with self._database.reading() as connection:
                row = connection.execute("SELECT min(pk) FROM items WHERE pk >= ?", (after,)).fetchone()
            if row[0] is None:
                return [name for name in found if name not in RESERVED]
            found.append(row[0].partition("#")[0])

    def count(self, sk_prefix: str) -> int:
        """The number of rows whose sort key has this prefix."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT count(*) FROM items WHERE substr(sk, 1, ?) = ?", (len(sk_prefix), sk_prefix)
            ).fetchone()
        return int(row[0])

    def keys(self, sk_prefix: str) -> Iterator[tuple[Scope, Key]]:
        """The keys of the rows whose sort key has this prefix, in pages, so that no read stays open."""
        after = ("", "")
        while True:
            with self._database.reading() as connection:
                rows: list[Stored] = connection.execute(
                    "SELECT pk, sk FROM items WHERE (pk, sk) > (?, ?) AND substr(sk, 1, ?) = ?"
                    " ORDER BY pk, sk LIMIT ?",
                    (*after, len(sk_prefix), sk_prefix, _PAGE),
                ).fetchall()
            for pk, sk in rows:
                tenant, _, partition = pk.partition("#")
                yield Scope(tenant), Key(partition, sk)
            if len(rows) < _PAGE:
                return
            after = rows[-1]

    # --- inside

    def _write(self, scope: Scope, actions: Sequence[Action]) -> list[str]:
        """One transaction; the rows it wrote, as JSON."""
        keys = stored_keys(scope, actions)
        if not keys:
            return []
        parameters = [part for key in keys for part in key]
        with self._database.writing() as connection:
            now = self._now()
            there: dict[Stored, tuple[str, bool]] = {
                (pk, sk): (item, expires_at is None or expires_at > now)
                for pk, sk, item, expires_at in connection.execute(
                    _WANTED.format(_placeholders(len(keys))), parameters
                )
            }
            rows, gone, log = plan(scope, actions, keys, there)
            if rows:
                connection.executemany(_WRITE, rows)
            if gone:
                connection.executemany("DELETE FROM items WHERE pk = ? AND sk = ?", gone)
            if log:
                connection.execute(
                    f"INSERT INTO changes (pk, sk, event) VALUES {_placeholders(len(log) // 3, 3)}",  # noqa: S608
                    log,
                )
        return [row[2] for row in rows]

    def _now(self) -> float:
        return self._clock.now_us() / 1e6


def _placeholders(rows: int, columns: int = 2) -> str:
    row = "(" + ",".join("?" * columns) + ")"
    return ",".join([row] * rows)
