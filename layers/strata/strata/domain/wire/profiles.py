"""Profiles of people as they go over the wire (agtOS)."""

from typing import Annotated, Any, Self

from pydantic import (
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from strata.domain.knowledge.profile import (
    FIELDS,
    MAX_NAME,
    MAX_STYLE,
    MAX_TEXT,
    MAX_TEXTS,
    NAME,
    PATTERNS,
    PREFERENCES,
    STYLE,
    By,
)
from strata.domain.wire.base import Wire
from strata.domain.wire.fields import (
    BLANK_IS_ABSENT,
    SOME_TEXT,
    MetadataFloat,
    MetadataInt,
    NotBlank,
    OptionalNewIdent,
    OptionalNewProject,
    matching,
    one_error,
    plain,
)

Name = Annotated[str, StringConstraints(max_length=MAX_NAME)]
Style = Annotated[str, StringConstraints(max_length=MAX_STYLE)]
Text = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
Texts = Annotated[list[Text], Field(max_length=MAX_TEXTS)]
_SomeText = matching(SOME_TEXT)
SomeName = Annotated[Name, NotBlank, _SomeText]
SomeStyle = Annotated[Style, NotBlank, _SomeText]
SomeText = Annotated[Text, NotBlank, _SomeText]
SomeTexts = Annotated[list[SomeText], Field(max_length=MAX_TEXTS)]
PreferenceName = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME)]
_NAMED = Annotated[
    dict[PreferenceName, Text | StrictBool | MetadataInt | MetadataFloat], Field(max_length=MAX_TEXTS)
]
_one_error = one_error(
    f"should be an object of names of at most {MAX_NAME} characters with texts, numbers, true or false, "
    f"a list of texts that are not blank, or one text; "
    f"at most {MAX_TEXTS} texts of at most {MAX_TEXT} characters"
)
Preferences = Annotated[_NAMED | Texts | Text | None, _one_error]
NewPreferences = Annotated[_NAMED | SomeTexts | SomeText | None, _one_error, BLANK_IS_ABSENT]
_STATED: dict[str, TypeAdapter[Any]] = {
    NAME: TypeAdapter(Name),
    STYLE: TypeAdapter(Style),
    PATTERNS: TypeAdapter(Texts),
    PREFERENCES: TypeAdapter(Preferences),
}
_LEARNT = _STATED | {PATTERNS: TypeAdapter(Text), PREFERENCES: TypeAdapter(Text)}


def check_value(field: str, value: Any, by: By) -> None:
    """Refuse what no statement of this field has as its value; a learnt pattern or preference is one text.

    Raises:
        ValueError: says what it should be.
    """
    try:
        (_LEARNT if by == "learnt" else _STATED)[field].validate_python(value)
    except ValidationError as error:
        raise ValueError(f"{field}: {plain(error.errors()[0]['msg'])}") from None
    if value is None:
        raise ValueError(f"{field}: a statement has a value")


class ProfileChange(Wire):
    """A change of a profile. Absent fields stay as they are; null or a blank text takes a field's value away.

    Attributes:
        name, communicationStyle: of at most 200 and 500 characters.
        patterns: at most 50 texts of at most 500 characters.
        preferences: an object or a list of at most 50 such texts, or one text.
        userId: the person; by default the caller, else the user `default`.
        agent_id: the agent that states it, and alone is given it; without one the person states it.
        project: of an agent's statement, the project in which it is given.
    """

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": [name]} for name in FIELDS]})

    name: Annotated[SomeName | None, BLANK_IS_ABSENT] = None
    communicationStyle: Annotated[SomeStyle | None, BLANK_IS_ABSENT] = None  # noqa: N815 - the wire's own name
    patterns: SomeTexts | None = None
    preferences: NewPreferences = None
    userId: OptionalNewIdent = None  # noqa: N815
    agent_id: OptionalNewIdent = None
    project: OptionalNewProject = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set & set(FIELDS):
            raise ValueError(f"one of {', '.join(FIELDS)} is needed")
        return self

    @property
    def stated(self) -> dict[str, Any]:
        """The fields that are named."""
        return {name: getattr(self, name) for name in FIELDS if name in self.model_fields_set}


class Profile(Wire):
    """A profile; null stands for what is not known."""

    name: str | None
    communicationStyle: str | None  # noqa: N815
    patterns: list[str]
    preferences: dict[str, Any] | list[str] | str


class Provenance(Wire):
    """The origin of a value: the person, an agent, or what was learnt, and from which sources."""

    by: By
    at: str
    agent: str | None = None
    subject: str | None = None
    sources: list[str] | None = None


class ProfileAnswer(Wire):
    """A profile, and where the value of each of its fields is from; a learnt list has one for each text."""

    profile: Profile
    provenance: dict[str, list[Provenance]]


class Stated(Provenance):
    """A statement of a field; without a value it tells that one was taken away."""

    field: str
    value: Any = None


class PastProfile(Wire):
    """A change of a profile."""

    at: str
    changes: list[Stated]


class ProfileHistory(Wire):
    """The latest changes of a profile, newest first."""

    history: list[PastProfile]


class ProfileUpdated(Wire):
    """Whether the change is kept: nothing is of a person of whom nothing may be kept."""

    updated: bool
