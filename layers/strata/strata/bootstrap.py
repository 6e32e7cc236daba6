"""The one place where things are wired: settings choose the adapters, services get them passed in.

Everything is made at its first use and imported there, so that a cold start pays for what its function needs.
"""

import time
from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from strata import settings as settings_module
from strata.domain.retrieval import Mode
from strata.settings import Settings

if TYPE_CHECKING:
    from strata.adapters.sqlite import SqliteDatabase, SqliteTable
    from strata.adapters.static_embeddings import StaticEmbeddings
    from strata.domain.ranking.params import RankingParams
    from strata.entrypoints.authorizer import Authorizer
    from strata.entrypoints.http.api import Caller, Handler
    from strata.entrypoints.observing import Observing
    from strata.ports import (
        Census,
        ChangeLog,
        Clock,
        Embedder,
        Lexicon,
        Queue,
        SearchIndex,
        Table,
        TokenVerifier,
    )
    from strata.services.admission import Admission
    from strata.services.changing import Changing
    from strata.services.context import ContextAssembly
    from strata.services.freshness import Freshness
    from strata.services.indexing import Indexing
    from strata.services.keys import Keys
    from strata.services.reading import Reading
    from strata.services.rounds import Rounds
    from strata.services.saving import Saving
    from strata.services.searching import Searching
    from strata.services.sessions import Sessions
    from strata.services.totals import Totals
    from strata.services.upkeep import Upkeep


_ROUND_WIDTH = 16
_INDEXING_WIDTH = 8


class SystemClock:
    """The machine's clock."""

    def now_us(self) -> int:
        """Microseconds since 1970, UTC."""
        return time.time_ns() // 1000


class Application:
    """Adapters, services and handlers of one process.

    Tests pass their own adapters by keyword (`table=...`, `clock=...`); the rest follows the settings.
    """

    def __init__(self, settings: Settings, **adapters: object) -> None:
        self.settings = settings
        self.__dict__.update(adapters)

    # --- adapters ---------------------------------------------------------------------------------

    @cached_property
    def clock(self) -> "Clock":
        """The time."""
        return SystemClock()

    @cached_property
    def database(self) -> "SqliteDatabase":
        """The one file of a store on one machine."""
        from strata.adapters.sqlite import SqliteDatabase

        folder = self.settings.data_dir
        folder.mkdir(parents=True, exist_ok=True)
        return SqliteDatabase(folder / "strata.db", durable=self.settings.durability == "power")

    @cached_property
    def table(self) -> "Table":
        """The source of truth."""
        if self.settings.store == "dynamodb":
            from strata.adapters.dynamodb import DynamoTable

            chosen = self.settings.dynamodb
            return DynamoTable(self._dynamodb, chosen.table, self.clock, patience=chosen.patience)
        return self._sqlite_table

    @cached_property
    def _dynamodb(self) -> Any:
        """DynamoDB's client."""
        return self._aws_client("dynamodb")

    @cached_property
    def _dynamodb_streams(self) -> Any:
        """The client of its streams."""
        return self._aws_client("dynamodbstreams")

    def _aws_client(self, service: str) -> Any:
        from strata.adapters.dynamodb.client import make_client

        chosen = self.settings.dynamodb
        return make_client(
            service,
            endpoint=chosen.endpoint,
            region=chosen.region,
            connect_timeout=chosen.connect_timeout,
            read_timeout=chosen.read_timeout,
        )

    @cached_property
    def census(self) -> "Census":
        """Every tenant's rows, for the operator's work."""
        if self.settings.store == "dynamodb":
            from strata.adapters.dynamodb import DynamoCensus

            return DynamoCensus(self._dynamodb, self.settings.dynamodb.table)
        return self._sqlite_table

    @cached_property
    def _sqlite_table(self) -> "SqliteTable":
        from strata.adapters.sqlite import SqliteTable

        return SqliteTable(self.database, self.clock)

    def make_table(self, make: "Callable[[Any, str], None]") -> None:
        """Have the table made with DynamoDB's client and the table's name, where it is not AWS's own."""
        if self.settings.store == "dynamodb" and self.settings.dynamodb.endpoint is not None:
            make(self._dynamodb, self.settings.dynamodb.table)

    @cached_property
    def change_log(self) -> "ChangeLog":
        """The table's stream on one machine."""
        if self.settings.store == "dynamodb":
            from strata.adapters.dynamodb.stream import DynamoChangeLog
            from strata.adapters.sqlite import SqliteJournal

            journal = SqliteJournal(self.database)
            return DynamoChangeLog(
                self._dynamodb, self._dynamodb_streams, self.settings.dynamodb.table, journal
            )
        return self._sqlite_table

    @cached_property
    def index(self) -> "SearchIndex":
        """The derived search index."""
        if self.settings.index == "opensearch":
            from strata.adapters.opensearch import open_index

            chosen = self.settings.opensearch.model_dump(exclude_none=True)
            return open_index(lambda: self.embedder.dimensions, **chosen)
        from strata.adapters.sqlite import SqliteSearchIndex

        return SqliteSearchIndex(self.database)

    @cached_property
    def redrive_queue(self) -> "Queue":
        """Where the indexer puts what it can't digest."""
        if self.settings.redrive_queue_url:
            from strata.adapters.sqs import SqsQueue

            return SqsQueue(self.settings.redrive_queue_url)
        from strata.adapters.sqlite import SqliteQueue

        return SqliteQueue(self.database, "redrive", self.clock)

    @cached_property
    def _static(self) -> "StaticEmbeddings":
        from strata.adapters.static_embeddings import StaticEmbeddings

        return StaticEmbeddings()

    @cached_property
    def embedder(self) -> "Embedder":
        """Text to vectors."""
        return self._static

    @cached_property
    def lexicon(self) -> "Lexicon":
        """What single words mean."""
        return self._static

    def close(self) -> None:
        """Close this process's connections, for good; a process that is forked later opens its own."""
        if "database" in self.__dict__:
            self.database.close()
        close_index = getattr(self.__dict__.get("index"), "close", None)
        if close_index is not None:
            close_index()
        for name in ("_dynamodb", "_dynamodb_streams"):
            if name in self.__dict__:
                self.__dict__[name].close()

    # --- services ---------------------------------------------------------------------------------

    @cached_property
    def totals(self) -> "Totals":
        """How much there is."""
        from strata.services.totals import Totals

        return Totals(self.table)

    @cached_property
    def rounds(self) -> "Rounds":
        """Calls side by side where a call is a round trip."""
        from strata.services.rounds import Rounds

        return Rounds(_ROUND_WIDTH if self.settings.remote else 0)

    @cached_property
    def freshness(self) -> "Freshness":
        """What the index does not show yet."""
        from strata.services.freshness import Freshness

        return Freshness(
            self.table, self.clock, self.rounds, refresh_seconds=self.settings.index_refresh_seconds
        )

    @cached_property
    def saving(self) -> "Saving":
        """Saves observations."""
        from strata.domain.ids import IdSource
        from strata.services.saving import Saving

        return Saving(
            self.table,
            self.clock,
            IdSource(),
            dedupe_window=self.settings.dedupe_window,
            redacting=self.settings.redact,
        )

    @cached_property
    def changing(self) -> "Changing":
        """Changes and deletes observations."""
        from strata.services.changing import Changing

        return Changing(
            self.table, self.clock, dedupe_window=self.settings.dedupe_window, redacting=self.settings.redact
        )

    @cached_property
    def reading(self) -> "Reading":
        """Reads observations."""
        from strata.services.reading import Reading

        return Reading(self.table, self.totals, self.rounds)

    @cached_property
    def searching(self) -> "Searching":
        """Finds observations."""
        from strata.services.searching import Searching

        return Searching(
            self.reading,
            self.index,
            self.freshness,
            self.rounds,
            self.embedder,
            self.lexicon,
            params=self._ranking(),
            candidates=self.settings.candidates,
        )

    def _ranking(self) -> "RankingParams":
        from strata.domain.ranking.params import RankingParams

        try:
            return RankingParams(**self.settings.ranking)  # type: ignore[arg-type]
        except TypeError as error:
            raise settings_module.SettingsError(f"STRATA_RANKING: {error}") from None

    @cached_property
    def sessions(self) -> "Sessions":
        """Starts and ends sessions."""
        from strata.services.sessions import Sessions

        return Sessions(self.table, self.clock, self.totals, redacting=self.settings.redact)

    @cached_property
    def assembly(self) -> "ContextAssembly":
        """Assembles contexts."""
        from strata.services.context import ContextAssembly

        return ContextAssembly(self.sessions, self.searching, self.reading, self.rounds)

    @cached_property
    def indexing(self) -> "Indexing":
        """Keeps the index true."""
        from strata.services.indexing import Indexing
        from strata.services.rounds import Rounds

        # threads of its own: a server that indexes beside its requests must not keep these waiting
        rounds = Rounds(_INDEXING_WIDTH if self.settings.store == "dynamodb" else 0)
        return Indexing(self.table, self.index, self.embedder, rounds)

    @cached_property
    def keys(self) -> "Keys":
        """The directory of API keys."""
        from strata.services.keys import Keys

        return Keys(self.table, self.clock)

    @cached_property
    def tokens(self) -> "TokenVerifier | None":
        """Checks the tokens of the issuer that the settings trust, if they name one."""
        issuer, audience = self.settings.jwt_issuer, self.settings.jwt_audience
        if issuer is None or audience is None:
            return None
        try:
            from strata.adapters.jwks import KeySet
            from strata.adapters.jwt_tokens import JwtVerifier
        except ModuleNotFoundError as missing:
            advice = "pip install 'strata-memory[jwt]' brings it"
            raise settings_module.SettingsError(
                f"STRATA_JWT_ISSUER: {missing.name} is not installed; {advice}"
            ) from None
        keys = KeySet(self.settings.jwks_place, self.clock)
        return JwtVerifier(issuer=issuer, audience=audience, keys=keys)

    @cached_property
    def admission(self) -> "Admission":
        """Decides who may enter."""
        from strata.services.admission import Admission, ClaimNames

        names = self.settings
        claims = ClaimNames(names.jwt_tenant_claim, names.jwt_scopes_claim, names.jwt_identity_claim)
        return Admission(self.keys, self.tokens, claims)

    # --- handlers, one for each function ----------------------------------------------------------

    @cached_property
    def observing(self) -> "Observing":
        """What the handlers say of themselves. Log lines become JSON here where they shall be."""
        from strata.entrypoints.observing import Observing

        metrics = None
        if self.settings.log_format == "json":
            from strata.entrypoints.observing import logs

            logs.set_up(self.settings.log_format, self.settings.log_level)
        if self.settings.metrics == "emf":
            from strata.entrypoints.observing.metrics import Metrics

            metrics = Metrics(self.settings.stage)
        return Observing(self.clock, metrics, trace_text=self.settings.trace_text)

    @cached_property
    def _caller(self) -> "Caller":
        from strata.entrypoints.http.identity import authorized, keyless

        return authorized if self.settings.auth == "required" else keyless(self.settings.tenant)

    def authorizer_handler(self) -> "Authorizer":
        """functions/authorizer."""
        from strata.entrypoints.authorizer import authorizer_handler

        return self.observing.around(authorizer_handler(self.admission))

    def save_handler(self) -> "Handler":
        """functions/save."""
        from strata.entrypoints.http.saving import saving_handler

        return saving_handler(self._caller, self.observing, self.saving, self.changing)

    def search_handler(self) -> "Handler":
        """functions/search."""
        from strata.entrypoints.http.searching import searching_handler

        mode = Mode(self.settings.search_mode)
        return searching_handler(
            self._caller, self.observing, self.searching, self.reading, default_mode=mode
        )

    def context_handler(self) -> "Handler":
        """functions/context."""
        from strata.entrypoints.http.context import context_handler

        return context_handler(self._caller, self.observing, self.assembly)

    def sessions_handler(self) -> "Handler":
        """functions/sessions."""
        from strata.entrypoints.http.sessions import sessions_handler

        return sessions_handler(self._caller, self.observing, self.sessions)

    def session_end_handler(self) -> "Handler":
        """functions/session_end."""
        from strata.entrypoints.http.sessions import session_end_handler

        return session_end_handler(self._caller, self.observing, self.sessions)

    def transfer_handler(self) -> "Handler":
        """functions/transfer."""
        from strata.entrypoints.http.transfer import transfer_handler
        from strata.services.exporting import Exporting
        from strata.services.importing import Importing

        importing = Importing(
            self.table, self.clock, dedupe_window=self.settings.dedupe_window, redacting=self.settings.redact
        )
        return transfer_handler(
            self._caller, self.observing, Exporting(self.table, self.clock, self.totals), importing
        )

    def health_handler(self) -> "Handler":
        """functions/health."""
        from strata.entrypoints.http.health import health_handler
        from strata.entrypoints.http.openapi import document
        from strata.services.health import HealthCheck

        check = HealthCheck(self._probes(), self.clock)
        return health_handler(self._caller, self.observing, check, self.totals, document)

    def indexer_handler(self) -> "Callable[..., dict[str, Any]]":
        """functions/indexer."""
        from strata.entrypoints.stream import stream_handler
        from strata.services.settling import Settling

        consumers = [self.indexing.follow, Settling(self.totals, self.freshness).settle]
        return stream_handler(consumers, self.redrive_queue, self.observing)

    def _probes(self) -> "dict[str, Callable[[], object]]":
        """A cheap question to each store."""
        from strata.domain.scope import Scope
        from strata.ports import Key, SearchQuery

        scope = Scope(self.settings.tenant)
        return {
            "table": lambda: self.table.get(scope, Key("HEALTH", "PROBE")),
            "index": lambda: self.index.search(scope, SearchQuery("health", terms=("probe",), limit=1)),
        }

    def openapi(self) -> dict[str, Any]:
        """The API's description, made from the routes of every function."""
        from strata.entrypoints.http.api import Api
        from strata.entrypoints.http.openapi import merged

        handlers = (
            self.sessions_handler(),
            self.session_end_handler(),
            self.save_handler(),
            self.search_handler(),
            self.context_handler(),
            self.transfer_handler(),
            self.health_handler(),
        )
        return merged([handler for handler in handlers if isinstance(handler, Api)])

    # --- the operator's work ----------------------------------------------------------------------

    @cached_property
    def upkeep(self) -> "Upkeep":
        """Rebuilds, redrives, checks."""
        from strata.services.upkeep import Upkeep

        return Upkeep(
            self.census,
            self.table,
            self.index,
            self.redrive_queue,
            self.clock,
            self.indexing,
            self.totals,
            self.freshness,
            shown=lambda: time.sleep(self.settings.index_refresh_seconds),
        )


@cache
def application() -> Application:
    """The application of this process, wired by its environment."""
    return Application(settings_module.load())
