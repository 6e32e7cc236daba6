"""The lines of an export of every kind (`GET /export?format=jsonl`), as an import reads them.

A line is one JSON object: its `kind`, and the row. `user_id` null says that a row in somebody's session is
nobody's; where it is missing the row is the session's owner's.
"""

from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    FiniteFloat,
    StrictBool,
    StringConstraints,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)

from strata.domain.facts.found import Category
from strata.domain.wire.agents import AgentConfigChange
from strata.domain.wire.base import Wire
from strata.domain.wire.episodes import Notes, Topic
from strata.domain.wire.events import NewEvent
from strata.domain.wire.exact_json import to_text
from strata.domain.wire.fields import (
    Ident,
    Label,
    Moment,
    NewIdent,
    NewProject,
    Number,
    OptionalMoment,
    OptionalNewIdent,
    OptionalNewLabel,
    PlainId,
    Summary,
    Words,
    no_flag,
)
from strata.domain.wire.ledger import LedgerMark
from strata.domain.wire.transfer import ImportedObservation
from strata.domain.wire.working_memory import FieldName, Ttl

BEGIN, NEXT, END = "export", "next", "end"
"""Kinds of the lines around the rows: the first, the last of a page before another one, the very last."""

_Strings = Annotated[list[Words], Field(max_length=1000)]


def _or_empty(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    return value if value == "" else handler(value)


def _texts(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    return {name: to_text(each) for name, each in value.items()}


class ConsentLine(Wire):
    """A person's consent; with `erase` a refusal that is still to erase what was learnt."""

    user_id: NewIdent
    ai_consent: StrictBool | None = None
    persist: StrictBool = True
    updated_at: Moment
    erase: StrictBool = False


class StatementLine(Wire):
    """A statement of a person, with who told of it."""

    user_id: NewIdent
    ai_consent: StrictBool | None = None
    persist: StrictBool = True
    at: Moment
    by: Annotated[str, StringConstraints(max_length=1000)]


class AgentLine(AgentConfigChange):
    """An agent's configuration: the fields that were set."""

    agent_id: NewIdent
    updated_at: OptionalMoment = None


class SessionLine(Wire):
    """A session. Without `started_at` writes have only named it; with `persist` false it keeps nothing.

    One that keeps nothing since a person who refuses was named in it may be `listed` all the same.
    """

    id: NewIdent
    project: NewProject | None = None
    started_at: OptionalMoment = None
    ended_at: OptionalMoment = None
    summary: Summary | None = None
    about: Summary | None = None
    message_count: Number = 0
    agent_id: OptionalNewIdent = None
    user_id: OptionalNewIdent = None
    external_type: OptionalNewLabel = None
    auto_summarize: StrictBool = True
    persist: StrictBool = True
    listed: StrictBool = False
    ai_consent: StrictBool | None = None
    ai_consent_at: OptionalMoment = None
    unkept_until: Number | None = None
    marked: StrictBool = False
    episode: Number | None = None
    episode_owner: OptionalNewIdent = None
    expires_at: Number | None = None


class ObservationLine(ImportedObservation):
    """An observation with what superseded it, or that it stands all the same."""

    superseded_by: Number | None = None
    superseded_reason: Annotated[str, StringConstraints(max_length=1000)] | None = None
    superseded_at: OptionalMoment = None
    stands: StrictBool = False


class EpisodeLine(Wire):
    """An episode; `project` is missing where it is not known, and empty where its session names none."""

    id: Annotated[str, StringConstraints(pattern=r"^ep-[1-9][0-9]{0,15}$")]
    conversation_id: NewIdent
    agent_id: OptionalNewIdent = None
    user_id: OptionalNewIdent = None
    session_user_id: OptionalNewIdent = None
    project: Annotated[NewProject, WrapValidator(_or_empty)] | None = None
    summary: Summary
    keywords: _Strings
    topic: Topic
    type: Label
    importance: Annotated[FiniteFloat, Field(ge=0, le=1), BeforeValidator(no_flag)]
    key_decisions: Notes | None = None
    entities: Notes | None = None
    tools_used: _Strings | None = None
    derived: StrictBool
    created_at: Moment
    updated_at: Moment
    expires_at: Number | None = None


class FactLine(Wire):
    """A fact that an agent knows about a person."""

    id: Number
    agent_id: NewIdent
    user_id: NewIdent
    session_id: NewIdent
    fact: Words
    category: Category
    value: Words
    basis: Words
    hash: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    supersedes: Annotated[list[Number], Field(max_length=10_000)] | None = None
    superseded_by: Number | None = None
    created_at: Moment
    expires_at: Number | None = None


class EventLogLine(Wire):
    """The log of a session's events; `next` is the place of the next one."""

    session_id: NewIdent
    life: PlainId
    app: NewIdent
    user_id: OptionalNewIdent = None
    created_at: Moment
    updated_at: Moment
    next: Number


class EventLine(NewEvent):
    """An event, at its place in its session's log; `at` is when it came."""

    session_id: NewIdent
    session_user_id: OptionalNewIdent = None
    life: PlainId
    place: Number
    event_id: Ident
    at: Moment
    timestamp: Moment


class WorkingMemoryLine(Wire):
    """The working memory of a conversation; `life` is when it began (µs), its ends are in seconds."""

    conversation_id: NewIdent
    session_user_id: OptionalNewIdent = None
    fields: Annotated[dict[FieldName, str], BeforeValidator(_texts), WithJsonSchema({"type": "object"})]
    life: Number
    ttl_seconds: Ttl
    expires_at: Number
    kept_until: Number


class LedgerLine(LedgerMark):
    """An item of a conversation's ledger."""

    conversation_id: NewIdent
    session_user_id: OptionalNewIdent = None
    life: Number
    marked_at: Moment
    expires_at: Number
