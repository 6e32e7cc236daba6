"""Working memory as it goes over the wire."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from strata.domain.times import DAY
from strata.domain.wire.exact_json import ExactJson
from strata.domain.wire.fields import no_flag

MAX_NAME = 200
MAX_TTL = 30 * DAY
"""Seconds that a conversation may live on without being read or written."""


def _named(name: str) -> str:
    if not 1 <= len(name) <= MAX_NAME:
        raise ValueError(f"a field's name has 1 to {MAX_NAME} characters")
    return name


FieldName = Annotated[str, AfterValidator(_named)]
"""1-200 characters, of any kind: a name stands in no path."""
Ttl = Annotated[int, Field(ge=1, le=MAX_TTL), BeforeValidator(no_flag)]


class WorkingMemoryChange(BaseModel):
    """Fields to set; those that are not named stay. `ttl_seconds` is none: it says how long all live."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[FieldName, ExactJson] = Field(init=False)

    ttl_seconds: Ttl | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The fields, each as its JSON text."""
        return self.__pydantic_extra__


class Deleted(BaseModel):
    """How many fields there were to delete."""

    deleted: int
