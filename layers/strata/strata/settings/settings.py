"""All settings: their names in the environment, types, limits and defaults.

Every setting is named `STRATA_...`; documented names of other memory systems for the same setting are
accepted, too, after ours.
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import gettempdir
from typing import Annotated, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from strata.domain.guarding import Policy
from strata.domain.retrieval import DEFAULT_CANDIDATES, MAX_CANDIDATES
from strata.domain.times import DAY
from strata.domain.wire.fields import MAX_IDENT, MAX_TAG
from strata.domain.wire.working_memory import MAX_TTL
from strata.settings.knowledge import KnowledgeSettings
from strata.settings.models import EmbeddingSettings, LanguageSettings, of_task
from strata.settings.observing import ObservingSettings
from strata.settings.server import ServerSettings
from strata.settings.stores import DynamoSettings, OpenSearchSettings
from strata.settings.tokens import TokenSettings
from strata.settings.values import Seconds, Tenant, Weights

TASKS = frozenset(("consolidation", "judge"))
"""The tasks that may have a language model of their own."""
PARTS = ("server", "tokens", "dynamodb", "opensearch", "embedding", "language", "knowledge", "observing")
"""Nested settings, read from the same environment."""


def queue_setting(name: str) -> str:
    """The setting that holds the URL of a queue: STRATA_REDRIVE_QUEUE_URL of `redrive`."""
    return f"STRATA_{name.upper()}_QUEUE_URL"


class Settings(BaseModel):
    """All settings, with defaults for one machine.

    On AWS the template sets those that differ there (store, index, auth).
    """

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    data: Path | None = Field(None, validation_alias="STRATA_DATA")
    server: ServerSettings = ServerSettings()

    auth: Literal["none", "required"] = Field("none", validation_alias="STRATA_AUTH")
    """`none`: every call belongs to `tenant`. `required`: the authorizer must admit it."""
    tenant: Tenant = Field("local", validation_alias="STRATA_TENANT")

    tenant_requests: float | None = Field(None, ge=0, validation_alias="STRATA_TENANT_REQUESTS")
    """Requests a second of each tenant, unless `strata tenants limit` says another number; None for any."""
    tenant_items: int | None = Field(None, ge=0, validation_alias="STRATA_TENANT_ITEMS")
    """Stored observations and sessions of each tenant, likewise."""

    tokens: TokenSettings = TokenSettings()
    """The issuer whose tokens are accepted beside API keys."""

    store: Literal["sqlite", "dynamodb"] = Field("sqlite", validation_alias="STRATA_STORE")
    """The store of the rows."""
    index: Literal["sqlite", "opensearch"] = Field("sqlite", validation_alias="STRATA_INDEX")
    """The store of the search index."""

    durability: Literal["process", "power"] = Field("process", validation_alias="STRATA_DURABILITY")
    """An acknowledged write survives the death of the process, or with `power` also a power failure."""
    dedupe_window: Seconds = Field(
        900, validation_alias=AliasChoices("STRATA_DEDUPE_WINDOW", "MEMORY_DEDUPE_WINDOW", "DEDUPE_WINDOW")
    )
    working_memory_ttl: Annotated[Seconds, Field(ge=1, le=MAX_TTL)] = Field(
        DAY, validation_alias=AliasChoices("STRATA_WORKING_MEMORY_TTL", "WORKING_MEMORY_TTL")
    )
    """Time to live of a conversation's working memory and ledger after the last read or write, in seconds."""
    episode_ttl: Annotated[Seconds, Field(ge=1)] = Field(30 * DAY, validation_alias="STRATA_EPISODE_TTL")
    """Time to live of derived episodes in seconds; episodes stored by hand never expire."""
    idle_session: Annotated[Seconds, Field(ge=60)] = Field(6 * 3600, validation_alias="STRATA_IDLE_SESSION")
    """Seconds without a change after which a session is ended, if facts are extracted from it."""
    erasure_settle: Annotated[Seconds, Field(le=900)] = Field(60, validation_alias="STRATA_ERASURE_SETTLE")
    """Seconds for which an erasure must find nothing more; longer than any writing call may take."""
    ingest_limit: int = Field(5, ge=1, le=1000, validation_alias="STRATA_INGEST_LIMIT")
    """Maximum of responses of one session that become episodes."""
    chats_home: Path | None = Field(None, validation_alias="STRATA_CHATS_HOME")
    """The home whose tools' chats a server without authorization imports; by default that of its user."""
    redact: bool = Field(True, validation_alias="STRATA_REDACT")
    require_dpa: bool = Field(False, validation_alias="STRATA_REQUIRE_DPA")
    """Whether a tenant must have accepted the data processing agreement before a language model is asked."""
    entities: str = Field(
        "builtin", pattern=r"^(builtin|ner(:.+)?|spacy:[\w.-]+)$", validation_alias="STRATA_ENTITIES"
    )
    """The recognizer of entities: `builtin`; `ner`, or `ner:` and a folder or bucket of models; or `spacy:`
    and the name of a pipeline."""
    supersede: bool = Field(False, validation_alias="STRATA_SUPERSEDE")
    """Whether an observation with another value of the same thing marks the older one as superseded."""
    agent_name: Annotated[str, Field(min_length=1, max_length=MAX_IDENT)] = Field(
        "strata", validation_alias=AliasChoices("STRATA_AGENT_NAME", "AGENT_NAME")
    )
    """The default app of sessions, and the server's name in the routes under /memory."""
    max_sessions: int = Field(
        1000, ge=1, le=100_000, validation_alias=AliasChoices("STRATA_MAX_SESSIONS", "MEMORY_MAX_SESSIONS")
    )
    """Maximum of sessions with events of an app; above it the oldest tenth is deleted."""
    max_session_events: int = Field(
        500,
        ge=1,
        le=100_000,
        validation_alias=AliasChoices("STRATA_MAX_SESSION_EVENTS", "MEMORY_MAX_SESSION_EVENTS"),
    )
    """Maximum of events of a session; the newest are kept."""

    embedding: EmbeddingSettings = EmbeddingSettings()
    language: LanguageSettings = LanguageSettings()
    consolidation: LanguageSettings = LanguageSettings()
    judge: LanguageSettings = LanguageSettings()
    """The embedder, the language model, and those that draw conclusions and judge contradictions."""
    model_cache: Path = Field(Path(gettempdir()) / "strata-models", validation_alias="STRATA_MODEL_CACHE")
    """The folder for models that come from a bucket."""
    event_bus: str = Field("", validation_alias="STRATA_EVENT_BUS")
    """The EventBridge bus that events are sent to."""
    event_webhook: str = Field(
        "",
        pattern=r"^(https://.+|http://(localhost|127\.0\.0\.1)(:\d+)?(/.*)?)?$",
        validation_alias="STRATA_EVENT_WEBHOOK",
    )
    """The URL that events are posted to, over https or on this machine."""
    search_mode: Literal["hybrid", "bm25", "vector"] = Field(
        "hybrid", validation_alias=AliasChoices("STRATA_SEARCH_MODE", "AGTOS_MEMORY_SEARCH_MODE")
    )
    min_relevance: float | None = Field(None, ge=0, le=1, validation_alias="STRATA_MIN_RELEVANCE")
    """The least relevance of a memory in a context, unless the call says another; 0 lets everything in. By
    default what fits the embedder."""
    search_min_relevance: float | None = Field(
        None, ge=0, le=1, validation_alias="STRATA_SEARCH_MIN_RELEVANCE"
    )
    """The same for searches."""
    rerank: bool = Field(True, validation_alias="STRATA_RERANK")
    """Whether a reranker reads what the rules are unsure of, before a context gives it."""
    context_fill: Literal["recent", "none"] = Field("recent", validation_alias="STRATA_CONTEXT_FILL")
    """Whether a plain context is filled up with the newest memories where too few are relevant."""
    pinned_tag: str = Field("", max_length=MAX_TAG, validation_alias="STRATA_PINNED_TAG")
    """Observations with this tag are in every context of their project, whatever is asked."""
    dynamodb: DynamoSettings = DynamoSettings()
    opensearch: OpenSearchSettings = OpenSearchSettings()
    maintenance_enabled: bool = Field(
        True, validation_alias=AliasChoices("STRATA_MAINTENANCE", "AGTOS_MAINTENANCE_ENABLED")
    )
    """Whether there is any maintenance, on schedule or by hand; on AWS the template's parameter sets it."""
    maintenance_schedule: str | None = Field(None, validation_alias="STRATA_MAINTENANCE_SCHEDULE")
    """Its schedule on one machine, `cron(...)` or `rate(...)`; by default the template's."""
    maintenance_timezone: str | None = Field(
        None, validation_alias=AliasChoices("STRATA_MAINTENANCE_TIMEZONE", "AGTOS_MAINTENANCE_TIMEZONE")
    )
    background_work_policy: Policy = Field(
        "auto",
        validation_alias=AliasChoices("STRATA_BACKGROUND_WORK_POLICY", "AGTOS_BACKGROUND_WORK_POLICY"),
    )
    """The policy by which background work may ask a language model on the same machine."""
    knowledge: KnowledgeSettings = KnowledgeSettings()
    """The thresholds of the sweep over conclusions about people."""
    queue_urls: dict[str, Annotated[str, Field(pattern="^https?://[^/]+/.+$")]] = Field(default_factory=dict)
    """SQS queues that replace those of this machine's store, by setting (`queue_setting`)."""
    index_refresh: Seconds | None = Field(None, validation_alias="STRATA_INDEX_REFRESH")
    """Seconds until the search engine shows a write; by default the engine's own."""
    candidates: int = Field(
        DEFAULT_CANDIDATES, ge=10, le=MAX_CANDIDATES, validation_alias="STRATA_CANDIDATES"
    )
    """Number of candidates that each side of a search passes to the ranking."""
    tokenizer: Path | None = Field(None, validation_alias="STRATA_TOKENIZER")
    """A tokenizer's file to count the tokens of contexts; without one four characters are a token."""

    ranking: Weights = Field(default_factory=dict, validation_alias="STRATA_RANKING")
    """Weights that override the measured ones, as `soft=0.4,session=0.5`; names and defaults are those of
    `strata.domain.ranking.params.RankingParams`."""

    observing: ObservingSettings = ObservingSettings()
    """Logs, metrics and spans."""

    @model_validator(mode="before")
    @classmethod
    def _nested(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        """Collect the URLs of queues, too: the template declares them, so they have no fields."""
        first, last = queue_setting("|").split("|")
        urls = {name: values[name] for name in values if name.startswith(first) and name.endswith(last)}
        parts = dict.fromkeys(PARTS, values) | {
            "consolidation": of_task("CONSOLIDATION", values),
            "judge": of_task("JUDGE", values, slot="MAINTENANCE"),
            "queue_urls": urls,
        }
        return parts | dict(values)

    @field_validator("dynamodb")
    @classmethod
    def _table(cls, dynamodb: DynamoSettings, others: ValidationInfo) -> DynamoSettings:
        if others.data.get("store") == "dynamodb" and not dynamodb.table:
            raise ValueError("STRATA_STORE=dynamodb needs STRATA_TABLE")
        return dynamodb

    @field_validator("opensearch")
    @classmethod
    def _engine(cls, opensearch: OpenSearchSettings, others: ValidationInfo) -> OpenSearchSettings:
        if others.data.get("index") == "opensearch" and not opensearch.url:
            raise ValueError("STRATA_INDEX=opensearch needs STRATA_OPENSEARCH_URL")
        return opensearch

    @property
    def parameters(self) -> dict[str, object]:
        """The explicitly set values by the names of the template's parameters: the fields' in CamelCase.

        `maintenance_schedule` is the value of the parameter `MaintenanceSchedule`, if it exists.
        """
        parts = (self, self.server, self.tokens, self.knowledge, self.observing)
        given = {name: getattr(part, name) for part in parts for name in part.model_fields_set}
        return {
            name.title().replace("_", ""): str(value).lower() if isinstance(value, bool) else value
            for name, value in given.items()
            if isinstance(value, str | int | float)
        }

    @property
    def index_refresh_seconds(self) -> int:
        """Seconds until a written document is visible; 0 for the embedded index."""
        if self.index_refresh is not None:
            return self.index_refresh
        return 0 if self.index == "sqlite" else self.opensearch.refresh_seconds

    @property
    def remote(self) -> bool:
        """Whether a store is remote."""
        return (self.store, self.index) != ("sqlite", "sqlite")

    @property
    def data_dir(self) -> Path:
        """The data folder of one machine."""
        if self.data is not None:
            return self.data.expanduser()
        from platformdirs import user_data_path  # noqa: PLC0415 - not needed on Lambda

        return user_data_path("strata")

    def model_place(self, kind: str) -> str:
        """The folder or `s3://bucket/prefix` that keeps the models of a kind ("nli", "ner")."""
        named = self.knowledge.nli_model if kind == "nli" else self.entities.partition("ner:")[2]
        return named or str(self.data_dir / "models")
