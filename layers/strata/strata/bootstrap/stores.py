"""The stores that the settings choose."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, assert_never

from strata.bootstrap.room import Room

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.adapters.sqlite.database import SqliteDatabase
    from strata.adapters.sqlite.table import SqliteTable
    from strata.ports.bodies import Bodies
    from strata.ports.changes import Backlog, ChangeLog
    from strata.ports.leftovers import Leftovers
    from strata.ports.remnants import Remnants
    from strata.ports.search import SearchEngine, SearchIndex
    from strata.ports.table import Census, Inventory, Table
    from strata.services.table.parallel import Parallel

_CALLS_AT_ONCE = 16


class Stores(Room):
    """Table, index, bodies, and what lies in their files."""

    @cached_property
    def database(self) -> "SqliteDatabase":
        """The one file of a store on one machine."""
        from strata.adapters.sqlite.database import SqliteDatabase

        folder = self._settings.data_dir
        folder.mkdir(parents=True, exist_ok=True)
        return SqliteDatabase(folder / "strata.db", durable=self._settings.durability == "power")

    @property
    def embedded(self) -> bool:
        """Whether rows or index are in the one file of this machine."""
        given = self._app.overrides
        return (self._settings.store == "sqlite" and given.table is None) or (
            self._settings.index == "sqlite" and given.index is None
        )

    @property
    def made_database(self) -> "SqliteDatabase | None":
        """The database, where it is in use already."""
        return self.__dict__.get("database")

    @cached_property
    def table(self) -> "Table":
        """The source of truth."""
        if self._settings.store == "dynamodb":
            from strata.adapters.dynamodb.table import DynamoTable

            chosen = self._settings.dynamodb
            return DynamoTable(
                self.dynamodb,
                chosen.table,
                self._app.clock,
                patience=chosen.patience,
                throttled_patience=chosen.throttled_patience,
                pause=chosen.pause,
                bodies=self.bodies,
            )
        return self._sqlite_table

    @cached_property
    def _sqlite_table(self) -> "SqliteTable":
        from strata.adapters.sqlite.table import SqliteTable

        return SqliteTable(self.database, self._app.clock)

    @cached_property
    def bodies(self) -> "Bodies | None":
        """Values too large for a row of DynamoDB; None where there is no place for them."""
        chosen = self._settings.dynamodb
        if chosen.bodies_bucket:
            from functools import partial

            from strata.adapters.bodies.s3 import S3Bodies, make_client

            client = partial(make_client, endpoint=chosen.bodies_endpoint, region=chosen.region)
            return S3Bodies(chosen.bodies_bucket, client=client)
        if self._settings.data is not None or chosen.endpoint is not None:
            from strata.adapters.bodies.folder import FolderBodies

            return FolderBodies(self._settings.data_dir / "bodies")
        return None

    @cached_property
    def dynamodb(self) -> Any:
        """DynamoDB's client."""
        return self._aws_client("dynamodb")

    @cached_property
    def _dynamodb_streams(self) -> Any:
        return self._aws_client("dynamodbstreams")

    def _aws_client(self, service: str) -> Any:
        from strata.adapters.dynamodb.client import make_client

        chosen = self._settings.dynamodb
        return make_client(
            service,
            endpoint=chosen.endpoint,
            region=chosen.region,
            connect_timeout=chosen.connect_timeout,
            read_timeout=chosen.read_timeout,
        )

    def make_table(self, make: "Callable[[Any, str], None]") -> None:
        """Have the table made with DynamoDB's client and the table's name, where it is not AWS's own.

        Raises:
            Unavailable: it does not answer.
        """
        chosen = self._settings.dynamodb
        if self._settings.store == "dynamodb" and chosen.endpoint is not None:
            from strata.adapters.dynamodb.patience import TablePatience

            patience = TablePatience(chosen.patience)
            patience.call(lambda: make(self.dynamodb, chosen.table), repeatable=True)

    @cached_property
    def census(self) -> "Census":
        """Every tenant's rows, for the operator's work."""
        if self._settings.store == "dynamodb":
            from strata.adapters.dynamodb.census import DynamoCensus

            return DynamoCensus(self.dynamodb, self._settings.dynamodb.table)
        return self._sqlite_table

    def segment(self, number: int, of: int) -> "Census":
        """The rows of one segment of a DynamoDB table."""
        from strata.adapters.dynamodb.census import DynamoCensus

        return DynamoCensus(self.dynamodb, self._settings.dynamodb.table, segment=(number, of))

    @cached_property
    def inventory(self) -> "Inventory":
        """Every key of a tenant, for exports."""
        if self._settings.store == "dynamodb":
            from strata.adapters.dynamodb.inventory import DynamoInventory

            chosen = self._settings.dynamodb
            return DynamoInventory(self.dynamodb, chosen.table, patience=chosen.patience)
        from strata.adapters.sqlite.inventory import SqliteInventory

        return SqliteInventory(self.database)

    @cached_property
    def change_log(self) -> "ChangeLog":
        """The table's stream on one machine."""
        if self._settings.store == "dynamodb":
            from strata.adapters.dynamodb.stream import DynamoChangeLog
            from strata.adapters.sqlite.journal import SqliteJournal

            journal = SqliteJournal(self.database)
            return DynamoChangeLog(
                self.dynamodb, self._dynamodb_streams, self._settings.dynamodb.table, journal
            )
        return self._sqlite_table

    @cached_property
    def backlog(self) -> "Backlog":
        """The changes that wait for the stream's consumers, where the store of the rows can tell."""
        if self._settings.store == "dynamodb":
            from strata.adapters.dynamodb.backlog import UnknownBacklog

            return UnknownBacklog()
        return self._sqlite_table

    @cached_property
    def index(self) -> "SearchIndex":
        """The derived search index."""
        from strata.services.search.marked_index import MarkedIndex

        return MarkedIndex(self.engine, self._place, self.table, self._app.clock, self.parallel)

    @property
    def _place(self) -> str:
        """Names the index among those of the table: each machine may have one of its own."""
        chosen = self._settings
        match chosen.index:
            case "opensearch":
                return f"opensearch/{chosen.opensearch.alias}"
            case "sqlite" if chosen.store == "sqlite":
                return "sqlite"
            case "sqlite":
                from platform import node

                from strata.services.records.parts import digest

                return f"sqlite/{digest(node(), str(chosen.data_dir.absolute()))}"
            case unknown:
                assert_never(unknown)

    @cached_property
    def engine(self) -> "SearchEngine":
        """Holds the search index."""
        models = self._app.models
        match self._settings.index:
            case "opensearch":
                from strata.adapters.opensearch.opening import open_index

                chosen = self._settings.opensearch.model_dump(exclude_none=True)
                return open_index(lambda: models.embedding_model, **chosen)
            case "sqlite":
                from strata.adapters.sqlite.search_index import SqliteSearchIndex

                return SqliteSearchIndex(self.database, lambda: models.embedding_model.name)
            case unknown:
                assert_never(unknown)

    @cached_property
    def leftovers(self) -> "Leftovers":
        """Rows and bodies that the store leaves behind."""
        if self._settings.store == "dynamodb":
            from strata.adapters.dynamodb.leftovers import DynamoLeftovers

            name = self._settings.dynamodb.table
            return DynamoLeftovers(self.dynamodb, name, self.bodies, self._app.clock)
        from strata.adapters.sqlite.leftovers import SqliteLeftovers

        return SqliteLeftovers(self._sqlite_table)

    @cached_property
    def remnants(self) -> "Remnants | None":
        """Bytes of deleted rows that this machine's file still holds; None where there is no such file.

        Where rows and index are elsewhere it has the journal of their stream: keys, and callers name some.
        """
        chosen = self._settings
        elsewhere = "sqlite" not in (chosen.store, chosen.index)
        tables = chosen.dynamodb
        deployed = tables.endpoint is None or bool(tables.bodies_bucket)
        if elsewhere and chosen.data is None and deployed:
            return None
        from strata.adapters.sqlite.remnants import SqliteRemnants

        return SqliteRemnants(self.database)

    @cached_property
    def parallel(self) -> "Parallel":
        """Calls side by side where a call is a round trip."""
        return self.parallel_of(_CALLS_AT_ONCE, self._settings.remote)

    def parallel_of(self, width: int, remote: bool) -> "Parallel":
        """The same with threads of its own, `width` of them."""
        from strata.services.table.parallel import Parallel

        return Parallel(width if remote else 0)

    def close(self) -> None:
        """Close the connections that are open."""
        if self.made_database is not None:
            self.made_database.close()
        close_index = getattr(self.__dict__.get("index"), "close", None)
        if close_index is not None:
            close_index()
        for name in ("dynamodb", "_dynamodb_streams"):
            if name in self.__dict__:
                self.__dict__[name].close()
