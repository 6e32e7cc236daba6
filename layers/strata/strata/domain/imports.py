"""What an import brings: our own export, or another store's."""

from typing import Annotated

from pydantic import Field

from strata.domain.fields import Count, Ident, Moment, Number, OptionalIdent, OptionalMoment, Project, Summary
from strata.domain.models import NewObservation, Wire

MAX_IMPORT = 50_000
"""Rows of a kind in one import: more than a page of an export has room for."""


class ImportedSession(Wire):
    """A session from another store, or from our own export."""

    id: Ident
    project: Project
    started_at: Moment
    ended_at: OptionalMoment = None
    summary: Summary | None = None
    message_count: Number = 0
    agent_id: OptionalIdent = None
    user_id: OptionalIdent = None


class ImportedObservation(NewObservation):
    """An observation from another store, or from our own export."""

    id: Number = 0
    revision_count: Count = 1
    duplicate_count: Count = 1
    created_at: OptionalMoment = None
    updated_at: OptionalMoment = None
    last_seen_at: OptionalMoment = None


class Import(Wire):
    """What /export gave, here or elsewhere."""

    sessions: Annotated[list[ImportedSession], Field(max_length=MAX_IMPORT)] | None = None
    observations: Annotated[list[ImportedObservation], Field(max_length=MAX_IMPORT)] | None = None
