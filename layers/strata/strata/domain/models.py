"""What goes over the wire, with its limits. Services take and give these; the client decodes them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strata.domain.fields import (
    Content,
    Ident,
    Kind,
    OptionalIdent,
    OptionalKind,
    OptionalTopicKey,
    Project,
    Tags,
    Title,
)
from strata.domain.messages import Message
from strata.domain.retrieval import Method

MAX_ROWS = 1000
MAX_QUERY = 10_000
CONTEXT_QUERY_RUNES = 500
CONTEXT_CONTENT_RUNES = 300
GLOBAL_SCOPE = "global"
PROJECT_SCOPE = "project"


class Wire(BaseModel):
    """Unknown fields are ignored: clients of five systems send their own."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


# --- sessions -------------------------------------------------------------------------------------


class NewSession(Wire):
    """Start a session. The same id again changes nothing."""

    id: Ident
    project: Project
    agent_id: OptionalIdent = None
    user_id: OptionalIdent = None
    auto_summarize: bool = Field(True, alias="autoSummarize")
    """False: the session ends without a summary."""
    persist: bool = True
    """False: nothing of this session is kept."""


class Session(Wire):
    """A session; `summary` and `ended_at` appear once it has ended. Times are RFC 3339 UTC."""

    id: str
    project: str
    started_at: str
    ended_at: str | None = None
    summary: str | None = None
    message_count: int = 0
    agent_id: str | None = None
    user_id: str | None = None


class SessionEnd(Wire):
    """End a session with its transcript; an empty or absent list is legal."""

    messages: Annotated[list[Message] | None, Field(max_length=10_000)] = None
    agent_id: OptionalIdent = None
    user_id: OptionalIdent = None


class EndedSession(Wire):
    """What ending a session gives back."""

    session_id: str
    summary: str
    message_count: int


# --- observations ---------------------------------------------------------------------------------


class NewObservation(Wire):
    """Save what was learnt."""

    session_id: Ident
    type: Kind
    title: Title
    content: Content
    project: Project
    tags: Tags | None = None
    scope: OptionalKind = None
    topic_key: OptionalTopicKey = None
    user_id: OptionalIdent = None


class ObservationChange(Wire):
    """Change an observation; what is not named stays."""

    type: Kind | None = None
    title: Title | None = None
    content: Content | None = None
    tags: Tags | None = None


class SavedObservation(Wire):
    """What a save did. `skipped` is for a session that keeps nothing; its id is 0."""

    id: int
    action: Literal["created", "updated", "deduplicated", "skipped"]
    revision_count: int
    duplicate_count: int


class Observation(Wire):
    """A saved observation. Times are RFC 3339 UTC."""

    id: int
    session_id: str
    type: str
    title: str
    content: str
    tags: list[str] | None = None
    project: str
    scope: str
    topic_key: str | None = None
    user_id: str | None = None
    normalized_hash: str
    revision_count: int
    duplicate_count: int
    last_seen_at: str
    created_at: str
    updated_at: str


class SearchHit(Wire):
    """One hit: `rank` is its score with the sign turned, lower is better; `method` says what found it."""

    id: int
    type: str
    title: str
    content: str
    rank: float
    method: Method
    topic_key: str | None = None


class TimelineEntry(Wire):
    """An observation among its neighbours in time."""

    id: int
    type: str
    title: str
    content: str
    created_at: str


# --- context --------------------------------------------------------------------------------------


class ContextSession(Wire):
    """The summary of a recent session."""

    summary: str


class ContextObservation(Wire):
    """An observation as it is injected; its content is cut to 300 runes."""

    type: str
    title: str
    content: str


class Context(Wire):
    """What an agent's prompt gets."""

    recent_sessions: list[ContextSession]
    recent_observations: list[ContextObservation]


# --- the whole ------------------------------------------------------------------------------------


class Stats(Wire):
    """How much there is; `projects` lists every project of the tenant by name."""

    total_sessions: int
    total_observations: int
    projects: list[str]


class Export(Wire):
    """One page of everything; `next` is the cursor of the following page."""

    exported_at: str
    sessions: list[Session]
    observations: list[Observation]
    next: str | None = None


class Imported(Wire):
    """How many rows an import added."""

    imported_sessions: int
    imported_observations: int


class ServiceHealth(Wire):
    """How one dependency answers; `response_time` in milliseconds."""

    model_config = ConfigDict(serialize_by_alias=True)

    status: Literal["ok", "degraded", "down"]
    response_time: float = Field(alias="responseTime")


class Health(Wire):
    """The service's own state."""

    status: Literal["ok", "degraded"]
    services: dict[str, ServiceHealth]
    timestamp: str
