"""Filters as they go over the wire: query parameters of the HTTP API, arguments of tools."""

import json
import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    StrictBool,
    StrictInt,
    WithJsonSchema,
)

from strata.domain.filters import Filters, MetadataIs, metadata_text
from strata.domain.times import DAY, HOUR, microseconds
from strata.domain.wire.fields import (
    BLANK_IS_ABSENT,
    EMPTY_IS_ABSENT,
    ISO_TIME,
    MAX_IDENT,
    MAX_METADATA,
    MAX_TAGS,
    Ident,
    MetadataKey,
    MetadataText,
    Tags,
    matching,
    one_error,
)

_AGE = re.compile(r"(\d{1,9}) ?([mhdw])")
_SECONDS = {"m": 60, "h": HOUR, "d": DAY, "w": 7 * DAY}
_WHEN = ": an ISO 8601 date or time, or an age such as 90m, 12h, 7d or 2w"
_COMMAS = f": at most {MAX_TAGS}; in a query with commas between, or as a JSON list where a tag holds a comma"
_LATEST = 2**53


def _listed(value: object) -> object:
    """A text is a list with commas between, or a JSON list where a tag holds a comma."""
    if not isinstance(value, str):
        return value
    if value.startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            raise ValueError("should be tags with commas between, or a JSON list") from None
    return [tag for each in value.split(",") if (tag := each.strip())] or None


def _moment(value: str) -> str:
    _microsecond(value, 0)
    return value


def _microsecond(value: str, now_us: int) -> int:
    """The moment that a text names: an ISO 8601 date or time, or an age such as 7d.

    Raises:
        ValueError: it names none between 1970 and 2255.
    """
    age = _AGE.fullmatch(value.strip())
    try:
        if age is not None:
            return max(now_us - int(age[1]) * _SECONDS[age[2]] * 1_000_000, 0)
        moment = microseconds(datetime.fromisoformat(value.strip()))
    except (ValueError, OverflowError):
        raise ValueError(
            "should be an ISO 8601 date or time, such as 2026-11-01 or 2026-11-01T08:00:00Z, or an age: a "
            "number of minutes, hours, days or weeks, such as 90m, 12h, 7d or 2w"
        ) from None
    if not 0 <= moment < _LATEST:
        raise ValueError("must lie between 1970 and 2255")
    return moment


_Ident = Annotated[Ident | None, EMPTY_IS_ABSENT]
_Tags = Annotated[Tags | None, BeforeValidator(_listed)]
_Moment = Annotated[
    Annotated[
        str,
        Field(max_length=40),
        AfterValidator(_moment),
        matching(rf"^({_AGE.pattern}|{ISO_TIME})$"),
    ]
    | None,
    BLANK_IS_ABSENT,
    ISO_TIME,
]


def _object(value: object) -> object:
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    try:
        return json.loads(value)
    except ValueError:
        raise ValueError(
            'should be a JSON object such as {"env": "prod", "path": {"prefix": "src/"}}'
        ) from None


class Beginning(BaseModel):
    """A value that begins so."""

    model_config = ConfigDict(extra="forbid")

    prefix: MetadataText


_VALUE = f'should be a text of at most {MAX_IDENT} characters, a number, a boolean, or {{"prefix": a text}}'
_Metadata = Annotated[
    Annotated[
        dict[
            MetadataKey,
            Annotated[StrictBool | StrictInt | FiniteFloat | MetadataText | Beginning, one_error(_VALUE)],
        ],
        Field(max_length=MAX_METADATA),
        WithJsonSchema({"type": "object"}),
    ]
    | None,
    BeforeValidator(_object),
]


class MemoryFilters(BaseModel):
    """Filters that every route and tool has in common: the memories that have these tags, and so on.

    A time after is included, a time before is not.
    """

    session_id: _Ident = Field(None, description="Only memories of this session.")
    tags_any: _Tags = Field(None, description=f"Only memories with one of these tags{_COMMAS}.")
    tags_all: _Tags = Field(None, description=f"Only memories with all of these tags{_COMMAS}.")
    created_after: _Moment = Field(None, description=f"Only memories saved at this time or later{_WHEN}.")
    created_before: _Moment = Field(None, description=f"Only memories saved before this time{_WHEN}.")
    updated_after: _Moment = Field(None, description=f"Only memories changed at this time or later{_WHEN}.")
    updated_before: _Moment = Field(None, description=f"Only memories changed before this time{_WHEN}.")
    metadata: _Metadata = Field(
        None,
        description=f"Only memories whose metadata have these values, at most {MAX_METADATA}, as a JSON "
        'object such as {"env": "prod"}; {"prefix": "src/"} in place of a value asks for its beginning.',
    )

    def at(self, now_us: int, **more: Any) -> Filters:
        """The filters, with ages counted from now; `more` are further ones."""
        moments: dict[str, Any] = {
            name: _microsecond(value, now_us)
            for name in ("created_after", "created_before", "updated_after", "updated_before")
            if (value := getattr(self, name)) is not None
        }
        return Filters(
            session_id=self.session_id,
            tags_any=tuple(self.tags_any or ()),
            tags_all=tuple(self.tags_all or ()),
            metadata=tuple(
                MetadataIs(key, value.prefix, prefix=True)
                if isinstance(value, Beginning)
                else MetadataIs(key, metadata_text(value))
                for key, value in (self.metadata or {}).items()
            ),
            **moments,
            **more,
        )


class OwnedFilters(MemoryFilters):
    """The same, and by whose the memories are: their user, and the agent that saved them."""

    user_id: _Ident = Field(None, description="Only memories of this user.")
    agent_id: _Ident = Field(None, description="Only memories of this agent.")

    def at(self, now_us: int, **more: Any) -> Filters:
        """The filters, with ages counted from now; `more` are further ones."""
        return super().at(now_us, user_id=self.user_id, agent_id=self.agent_id, **more)
