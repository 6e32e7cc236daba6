"""Exports and imports as they go over the wire."""

from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import (
    Field,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from strata.domain.imports import DELETED_THERE
from strata.domain.wire.base import Wire
from strata.domain.wire.fields import (
    MAX_TITLE,
    Count,
    Moment,
    NewIdent,
    NewProject,
    Number,
    OptionalMoment,
    OptionalNewIdent,
    Summary,
    plain,
)
from strata.domain.wire.observations import NewObservation, Observation
from strata.domain.wire.sessions import Session

Row = TypeVar("Row", bound=Wire)

USUAL_TYPE = "discovery"
"""The type of an imported observation that names none."""

_ANYTHING = WithJsonSchema({"description": "A row as an export holds it. One that can't be read is skipped."})

MAX_IMPORT = 50_000
"""The most rows of a kind in one import: more than fit a page of an export."""


class ExportedObservation(Observation):
    """An observation in an export; where it names nobody, with the owner of its session, if that has one.

    So an import knows whose it is, also where the session comes with another page.
    """

    session_user_id: str | None = None


class Export(Wire):
    """A page of an export; `next` is the cursor of the following page."""

    exported_at: str
    sessions: list[Session]
    observations: list[ExportedObservation]
    next: str | None = None


class ImportedSession(Wire):
    """A session from an export, of this or another store."""

    id: NewIdent
    project: NewProject
    started_at: Moment
    ended_at: OptionalMoment = None
    summary: Summary | None = None
    about: Summary | None = None
    message_count: Number = 0
    agent_id: OptionalNewIdent = None
    user_id: OptionalNewIdent = None


class ImportedObservation(NewObservation):
    """An observation from an export, of this or another store."""

    id: Number = 0
    revision_count: Count = 1
    duplicate_count: Count = 1
    created_at: OptionalMoment = None
    updated_at: OptionalMoment = None
    last_seen_at: OptionalMoment = None
    session_user_id: OptionalNewIdent = None

    @model_validator(mode="before")
    @classmethod
    def _is_not_deleted(cls, given: Any) -> Any:
        """Refuse a row of a store that marks what it deleted, as engram does, and exports it all the same."""
        if isinstance(given, dict) and given.get("deleted_at"):
            raise ValueError(DELETED_THERE)
        return given


class Skipped(Wire):
    """A row that an import did not take: its kind, its place, and the reason.

    `index` counts from 0, among the sessions, the observations or the lines of the body.
    """

    kind: str
    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row of an import that can't be read, with the reason."""

    reason: str


def readable(model: type[Row], value: Any) -> Row | Unreadable:
    """A row of this shape, or the first thing that is wrong with it."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        told = plain(first["msg"])
        return Unreadable(f"{place}: {told}" if place else told)


def _session(value: Any) -> ImportedSession | Unreadable:
    return readable(ImportedSession, value)


def _observation(value: Any) -> ImportedObservation | Unreadable:
    """An observation; of another store with the fields that Strata needs: a type, a title that is cut."""
    return readable(ImportedObservation, _usual(value))


def _usual(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    content, title = value.get("content"), value.get("title")
    if not (isinstance(title, str) and title.strip()) and isinstance(content, str) and content.strip():
        title = content.strip().splitlines()[0]
    if isinstance(title, str):
        value = value | {"title": title[:MAX_TITLE]}
    return value if value.get("type") else value | {"type": USUAL_TYPE}


ReadableSession = Annotated[ImportedSession | Unreadable, PlainValidator(_session), _ANYTHING]
ReadableObservation = Annotated[ImportedObservation | Unreadable, PlainValidator(_observation), _ANYTHING]

ReadableLine = Annotated[Any, _ANYTHING]


class Import(Wire):
    """An export, of this or another store. A row that can't be read is a `Skipped`, and refuses no other."""

    sessions: Annotated[list[ReadableSession], Field(max_length=MAX_IMPORT)] | None = None
    observations: Annotated[list[ReadableObservation], Field(max_length=MAX_IMPORT)] | None = None
    lines: Annotated[list[ReadableLine], Field(max_length=MAX_IMPORT)] | None = None
    """The lines of an export of every kind, which a body of JSON lines is, too."""


class Imported(Wire):
    """The numbers of rows that an import added, and the rows that it can't take.

    `imported` counts those of every kind where lines were sent.
    """

    imported_sessions: int
    imported_observations: int
    imported: dict[str, int] | None = None
    skipped: list[Skipped] | None = None
