"""Episodes as they go over the wire, in the shapes of AEGIS and of agtOS."""

import json
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    BeforeValidator,
    Field,
    FiniteFloat,
    StringConstraints,
    WithJsonSchema,
)

from strata.domain.retrieval import Method
from strata.domain.wire.base import Wire
from strata.domain.wire.exact_json import size, to_text
from strata.domain.wire.fields import (
    MAX_CONTENT,
    MAX_IDENT,
    MAX_QUERY,
    MAX_SUMMARY,
    SOME_TEXT,
    Clamped,
    Ident,
    NewIdent,
    NotBlank,
    OptionalIdent,
    OptionalLabel,
    OptionalNewIdent,
    OptionalNewProject,
    OptionalProject,
    Tags,
    matching,
    no_flag,
)

DEFAULT_OWNER = "default"
"""The owner of episodes that were stored without a user (agtOS)."""
CONVERSATION = "conversation"
RESPONSE_INGEST = "RESPONSE_INGEST"

MAX_NOTES = 100
MAX_NOTE_BYTES = 2000
MAX_TTL_DAYS = 3650
USUAL_IMPORTANCE = 0.5
"""Importance of an episode that a client stores without naming one."""

MatchType = Literal["keyword", "semantic", "hybrid"]
_MATCH_TYPES: dict[Method, MatchType] = {Method.BM25: "keyword", Method.HYBRID: "hybrid"}


def match_type(method: Method) -> MatchType:
    """The name that agtOS has for the method that found an episode."""
    return _MATCH_TYPES.get(method, "semantic")


def _noted(value: Any) -> Any:
    if not isinstance(value, str | dict) or not value:
        raise ValueError("should be a text or an object, and not empty")
    text = to_text(value)
    if size(text) > MAX_NOTE_BYTES:
        raise ValueError(f"should have at most {MAX_NOTE_BYTES} bytes as JSON")
    if text != json.dumps(value, ensure_ascii=False, separators=(",", ":")):
        raise ValueError("must be Unicode text, without lone surrogates")
    return value


def _counted(value: Any) -> Any:
    """The number of items, when a list is given in place of a number."""
    return len(value) if isinstance(value, list) else no_flag(value)


Note = Annotated[
    Annotated[str, matching(SOME_TEXT)]
    | Annotated[dict[str, Any], Field(json_schema_extra={"minProperties": 1})],
    BeforeValidator(_noted),
]
"""A key decision or an entity: a text or any JSON object, of at most 2 000 bytes."""
Notes = Annotated[list[Note], Field(max_length=MAX_NOTES)]
Said = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_SUMMARY),
    NotBlank,
    matching(SOME_TEXT),
]
Importance = Annotated[FiniteFloat, Field(ge=0, le=1), BeforeValidator(no_flag)]
Topic = Annotated[str, StringConstraints(max_length=MAX_IDENT)]
Counted = Annotated[
    int,
    BeforeValidator(_counted),
    Field(ge=0),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "array", "items": {}}]}),
]


class NewEpisode(Wire):
    """An episode that a client stores. It is kept for good unless `ttl_days` is given.

    Missing keywords and a missing topic are extracted by rules. Importance is 0 to 1. Without a project it
    has that of its conversation's session.
    """

    conversation_id: NewIdent
    agent_id: NewIdent
    user_id: OptionalNewIdent = None
    project: OptionalNewProject = None
    summary: Said
    key_decisions: Notes | None = None
    entities: Notes | None = None
    tools_used: Annotated[list[Ident], Field(max_length=MAX_NOTES)] | None = None
    importance: Importance | None = None
    keywords: Tags | None = None
    topic: Topic | None = None
    type: OptionalLabel = None
    ttl_days: Annotated[int, Field(ge=1, le=MAX_TTL_DAYS), BeforeValidator(no_flag)] | None = None


class StoredEpisode(Wire):
    """The id of a stored episode; `ep-0` if the session stores nothing."""

    id: str


class EpisodeQuery(Wire):
    """A search over an agent's episodes; of one user, and of one project or none, where these are named."""

    query: Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUERY)]
    agent_id: Ident
    user_id: OptionalIdent = None
    project: OptionalProject = None
    top_k: Annotated[int, Clamped(100)] = 5


class Episode(Wire):
    """An episode. `timestamp` is its creation in Unix milliseconds; importance is 0 to 1.

    `project` is the one that it was stored with, else its session's; missing where there is neither.
    """

    id: str
    summary: str
    keywords: list[str]
    topic: str
    timestamp: int
    importance: float
    type: str
    conversation_id: str
    agent_id: str | None = None
    user_id: str | None = None
    project: str | None = None
    key_decisions: list[Any] | None = None
    entities: list[Any] | None = None
    tools_used: list[str] | None = None


class SimilarEpisode(Episode):
    """An episode with its cosine similarity to the query."""

    similarity: float


class SimilarEpisodes(Wire):
    """The results of a search by similarity, best first."""

    results: list[SimilarEpisode]


class ConversationEpisodes(Wire):
    """The episodes of a conversation, oldest first."""

    episodes: list[Episode]


class RecentEpisodes(Wire):
    """A user's latest episodes, newest first; `available` is false while the search index is unavailable."""

    episodes: list[Episode]
    count: int
    available: bool


class MatchingEpisode(Episode):
    """An episode with its score and the method that found it."""

    score: float
    match_type: MatchType = Field(alias="matchType")


class MatchingEpisodes(Wire):
    """The results of a search over a user's episodes, best first."""

    query: str
    results: list[MatchingEpisode]
    count: int


class ForgottenEpisode(Wire):
    """The answer to the deletion of an episode."""

    deleted: bool
    episode_id: str = Field(alias="episodeId")


class NewIngest(Wire):
    """An agent's response, stored if it scores high enough. Calls and steps may be lists or numbers."""

    session_id: NewIdent
    response: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_CONTENT),
        NotBlank,
        matching(SOME_TEXT),
    ]
    tool_calls: Counted | None = None
    steps: Counted | None = None
    user_id: OptionalNewIdent = Field(None, validation_alias=AliasChoices("user_id", "userId"))


class Ingested(Wire):
    """Whether the response was stored, its importance, and the id of its episode."""

    ingested: bool
    importance: float
    id: str | None = None


def words_of(note: Any) -> str:
    """All texts inside a key decision or an entity, in order."""
    if isinstance(note, str):
        return note
    if isinstance(note, dict):
        return " ".join(filter(None, map(words_of, note.values())))
    if isinstance(note, list):
        return " ".join(filter(None, map(words_of, note)))
    return ""
