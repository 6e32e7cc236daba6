"""Working memory as it goes over the wire."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from strata.domain.times import DAY
from strata.domain.wire.exact_json import ExactJson
from strata.domain.wire.fields import no_flag

MAX_NAME = 200
MAX_TTL = 30 * DAY
"""The longest time to live in seconds; reading and writing start it anew."""


def _named(name: str) -> str:
    if not 1 <= len(name) <= MAX_NAME:
        raise ValueError(f"a field's name has 1 to {MAX_NAME} characters")
    return name


FieldName = Annotated[str, AfterValidator(_named)]
"""1-200 characters of any kind, because a name is never part of a path."""
Ttl = Annotated[int, Field(ge=1, le=MAX_TTL), BeforeValidator(no_flag)]


class WorkingMemoryChange(BaseModel):
    """Fields to set; absent fields stay. `ttl_seconds` is no field: it is the time to live of all."""

    model_config = ConfigDict(
        extra="allow", json_schema_extra={"propertyNames": {"minLength": 1, "maxLength": MAX_NAME}}
    )
    __pydantic_extra__: dict[FieldName, ExactJson] = Field(init=False)

    ttl_seconds: Ttl | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The fields, each as its JSON text."""
        return self.__pydantic_extra__


class Deleted(BaseModel):
    """The number of deleted fields."""

    deleted: int
