"""What goes over the wire, with its limits. Services take and give these; the client decodes them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from strata.domain.retrieval import Method
from strata.domain.text import microseconds, project_name

MAX_ROWS = 1000
MAX_IDENT = 200
MAX_TITLE = 500
MAX_CONTENT = 50_000
MAX_TAG = 100
MAX_SUMMARY = 10_000
MAX_QUERY = 10_000
CONTEXT_QUERY_RUNES = 500
CONTEXT_CONTENT_RUNES = 300
GLOBAL_SCOPE = "global"
PROJECT_SCOPE = "project"


def _printable(value: str) -> str:
    if any(ord(character) < 32 or ord(character) == 127 for character in value):
        raise ValueError("must not contain control characters")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be blank")
    return value


def _storable(value: datetime) -> datetime:
    if not 0 < microseconds(value) < 2**53:
        raise ValueError("must lie between 1970 and 2255")
    return value


def _project_name(value: str) -> str:
    name = project_name(value)
    if len(name) > MAX_IDENT:  # lower case may be longer: one character becomes two in "İ"
        raise ValueError(f"should have at most {MAX_IDENT} characters in lower case")
    return name


def _empty_is_absent(value: object) -> object:
    return None if value == "" else value


_NotBlank = AfterValidator(_not_blank)
_Printable = AfterValidator(_printable)

Ident = Annotated[str, StringConstraints(min_length=1, max_length=MAX_IDENT), _NotBlank, _Printable]
"""An id, reference or ledger item: 1-200 characters of any script."""
Project = Annotated[Ident, AfterValidator(_project_name)]
Title = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TITLE), _NotBlank]
Content = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CONTENT), _NotBlank]
Kind = Annotated[str, StringConstraints(min_length=1, max_length=50), _NotBlank, _Printable]
TopicKey = Annotated[str, StringConstraints(min_length=1, max_length=MAX_IDENT), _NotBlank, _Printable]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TAG), _NotBlank]
Tags = Annotated[list[Tag], Field(max_length=20)]

Moment = Annotated[datetime, AfterValidator(_storable)]
"""A time between 1970 and 2255; one without a time zone is UTC."""

OptionalIdent = Annotated[Ident | None, BeforeValidator(_empty_is_absent)]
ObservationId = Annotated[int, Field(ge=1, le=2**53 - 1)]


class _Wire(BaseModel):
    """Unknown fields are ignored: clients of five systems send their own."""

    model_config = ConfigDict(extra="ignore")


# --- sessions -------------------------------------------------------------------------------------


class NewSession(_Wire):
    """Start a session. The same id again changes nothing."""

    id: Ident
    project: Project
    agent_id: OptionalIdent = None
    user_id: OptionalIdent = None
    auto_summarize: bool = Field(True, alias="autoSummarize")
    """False: the session ends without a summary."""
    persist: bool = True
    """False: nothing of this session is kept."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class Session(_Wire):
    """A session; `summary` and `ended_at` appear once it has ended. Times are RFC 3339 UTC."""

    id: str
    project: str
    started_at: str
    ended_at: str | None = None
    summary: str | None = None
    message_count: int = 0
    agent_id: str | None = None
    user_id: str | None = None


def _words(content: Any) -> str:
    """The texts in a content of any depth, in order."""
    texts, left = [], [content]
    while left:
        part = left.pop()
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            left.append(part.get("text") or part.get("content"))
        elif isinstance(part, list):
            left += reversed(part)
    return " ".join(filter(None, texts))


def _encodable(content: Any) -> Any:
    try:
        _words(content).encode()
    except UnicodeEncodeError:
        raise ValueError("must be Unicode text, without lone surrogates") from None
    return content


class Message(_Wire):
    """One message of a transcript. Content that is not a plain string (parts, blocks) counts by its text."""

    role: Annotated[str, StringConstraints(min_length=1, max_length=50)]
    content: Annotated[Any, AfterValidator(_encodable)] = ""

    @property
    def text(self) -> str:
        """The words of the message."""
        return _words(self.content)


class SessionEnd(_Wire):
    """End a session with its transcript; an empty or absent list is legal."""

    messages: Annotated[list[Message] | None, Field(max_length=10_000)] = None
    agent_id: OptionalIdent = None
    user_id: OptionalIdent = None


class EndedSession(_Wire):
    """What ending a session gives back."""

    session_id: str
    summary: str
    message_count: int


# --- observations ---------------------------------------------------------------------------------


class NewObservation(_Wire):
    """Save what was learnt."""

    session_id: Ident
    type: Kind
    title: Title
    content: Content
    project: Project
    tags: Annotated[Tags | None, Field()] = None
    scope: Annotated[Kind | None, BeforeValidator(_empty_is_absent)] = None
    topic_key: Annotated[TopicKey | None, BeforeValidator(_empty_is_absent)] = None
    user_id: OptionalIdent = None


class ObservationChange(_Wire):
    """Change an observation; what is not named stays."""

    type: Kind | None = None
    title: Title | None = None
    content: Content | None = None
    tags: Tags | None = None


class SavedObservation(_Wire):
    """What a save did. `skipped` is for a session that keeps nothing; its id is 0."""

    id: int
    action: Literal["created", "updated", "deduplicated", "skipped"]
    revision_count: int
    duplicate_count: int


class Observation(_Wire):
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


class SearchHit(_Wire):
    """One hit: `rank` is its score with the sign turned, lower is better; `method` says what found it."""

    id: int
    type: str
    title: str
    content: str
    rank: float
    method: Method
    topic_key: str | None = None


class TimelineEntry(_Wire):
    """An observation among its neighbours in time."""

    id: int
    type: str
    title: str
    content: str
    created_at: str


# --- context --------------------------------------------------------------------------------------


class ContextSession(_Wire):
    """The summary of a recent session."""

    summary: str


class ContextObservation(_Wire):
    """An observation as it is injected; its content is cut to 300 runes."""

    type: str
    title: str
    content: str


class Context(_Wire):
    """What an agent's prompt gets."""

    recent_sessions: list[ContextSession]
    recent_observations: list[ContextObservation]


# --- the whole ------------------------------------------------------------------------------------


class Stats(_Wire):
    """How much there is; `projects` lists every project of the tenant by name."""

    total_sessions: int
    total_observations: int
    projects: list[str]


class Export(_Wire):
    """One page of everything; `next` is the cursor of the following page."""

    exported_at: str
    sessions: list[Session]
    observations: list[Observation]
    next: str | None = None


class ImportedSession(_Wire):
    """A session from another store, or from our own export."""

    id: Ident
    project: Project
    started_at: Moment
    ended_at: Moment | None = None
    summary: Annotated[str, StringConstraints(max_length=MAX_SUMMARY)] | None = None
    message_count: Annotated[int, Field(ge=0)] = 0
    agent_id: OptionalIdent = None
    user_id: OptionalIdent = None


class ImportedObservation(NewObservation):
    """An observation from another store, or from our own export."""

    id: Annotated[int, Field(ge=0, le=2**53 - 1)] = 0
    revision_count: Annotated[int, Field(ge=1)] = 1
    duplicate_count: Annotated[int, Field(ge=1)] = 1
    created_at: Moment | None = None
    updated_at: Moment | None = None
    last_seen_at: Moment | None = None


class Import(_Wire):
    """What /export gave, here or elsewhere."""

    sessions: Annotated[list[ImportedSession] | None, Field()] = None
    observations: Annotated[list[ImportedObservation] | None, Field()] = None


class Imported(_Wire):
    """How many rows an import added."""

    imported_sessions: int
    imported_observations: int


class ServiceHealth(_Wire):
    """How one dependency answers; `response_time` in milliseconds."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    status: Literal["ok", "degraded", "down"]
    response_time: float = Field(alias="responseTime")


class Health(_Wire):
    """The service's own state."""

    status: Literal["ok", "degraded"]
    services: dict[str, ServiceHealth]
    timestamp: str
