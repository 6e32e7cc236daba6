"""The port `Inventory` over one SQLite file."""

from collections.abc import Iterator, Sequence

from strata.adapters.sqlite.changes import of_tenant
from strata.adapters.sqlite.database import SqliteDatabase
from strata.domain.cursors import foreign
from strata.domain.scope import Scope
from strata.ports.rows import Key
from strata.ports.table import Place

_PAGE = 500


class SqliteInventory:
    """The keys of a tenant, in pages, so that no read stays open."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def keys(
        self, scope: Scope, sk_prefixes: Sequence[str], after: Place | None
    ) -> Iterator[tuple[Place, Key | None]]:
        """Yield the tenant's keys in the order of partition and sort key."""
        match after:
            case None:
                place = ("", "")
            case (str(pk), str(sk)):
                place = (f"{scope.tenant}#{pk}", sk)
            case _:
                raise foreign("export")
        begins = " OR ".join(["substr(sk, 1, ?) = ?"] * len(sk_prefixes))
        wanted = [part for each in sk_prefixes for part in (len(each), each)]
        while True:
            with self._database.reading() as connection:
                rows: list[tuple[str, str]] = connection.execute(
                    f"SELECT pk, sk FROM items WHERE pk >= ? AND pk < ? AND (pk, sk) > (?, ?) AND ({begins})"  # noqa: S608
                    " ORDER BY pk, sk LIMIT ?",
                    (*of_tenant(scope), *place, *wanted, _PAGE),
                ).fetchall()
            for pk, sk in rows:
                key = Key(pk.partition("#")[2], sk)
                yield (key.pk, key.sk), key
            if len(rows) < _PAGE:
                return
            place = rows[-1]
