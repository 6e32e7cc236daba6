"""What an import brings: our own export, or another store's."""

from typing import Annotated

from pydantic import Field

from strata.domain.fields import Ident, Moment, OptionalIdent, Project, Summary
from strata.domain.models import NewObservation, Wire


class ImportedSession(Wire):
    """A session from another store, or from our own export."""

    id: Ident
    project: Project
    started_at: Moment
    ended_at: Moment | None = None
    summary: Summary | None = None
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


class Import(Wire):
    """What /export gave, here or elsewhere."""

    sessions: list[ImportedSession] | None = None
    observations: list[ImportedObservation] | None = None
