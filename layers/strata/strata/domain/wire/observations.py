"""Observations as they go over the wire: saved, changed, found, in order of time."""

from typing import Literal

from strata.domain.retrieval import Method
from strata.domain.wire.base import Wire
from strata.domain.wire.fields import (
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

GLOBAL_SCOPE = "global"
PROJECT_SCOPE = "project"


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
