"""Exports and imports as they go over the wire."""

from typing import Annotated

from pydantic import Field

from strata.domain.wire.base import Wire
from strata.domain.wire.fields import (
    Count,
    Ident,
    Moment,
    Number,
    OptionalIdent,
    OptionalMoment,
    Project,
    Summary,
)
from strata.domain.wire.observations import NewObservation, Observation
from strata.domain.wire.sessions import Session

MAX_IMPORT = 50_000
"""The most rows of a kind in one import: more than fit a page of an export."""


class Export(Wire):
    """A page of an export; `next` is the cursor of the following page."""

    exported_at: str
    sessions: list[Session]
    observations: list[Observation]
    next: str | None = None


class ImportedSession(Wire):
    """A session from an export, of this or another store."""

    id: Ident
    project: Project
    started_at: Moment
    ended_at: OptionalMoment = None
    summary: Summary | None = None
    message_count: Number = 0
    agent_id: OptionalIdent = None
    user_id: OptionalIdent = None


class ImportedObservation(NewObservation):
    """An observation from an export, of this or another store."""

    id: Number = 0
    revision_count: Count = 1
    duplicate_count: Count = 1
    created_at: OptionalMoment = None
    updated_at: OptionalMoment = None
    last_seen_at: OptionalMoment = None


class Import(Wire):
    """An export, of this or another store."""

    sessions: Annotated[list[ImportedSession], Field(max_length=MAX_IMPORT)] | None = None
    observations: Annotated[list[ImportedObservation], Field(max_length=MAX_IMPORT)] | None = None


class Imported(Wire):
    """The numbers of rows that an import added."""

    imported_sessions: int
    imported_observations: int
