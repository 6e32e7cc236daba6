"""Sessions as they go over the wire."""

from typing import Annotated

from pydantic import Field, StrictBool

from strata.domain.wire.base import Wire
from strata.domain.wire.fields import (
    NewIdent,
    NewProject,
    OptionalMoment,
    OptionalNewIdent,
    OptionalNewLabel,
    Summary,
)
from strata.domain.wire.messages import Message


class NewSession(Wire):
    """A request to start a session; idempotent by id."""

    id: NewIdent
    project: NewProject
    agent_id: OptionalNewIdent = None
    user_id: OptionalNewIdent = None
    external_type: OptionalNewLabel = None
    """The channel that the user speaks on, such as `web` (Fyso)."""
    auto_summarize: StrictBool = Field(True, alias="autoSummarize")
    """False: the session ends without a summary."""
    persist: StrictBool = True
    """False: nothing of this session is stored."""
    started_at: OptionalMoment = None
    """The time at which an imported session began; by default, and at the latest, now."""


class Session(Wire):
    """A session; `summary` and `ended_at` appear once it has ended. Times are RFC 3339 UTC.

    `about` says in its own words what was decided, learnt or left open; it is missing where nothing was.
    """

    id: str
    project: str
    started_at: str
    ended_at: str | None = None
    summary: str | None = None
    about: str | None = None
    message_count: int = 0
    agent_id: str | None = None
    user_id: str | None = None
    external_type: str | None = None


class SessionEnd(Wire):
    """A request to end a session with its transcript, which may be empty or absent."""

    messages: Annotated[list[Message] | None, Field(max_length=10_000)] = None
    agent_id: OptionalNewIdent = None
    user_id: OptionalNewIdent = None
    external_type: OptionalNewLabel = None
    summary: Summary | None = None
    """Kept in place of the one that would be made of the messages; secrets in it are redacted."""
    ended_at: OptionalMoment = None
    """The time at which an imported session ended; by default, and at the latest, now.

    Its episode and facts have this time, too, and replace nothing that was said later.
    """


class EndedSession(Wire):
    """The answer to the end of a session."""

    session_id: str
    summary: str
    message_count: int
