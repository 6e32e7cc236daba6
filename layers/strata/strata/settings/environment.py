"""The only place that reads the environment.

Every setting is named `STRATA_...`; documented names of other memory systems for the same setting are
accepted, too, after ours.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import gettempdir
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, model_validator

from strata.domain.guarding import Policy
from strata.domain.relevance.floors import CONTEXT_FLOOR, SEARCH_FLOOR
from strata.domain.retrieval import DEFAULT_CANDIDATES, MAX_CANDIDATES
from strata.domain.times import DAY
from strata.domain.wire.fields import MAX_IDENT, MAX_TAG
from strata.domain.wire.working_memory import MAX_TTL
from strata.settings.models import EmbeddingSettings, LanguageSettings, of_task
from strata.settings.stores import DynamoSettings, OpenSearchSettings
from strata.settings.values import LogLevel, Origins, Seconds, Tenant, Weights

_TASKS = frozenset(("consolidation", "judge"))
"""The tasks that may have a language model of their own."""
_PARTS = ("dynamodb", "opensearch", "embedding", "language")
"""Nested settings, read from the same environment."""

_LOOPBACK = {("http", "localhost"), ("http", "127.0.0.1"), ("http", "::1")}


def queue_setting(name: str) -> str:
    """The setting that holds the URL of a queue: STRATA_REDRIVE_QUEUE_URL of `redrive`."""
    return f"STRATA_{name.upper()}_QUEUE_URL"


class SettingsError(ValueError):
    """Settings have invalid values; the message names each one."""


class Settings(BaseModel):
    """All settings, with defaults for one machine.

    On AWS the template sets those that differ there (store, index, auth).
    """

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    host: str = Field("127.0.0.1", validation_alias=AliasChoices("STRATA_HOST", "MEMORY_HOST"))
    port: int = Field(7437, ge=0, le=65535, validation_alias=AliasChoices("STRATA_PORT", "MEMORY_PORT"))
    data: Path | None = Field(None, validation_alias="STRATA_DATA")
    workers: int = Field(0, ge=0, le=64, validation_alias="STRATA_WORKERS")
    """Server processes on one machine; 0 means one per processor, at least two."""
    allowed_hosts: str = Field("", validation_alias="STRATA_ALLOWED_HOSTS")
    """Additional names, comma separated, that the Host header may have."""
    allowed_origins: Origins = Field((), validation_alias="STRATA_ALLOWED_ORIGINS")
    """Origins of web pages that may call the local server, comma separated, as browsers send them."""

    auth: Literal["none", "required"] = Field("none", validation_alias="STRATA_AUTH")
    """`none`: every call belongs to `tenant`. `required`: the authorizer must admit it."""
    tenant: Tenant = Field("local", validation_alias="STRATA_TENANT")

    tenant_requests: float | None = Field(None, ge=0, validation_alias="STRATA_TENANT_REQUESTS")
    """Requests a second of each tenant, unless `strata tenants limit` says another number; None for any."""
    tenant_items: int | None = Field(None, ge=0, validation_alias="STRATA_TENANT_ITEMS")
    """Stored observations and sessions of each tenant, likewise."""

    jwt_issuer: str | None = Field(None, validation_alias="STRATA_JWT_ISSUER")
    """The issuer whose tokens are accepted beside API keys; `iss` must be exactly this."""
    jwt_audience: str | None = Field(None, validation_alias="STRATA_JWT_AUDIENCE")
    """A value that a token's `aud` must contain; required with an issuer."""
    jwt_tenant_claim: str = Field("tenant", validation_alias="STRATA_JWT_TENANT_CLAIM")
    jwt_scopes_claim: str = Field("scope", validation_alias="STRATA_JWT_SCOPES_CLAIM")
    jwt_identity_claim: str = Field("sub", validation_alias="STRATA_JWT_IDENTITY_CLAIM")
    jwks_url: str | None = Field(None, validation_alias="STRATA_JWKS_URL")
    """URL of the issuer's keys; by default `<issuer>/.well-known/jwks.json`."""

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
        "rules", pattern=r"^(rules|ner(:.+)?|spacy:[\w.-]+)$", validation_alias="STRATA_ENTITIES"
    )
    """The recognizer of entities: `rules`; `ner`, or `ner:` and a folder or bucket of models; or `spacy:`
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
    nli: bool = Field(True, validation_alias=AliasChoices("STRATA_NLI", "AGTOS_NLI_ENABLED"))
    """Whether a cross-encoder reads pairs of conclusions, where one is installed."""
    nli_model: str = Field("", validation_alias="STRATA_NLI_MODEL")
    """The folder, or `s3://bucket/prefix`, that `strata models add` wrote to; by default `models` in the data
    folder."""
    model_cache: Path = Field(Path(gettempdir()) / "strata-models", validation_alias="STRATA_MODEL_CACHE")
    """The folder for models that come from a bucket."""
    contradiction_pairs: int = Field(500, ge=1, le=500, validation_alias="STRATA_CONTRADICTION_PAIRS")
    """The most pairs of a person's conclusions that a sweep compares."""
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
    min_relevance: float = Field(CONTEXT_FLOOR, ge=0, le=1, validation_alias="STRATA_MIN_RELEVANCE")
    """The least relevance of a memory in a context, unless the call says another; 0 lets everything in."""
    search_min_relevance: float = Field(
        SEARCH_FLOOR, ge=0, le=1, validation_alias="STRATA_SEARCH_MIN_RELEVANCE"
    )
    """The same for searches."""
    context_fill: Literal["recent", "none"] = Field("recent", validation_alias="STRATA_CONTEXT_FILL")
    """Whether a plain context is filled up with the newest memories where too few are relevant."""
    pinned_tag: str = Field("", max_length=MAX_TAG, validation_alias="STRATA_PINNED_TAG")
    """Observations with this tag are in every context of their project, whatever is asked."""
    dynamodb: DynamoSettings = DynamoSettings()
    opensearch: OpenSearchSettings = OpenSearchSettings()
    maintenance_enabled: bool = Field(
        True, validation_alias=AliasChoices("STRATA_MAINTENANCE", "AGTOS_MAINTENANCE_ENABLED")
    )
    """Whether maintenance runs on schedule; in a deployment the template's parameter decides."""
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
    stale_days: int = Field(
        90, ge=1, le=3650, validation_alias=AliasChoices("STRATA_STALE_DAYS", "staleThresholdDays")
    )
    """Days without support after which a conclusion is stale."""
    redundancy: float = Field(0.85, ge=0.5, le=1, validation_alias="STRATA_REDUNDANCY")
    """The least Jaccard similarity of conclusions that are merged."""
    orphan_importance: float = Field(0.3, ge=0, le=1, validation_alias="STRATA_ORPHAN_IMPORTANCE")
    """Episodes below this importance that no conclusion rests on are counted as orphans."""
    prune_confidence: float = Field(
        0.3,
        ge=0,
        le=1,
        validation_alias=AliasChoices("STRATA_PRUNE_CONFIDENCE", "pruneConfidenceThreshold"),
    )
    """The confidence below which conclusions that the person did not state are hidden, and later deleted."""
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

    stage: str = Field("local", min_length=1, validation_alias="STRATA_STAGE")
    """Names the deployment in its metrics."""
    log_level: LogLevel = Field("INFO", validation_alias="STRATA_LOG_LEVEL")
    log_format: Literal["text", "json"] = Field("text", validation_alias="STRATA_LOG_FORMAT")
    """Plain lines on stderr for a person, or JSON on stdout for CloudWatch."""
    metrics: Literal["off", "emf"] = Field("off", validation_alias="STRATA_METRICS")
    """Whether metrics are logged in CloudWatch's embedded metric format."""
    trace_text: bool = Field(True, validation_alias="STRATA_TRACE_TEXT")
    """Whether spans carry query texts and titles."""
    otlp_endpoint: str = Field(
        "", validation_alias=AliasChoices("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
    )
    """The local server sends spans there; the exporter reads this and the other OTEL_ variables itself."""

    @model_validator(mode="before")
    @classmethod
    def _listen(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        """AgentOps gives host and port as one address, `:7437` or `0.0.0.0:7437`."""
        listen = values.get("MEMORY_LISTEN")
        if not isinstance(listen, str):
            return values
        host, _, port = listen.rpartition(":")
        return {"MEMORY_PORT": port, "MEMORY_HOST": host or "0.0.0.0"} | dict(values)  # noqa: S104

    @model_validator(mode="before")
    @classmethod
    def _points(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        """agtOS gives the importance of orphans in points, which are tenths."""
        points = values.get("orphanImportanceThreshold")
        if not isinstance(points, str) or not points.replace(".", "", 1).isdigit():
            return values
        return {"STRATA_ORPHAN_IMPORTANCE": float(points) / 10} | dict(values)

    @model_validator(mode="before")
    @classmethod
    def _nested(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        parts = dict.fromkeys(_PARTS, values) | {
            "consolidation": of_task("CONSOLIDATION", values),
            "judge": of_task("JUDGE", values, slot="MAINTENANCE"),
        }
        return parts | dict(values)

    @model_validator(mode="before")
    @classmethod
    def _queues(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        """Collect the URLs of queues: the template declares them, so they have no fields."""
        first, last = queue_setting("|").split("|")
        urls = {name: values[name] for name in values if name.startswith(first) and name.endswith(last)}
        return {"queue_urls": urls} | dict(values)

    @model_validator(mode="after")
    def _engine(self) -> Self:
        if self.index == "opensearch" and not self.opensearch.url:
            raise ValueError("STRATA_INDEX=opensearch needs STRATA_OPENSEARCH_URL")
        if self.store == "dynamodb" and not self.dynamodb.table:
            raise ValueError("STRATA_STORE=dynamodb needs STRATA_TABLE")
        return self

    @property
    def parameters(self) -> dict[str, object]:
        """The explicitly set values by the names of the template's parameters: the fields' in CamelCase.

        `maintenance_schedule` is the value of the parameter `MaintenanceSchedule`, if it exists.
        """
        given = {name: getattr(self, name) for name in self.model_fields_set}
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

    @model_validator(mode="after")
    def _issuer(self) -> Self:
        if self.jwt_issuer is None:
            return self
        if self.jwt_audience is None:
            raise ValueError("STRATA_JWT_ISSUER needs STRATA_JWT_AUDIENCE: else tokens for others open this")
        place = urlsplit(self.jwks_place)
        if place.scheme != "https" and (place.scheme, place.hostname) not in _LOOPBACK:
            raise ValueError(f"the issuer's keys must come over https, not from {self.jwks_place}")
        return self

    @property
    def jwks_place(self) -> str:
        """The URL of the issuer's keys."""
        return self.jwks_url or f"{(self.jwt_issuer or '').rstrip('/')}/.well-known/jwks.json"

    @property
    def data_dir(self) -> Path:
        """The data folder of one machine."""
        if self.data is not None:
            return self.data.expanduser()
        from platformdirs import user_data_path  # noqa: PLC0415 - not needed on Lambda

        return user_data_path("strata")

    def model_place(self, kind: str) -> str:
        """The folder or `s3://bucket/prefix` that keeps the models of a kind ("nli", "ner")."""
        named = self.nli_model if kind == "nli" else self.entities.partition("ner:")[2]
        return named or str(self.data_dir / "models")


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings of this process.

    Raises:
        SettingsError: one or more values are invalid; the message names every one.
    """
    given = os.environ if environ is None else environ
    source = {name: value for name, value in given.items() if value != ""}
    try:
        return Settings.model_validate(source)
    except ValidationError as error:
        found = error.errors()
        if any("language" in each["loc"] for each in found):  # the models of tasks inherit it
            found = [each for each in found if _TASKS.isdisjoint(map(str, each["loc"]))]
        problems = "; ".join(_problem(each["loc"], each["msg"]) for each in found)
        raise SettingsError(f"unusable settings: {problems}") from None


def _problem(place: tuple[int | str, ...], message: str) -> str:
    """One problem; one of several settings together has no location."""
    names = [str(part) for part in place if part not in (*_PARTS, *_TASKS, "queue_urls")]
    told = ": ".join([*names[:1], message.removeprefix("Value error, ")])
    task = next((each.upper() for each in place if each in _TASKS), "")
    return told.replace("STRATA_MODEL", f"STRATA_{task}_MODEL") if task else told
