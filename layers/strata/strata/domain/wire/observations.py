"""Observations as they go over the wire: saved, changed, searched, and listed by time."""

from typing import Literal

from strata.domain.filters import Scalar
from strata.domain.retrieval import Method
from strata.domain.wire.base import Wire
from strata.domain.wire.fields import (
    Content,
    Label,
    Metadata,
    NewIdent,
    NewProject,
    OptionalNewIdent,
    OptionalNewLabel,
    OptionalTopicKey,
    Tags,
    Title,
)

GLOBAL_SCOPE = "global"
PROJECT_SCOPE = "project"


class NewObservation(Wire):
    """An observation to save."""

    session_id: NewIdent
    type: Label
    title: Title
    content: Content
    project: NewProject
    tags: Tags | None = None
    scope: OptionalNewLabel = None
    topic_key: OptionalTopicKey = None
    user_id: OptionalNewIdent = None
    agent_id: OptionalNewIdent = None
    metadata: Metadata | None = None


class ObservationChange(Wire):
    """A change to an observation. Absent fields stay as they are.

    `superseded: false` gives back an observation that a newer one superseded, until its content changes.
    """

    type: Label | None = None
    title: Title | None = None
    content: Content | None = None
    tags: Tags | None = None
    metadata: Metadata | None = None
    superseded: Literal[False] | None = None


class SavedObservation(Wire):
    """The result of a save. `skipped` means that the session stores nothing; then the id is 0."""

    id: int
    action: Literal["created", "updated", "deduplicated", "skipped"]
    revision_count: int
    duplicate_count: int


class Observation(Wire):
    """A saved observation. Times are RFC 3339 UTC.

    One that a newer observation superseded names it, the reason and when it was marked.
    """

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
    agent_id: str | None = None
    metadata: dict[str, Scalar] | None = None
    normalized_hash: str
    revision_count: int
    duplicate_count: int
    last_seen_at: str
    created_at: str
    updated_at: str
    superseded_by: int | None = None
    superseded_reason: str | None = None
    superseded_at: str | None = None


class SearchHit(Wire):
    """A hit: `rank` is the negated score, lower is better; `method` says how it was found.

    `relevance` is the probability that the memory answers the query, 0 to 1; it means the same for every kind
    of memory and every query.
    """

    id: int
    type: str
    title: str
    content: str
    rank: float
    method: Method
    relevance: float = 0.0
    topic_key: str | None = None
    superseded_by: int | None = None
    metadata: dict[str, Scalar] | None = None


class TimelineEntry(Wire):
    """An observation among its neighbours in time."""

    id: int
    type: str
    title: str
    content: str
    created_at: str
