"""The base of every shape that goes over the wire."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


class Wire(BaseModel):
    """Unknown fields are ignored: clients of five systems send their own."""

    model_config = ConfigDict(
        extra="ignore", populate_by_name=True, serialize_by_alias=True, defer_build=True
    )
    whole: ClassVar[str | None] = None
    """The field that a body without it is itself, where there is one."""
