"""The lines of conclusions and entities in an export of every kind, as an import reads them.

The times of rows inside other rows, and those that only rules compare, are numbers (µs).
"""

from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    FiniteFloat,
    StrictBool,
    StringConstraints,
    model_validator,
)

from strata.domain.entities.shapes import EntityType
from strata.domain.entities.spelling import LONGEST_NAME
from strata.domain.knowledge.statements import MOST_TOGETHER, ConclusionType
from strata.domain.text.strings import project_name
from strata.domain.wire.base import Wire
from strata.domain.wire.entities import EntityChange
from strata.domain.wire.fields import (
    MAX_NUMBER,
    Count,
    Moment,
    NewIdent,
    Number,
    OptionalMoment,
    OptionalNewIdent,
    PlainId,
    Words,
    no_flag,
)

_Ids = Annotated[list[PlainId], Field(max_length=1000)]
_Name = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
_Names = Annotated[list[_Name], Field(max_length=1000)]
_Place = Annotated[str, StringConstraints(max_length=1000)]
_Places = Annotated[list[_Place], Field(max_length=1000)]
_Project = Annotated[_Place, AfterValidator(project_name)]
_Share = Annotated[FiniteFloat, Field(ge=0, le=1), BeforeValidator(no_flag)]
_Signed = Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER), BeforeValidator(no_flag)]


class _Quote(Wire):
    text: Words
    source: _Place
    at: Number


class _Hidden(Wire):
    why: Literal["merged", "contradicted", "pruned"]
    at: Number
    into: PlainId | None = None
    by: PlainId | None = None
    reason: _Place | None = None


class _Conclusion(Wire):
    id: PlainId
    scope: Words
    subject: Words
    value: Words
    value_key: Words
    single: StrictBool
    by: Literal["rules", "model"]
    corrected: StrictBool
    type: ConclusionType
    text: Words
    confidence: _Share
    sources: _Places
    facts: _Places | None = None
    sessions: _Places
    quotes: Annotated[list[_Quote], Field(min_length=1, max_length=100)]
    against: Number
    last: Number
    agents: _Places
    projects: Annotated[list[_Project], Field(max_length=1000)]
    confined: StrictBool
    apps: _Places | None = None
    run: _Signed
    hidden: _Hidden | None = None
    kept: StrictBool | None = None
    united: _Places | None = None
    stale: Number | None = None
    undecayed: _Share | None = None


class ConclusionLine(_Conclusion):
    """A conclusion; a `hidden` one gave way to another, or was too weak."""

    user_id: NewIdent
    created_at: Moment
    updated_at: Moment


class _PastConclusion(_Conclusion):
    created_at: Number
    updated_at: Number


class DeclinedLine(Wire):
    """The mark of a conclusion, or of a fact, that was deleted: it is not drawn again from these sessions."""

    user_id: NewIdent
    id: PlainId
    subject: Words
    value_key: Words
    sessions: _Places
    replaced: StrictBool | None = None
    at: Moment


_Sighting = tuple[Words, Words, Number, Number, Number, Number, Words, _Share]
_Packed = tuple[list[Words], list[Words | list[_Place]], Annotated[list[_Sighting], Field(max_length=10_000)]]


class _Sightings(Wire):
    session_id: NewIdent
    source: _Place
    agent_id: OptionalNewIdent = None
    by_app: StrictBool
    project: _Project | None
    run: Number
    sightings: _Packed

    def model_post_init(self, _: Any) -> None:
        quotes, messages, rows = self.sightings
        if any(row[3] >= len(quotes) or row[5] >= len(messages) for row in rows):
            raise ValueError("sightings: name a quote or a message that is not there")


class SightingsLine(_Sightings):
    """The signs that were seen in a session, from which conclusions are drawn."""

    user_id: NewIdent


class _Change(Wire):
    before: Annotated[dict[PlainId, _PastConclusion | None], Field(max_length=MOST_TOGETHER)]
    after: Annotated[list[PlainId], Field(max_length=MOST_TOGETHER)]

    def model_post_init(self, _: Any) -> None:
        if any(row and row.id != name for name, row in self.before.items()):
            raise ValueError("before: names a conclusion by another id than its own")


class ConsolidationLine(Wire):
    """A run of the dreamer or of the sweep, with what an undo puts back."""

    user_id: NewIdent
    id: Number
    session_id: OptionalNewIdent = None
    at: Moment
    outcome: _Place
    added: Number
    changed: Number
    removed: Number
    left_out: Number
    refused: _Places
    changes: Annotated[list[_Change], Field(max_length=1000)]
    sighted: _Sightings | None = None
    undone: Number | None = None
    undone_at: OptionalMoment = None
    expires_at: Number

    @model_validator(mode="after")
    def _is_undone_at_a_time(self) -> Self:
        if (self.undone is None) != (self.undone_at is None):
            raise ValueError("undone: stands with undone_at, or neither does")
        return self


class EntityLine(Wire):
    """An entity without its mentions: what a person stated, its merges, and whether it was deleted.

    `life` counts its deletions from 1 on; mentions of lives up to `buried` are not shown.
    """

    user_id: NewIdent
    id: PlainId
    types: Annotated[list[EntityType], Field(min_length=1, max_length=5)]
    type: EntityType
    stated: EntityChange
    hidden: _Names
    life: Count
    buried: Number
    members: _Ids
    merged_into: PlainId | None = None
    merged_by: Literal["person", "rules"] | None = None
    merged_at: OptionalMoment = None
    apart: _Ids
    deleted_at: OptionalMoment = None
    created_at: Moment


class MentionLine(Wire):
    """A mention: the entity that a source counts for, and the relationships that it states."""

    user_id: NewIdent
    source: Annotated[str, StringConstraints(pattern=r"^(ep|fact)-[1-9][0-9]{0,15}$")]
    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    entity: PlainId
    text: _Name
    also: _Names
    roles: _Names
    works: _Names
    hints: _Names = Field(default_factory=list)
    confidence: _Share
    at: Moment
    session_id: NewIdent
    agent_id: OptionalNewIdent = None
    project: _Project | None
    confined: StrictBool
    life: Count
    edges: Annotated[list[tuple[PlainId, _Place, PlainId, _Share]], Field(max_length=100)]
