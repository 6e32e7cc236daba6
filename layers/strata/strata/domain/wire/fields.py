"""Field types of the shapes of the wire, with the limits that all routes share."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any

from annotated_types import GroupedMetadata
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    FiniteFloat,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StrictBool,
    StrictInt,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)
from pydantic_core import CoreSchema, PydanticUseDefault, core_schema

from strata.domain.filters import Scalar
from strata.domain.redaction.redact import form_of_secret
from strata.domain.text.strings import project_name
from strata.domain.times import microseconds

MAX_IDENT = 200
MAX_TITLE = 500
MAX_TAGS = 20
MAX_CONTENT = 50_000
MAX_TAG = 100
MAX_LABEL = 50
MAX_SUMMARY = 10_000
MAX_METADATA = 20
MAX_QUERY = 10_000
MAX_ROWS = 1000
MAX_NUMBER = 2**53 - 1
"""The largest integer that every client decodes exactly (RFC 8259, 6)."""


def _printable(value: str) -> str:
    if not value.isprintable() and any(ord(each) < 32 or ord(each) == 127 for each in value):
        raise ValueError("must not contain control characters")
    return value


def _nameable(value: str) -> str:
    if value in (".", ".."):
        raise ValueError("must not be '.' or '..', which no path can name")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be blank")
    return value


def _storable(value: datetime) -> datetime:
    if not 0 < microseconds(value) < 2**53:
        raise ValueError("must lie between 1970 and 2255")
    return value


def _project_name(value: str) -> str:
    name = project_name(value)
    if len(name) > MAX_IDENT:  # lower case may be longer: one character becomes two in "İ"
        raise ValueError(f"should have at most {MAX_IDENT} characters in lower case")
    return name


def no_flag(value: object) -> object:
    """Refuse texts, and true and false, which are integers to Python."""
    if isinstance(value, bool):
        raise ValueError("should be a number, not true or false")
    if isinstance(value, str):
        raise ValueError("should be a number, not text")
    return value


@dataclass(frozen=True, slots=True)
class Absent:
    """An optional text of which those that match `pattern` count as absent, in the schema, too."""

    pattern: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read such a text as None before anything is checked."""
        return core_schema.no_info_before_validator_function(self._read, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Let such a text pass."""
        described = handler(schema)
        for text in (each for each in described["anyOf"] if each.get("type") == "string"):
            text.pop("minLength", None)
            if "pattern" in text:
                text["pattern"] = f"{self.pattern}|{text['pattern']}"
        return described

    def _read(self, value: object) -> object:
        return None if isinstance(value, str) and re.fullmatch(self.pattern, value) else value


EMPTY_IS_ABSENT = Absent("^$")
BLANK_IS_ABSENT = Absent(r"^[\t-\r ]{0,40}$")


@lru_cache(maxsize=4096)  # the ids of one session come again and again; what holds a secret is not cached
def _without_secret(value: str) -> str:
    kind = form_of_secret(value)
    if kind is not None:
        raise ValueError(f"must not hold a secret, and this looks like one ({kind})")
    return value


def _exact(metadata: dict[str, Scalar]) -> dict[str, Scalar]:
    for key, value in metadata.items():
        if isinstance(value, int | float) and abs(value) > MAX_NUMBER:
            raise ValueError(f"{key} must lie between -{MAX_NUMBER} and {MAX_NUMBER}")
    return metadata


NotBlank = AfterValidator(_not_blank)
_Printable = AfterValidator(_printable)

_CONTROL = r"\x00-\x1f\x7f"
_LINE = rf"[^{_CONTROL}]*[^\s\x85{_CONTROL}][^{_CONTROL}]*$"


def matching(pattern: str) -> Any:
    """Tell the OpenAPI document what our own validators check, so that no valid example is refused."""
    return Field(json_schema_extra={"pattern": pattern})


SOME_TEXT = r"[^\s\x85\x1c-\x1f]"
"""A pattern of texts that are not blank."""

_SomeText = matching(SOME_TEXT)
_OneLine = matching(f"^{_LINE}")

Ident = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_IDENT),
    NotBlank,
    _Printable,
    AfterValidator(_nameable),
    matching(rf"^(?!\.{{1,2}}$){_LINE}"),
]
"""An id, reference or ledger item: 1-200 characters of any script."""
Project = Annotated[Ident, AfterValidator(_project_name)]
WithoutSecret = AfterValidator(_without_secret)
"""For identifiers that are written: they stand in keys, logs and addresses, where nothing can be redacted."""
NewIdent = Annotated[Ident, WithoutSecret]
NewProject = Annotated[Project, WithoutSecret]
Title = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TITLE), NotBlank, _SomeText]
Content = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CONTENT), NotBlank, _SomeText]
Label = Annotated[str, StringConstraints(min_length=1, max_length=MAX_LABEL), NotBlank, _Printable, _OneLine]
TopicKey = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_IDENT), NotBlank, _Printable, _OneLine
]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TAG), NotBlank, _SomeText]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS)]

MetadataKey = Annotated[
    str, StringConstraints(pattern=rf"^[A-Za-z0-9_.-]{{1,{MAX_LABEL}}}$"), AfterValidator(_without_secret)
]
_Exact = Field(json_schema_extra={"minimum": -MAX_NUMBER, "maximum": MAX_NUMBER})
MetadataInt = Annotated[StrictInt, _Exact]
MetadataFloat = Annotated[FiniteFloat, Field(strict=True), _Exact]
MetadataText = Annotated[str, StringConstraints(max_length=MAX_IDENT)]


def plain(message: str) -> str:
    """A validator's message as people read it, without what pydantic puts before it."""
    return message.removeprefix("Value error, ")


def one_error(told: str) -> WrapValidator:
    """A validator that says in one sentence what a value should be, not in one for each of its types."""

    def check(value: object, handler: ValidatorFunctionWrapHandler) -> object:
        try:
            return handler(value)
        except ValidationError:
            raise ValueError(told) from None

    return WrapValidator(check)


_SCALAR = f"should be a text of at most {MAX_IDENT} characters, a number, or true or false"
Metadata = Annotated[
    dict[
        MetadataKey,
        Annotated[StrictBool | MetadataInt | MetadataFloat | MetadataText, one_error(_SCALAR)],
    ],
    Field(max_length=MAX_METADATA, json_schema_extra={"additionalProperties": False}),
    AfterValidator(_exact),
]
"""A small map of texts, numbers and booleans."""

_DAY = r"((0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)"
_DATE = rf"(19[89]\d|20\d\d|21\d\d|22[0-4]\d)-{_DAY}"
_TIME = r"T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-2]):[0-5]\d)?"
ISO_TIME = rf"{_DATE}({_TIME})?"
"""Dates and times as the OpenAPI document describes them; other forms of ISO 8601 are read, too."""

Moment = Annotated[
    datetime, AfterValidator(_storable), WithJsonSchema({"type": "string", "pattern": f"^{_DATE}{_TIME}$"})
]
"""A time between 1970 and 2255; a time without a time zone is UTC."""
OptionalMoment = Annotated[Moment | None, EMPTY_IS_ABSENT]

Number = Annotated[int, Field(ge=0, le=MAX_NUMBER), BeforeValidator(no_flag)]
Count = Annotated[int, Field(ge=1, le=MAX_NUMBER), BeforeValidator(no_flag)]

OptionalIdent = Annotated[Ident | None, EMPTY_IS_ABSENT]
OptionalLabel = Annotated[Label | None, EMPTY_IS_ABSENT]
OptionalNewLabel = Annotated[Annotated[Label, WithoutSecret] | None, EMPTY_IS_ABSENT]
OptionalTopicKey = Annotated[TopicKey | None, EMPTY_IS_ABSENT]
OptionalNewIdent = Annotated[NewIdent | None, EMPTY_IS_ABSENT]
OptionalProject = Annotated[Project | None, EMPTY_IS_ABSENT]
OptionalNewProject = Annotated[NewProject | None, EMPTY_IS_ABSENT]
Summary = Annotated[str, StringConstraints(max_length=MAX_SUMMARY)]
Words = Annotated[str, StringConstraints(max_length=MAX_CONTENT)]
PlainId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""Stands unescaped in keys."""


@dataclass(frozen=True, slots=True)
class Clamped(GroupedMetadata):
    """A tolerant number: above `most` it is `most`; no number, or below `least`, it is the default.

    Published clients swallow errors, so that a refused limit would read as an empty memory. Nothing is
    refused, so the schema has no bounds, unless they are `declared` for a model's orientation.
    """

    most: int
    least: int = 1
    declared: bool = False

    def __iter__(self) -> Iterator[object]:
        yield BeforeValidator(self._clamp)
        if self.declared:
            return
        told = f"Above {self.most} it is {self.most}; no number, or below {self.least}, it is the default."
        yield WithJsonSchema({"description": told})

    def _clamp(self, value: object) -> int:
        try:
            number = int(str(value))
        except ValueError:
            raise PydanticUseDefault from None
        if number < self.least:
            raise PydanticUseDefault
        return min(number, self.most)
