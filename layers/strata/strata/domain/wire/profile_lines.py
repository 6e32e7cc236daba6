"""The lines of profiles, preferences and devices in an export of every kind, as an import reads them."""

from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StrictBool,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from strata.domain.knowledge.profile import MAX_SOURCES, MAX_TEXT, MOST_OF, By
from strata.domain.wire.base import Wire
from strata.domain.wire.devices import DeviceId
from strata.domain.wire.exact_json import size, to_text
from strata.domain.wire.fields import Count, Moment, NewIdent, NewProject, OptionalNewIdent
from strata.domain.wire.preferences import MAX_PREFERENCES
from strata.domain.wire.profiles import check_value

Named = Literal["name", "communicationStyle", "patterns", "preferences"]
_Idents = Annotated[list[NewIdent], Field(max_length=100)]


def _each_once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))


# two spellings of one project are one
_Projects = Annotated[list[NewProject], Field(max_length=100), AfterValidator(_each_once)]
_Subject = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
_Source = Annotated[str, StringConstraints(min_length=1, max_length=200)]
_Sources = Annotated[list[_Source], Field(max_length=MAX_SOURCES)]
_Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_ALL_OF_A_FIELD = sum(MOST_OF.values())


class StatementOfProfile(Wire):
    """A statement of a field of a profile; in its history one without a value tells of a removal."""

    value: Any = None
    by: By
    at: Moment
    agents: _Idents = Field(default_factory=list)
    projects: _Projects = Field(default_factory=list)
    confined: StrictBool = False
    subject: _Subject = ""
    sources: _Sources = Field(default_factory=list)
    agent: OptionalNewIdent = None


class PastStatement(StatementOfProfile):
    """A statement in the history of a profile."""

    field: Named

    @model_validator(mode="after")
    def _has_a_value_of_its_field(self) -> Self:
        if self.value is not None:
            check_value(self.field, self.value, self.by)
        return self


class ProfileLine(Wire):
    """A profile: its statements, and digests of what the person took away with the sources of each."""

    user_id: NewIdent
    version: Count
    updated_at: Moment
    statements: dict[Named, Annotated[list[StatementOfProfile], Field(max_length=_ALL_OF_A_FIELD)]]
    refused: Annotated[dict[_Digest, _Sources], Field(max_length=100)] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_values_of_its_fields(self) -> Self:
        for name, stated in self.statements.items():
            for each in stated:
                check_value(name, each.value, each.by)
        return self


class PastProfileLine(Wire):
    """A change of a profile."""

    user_id: NewIdent
    version: Count
    at: Moment
    changes: Annotated[list[PastStatement], Field(max_length=1000)]


def _text(value: Any) -> str:
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    text = to_text(value)
    if size(text) > MAX_PREFERENCES:
        raise ValueError(f"should have at most {MAX_PREFERENCES} bytes as JSON")
    return text


class PreferencesLine(Wire):
    """A user's preferences but for what their consent says."""

    user_id: NewIdent
    version: Count
    updated_at: Moment
    preferences: Annotated[str, BeforeValidator(_text), WithJsonSchema({"type": "object"})]


class DeviceLine(Wire):
    """A device with its user."""

    device_id: DeviceId
    user_id: NewIdent
    updated_at: Moment
