"""The adapters that the settings choose."""

from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from strata.installation import adding
from strata.settings import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.adapters.sqlite import SqliteDatabase, SqliteFirings, SqliteTable
    from strata.adapters.static_embeddings import StaticEmbeddings
    from strata.domain.assembly.budget import Tokenizer
    from strata.ports import (
        Bodies,
        Census,
        ChangeLog,
        Clock,
        Embedder,
        EmbeddingModel,
        LanguageModel,
        Lexicon,
        Queue,
        SearchIndex,
        Table,
        TokenVerifier,
    )


class Adapters:
    """Stores, queues, the clock, what makes vectors, who checks tokens.

    Tests pass their own by keyword (`table=...`, `clock=...`); the rest follows the settings.
    """

    def __init__(self, settings: Settings, **adapters: object) -> None:
        self.settings = settings
        self.__dict__.update(adapters)

    @cached_property
    def clock(self) -> "Clock":
        """The time."""
        from strata.adapters.clock import SystemClock

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
            return DynamoTable(
                self._dynamodb, chosen.table, self.clock, patience=chosen.patience, bodies=self.bodies
            )
        return self._sqlite_table

    @cached_property
    def bodies(self) -> "Bodies | None":
        """What is too large for a row of DynamoDB; None where there is no place for it."""
        chosen = self.settings.dynamodb
        if chosen.bodies_bucket:
            from functools import partial

            from strata.adapters.bodies.s3 import S3Bodies, make_client

            client = partial(make_client, endpoint=chosen.bodies_endpoint, region=chosen.region)
            return S3Bodies(chosen.bodies_bucket, client=client)
        if self.settings.data is not None or chosen.endpoint is not None:
            from strata.adapters.bodies.folder import FolderBodies

            return FolderBodies(self.settings.data_dir / "bodies")
        return None

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
            return open_index(lambda: self.embedding_model, **chosen)
        from strata.adapters.sqlite import SqliteSearchIndex

        return SqliteSearchIndex(self.database, lambda: self.embedding_model.name)

    def queue(self, name: str, *, max_deliveries: int | None = None) -> "Queue":
        """The queue of this name: `extraction` is what the template calls `ExtractionQueue`."""
        from strata.bootstrap.queues import open_queue

        return open_queue(self, name, max_deliveries)

    @cached_property
    def firings(self) -> "SqliteFirings":
        """When the schedules of this machine fired last."""
        from strata.adapters.sqlite import SqliteFirings

        return SqliteFirings(self.database, self.clock)

    @cached_property
    def redrive_queue(self) -> "Queue":
        """Where the indexer puts what it can't digest."""
        return self.queue("redrive")

    @cached_property
    def _static(self) -> "StaticEmbeddings":
        from strata.adapters.static_embeddings import StaticEmbeddings

        return StaticEmbeddings()

    @property
    def embedding_model(self) -> "EmbeddingModel":
        """What the embedder is, without loading what the static one reads."""
        from strata.ports import EmbeddingModel

        if self.settings.embedding.provider == "static" and "embedder" not in self.__dict__:
            from strata.adapters.static_embeddings import StaticEmbeddings

            return EmbeddingModel(StaticEmbeddings.model, StaticEmbeddings.dimensions)
        return EmbeddingModel(self.embedder.model, self.embedder.dimensions)

    @cached_property
    def embedder(self) -> "Embedder":
        """Text to vectors."""
        if self.settings.embedding.provider == "static":
            return self._static
        from strata.bootstrap.models import embedder

        return embedder(self.settings.embedding)

    @cached_property
    def language_model(self) -> "LanguageModel | None":
        """What is asked in plain words; None for no model."""
        if self.settings.language.provider == "none":
            return None
        from strata.bootstrap.models import language_model

        return language_model(self.settings.language)

    @cached_property
    def lexicon(self) -> "Lexicon":
        """What single words mean; nothing where another embedder is chosen and the table is left out."""
        if self.settings.embedding.provider != "static" and find_spec("wordllama") is None:
            from strata.adapters.no_word_vectors import NoWordVectors

            return NoWordVectors()
        return self._static

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """Counts tokens: a quarter of the characters, or by the file that the settings name."""
        from strata.domain.assembly.budget import by_characters

        if self.settings.tokenizer is None:
            return by_characters
        from strata.adapters.tokenizer import FileTokenizer

        try:
            return FileTokenizer(self.settings.tokenizer)
        except ValueError as error:
            raise SettingsError(f"STRATA_TOKENIZER: {error}") from None

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
            advice = f"{missing.name} is not installed; {adding('jwt')} brings it"
            raise SettingsError(f"STRATA_JWT_ISSUER: {advice}") from None
        keys = KeySet(self.settings.jwks_place, self.clock)
        return JwtVerifier(issuer=issuer, audience=audience, keys=keys)

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
