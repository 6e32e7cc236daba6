"""Filters as they go over the wire: query parameters of the HTTP API, arguments of tools."""

import json
import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from strata.domain.filters import Filters
from strata.domain.times import DAY, HOUR, microseconds
from strata.domain.wire.fields import Ident, Tags

_AGE = re.compile(r"(\d{1,9}) ?([mhdw])")
_SECONDS = {"m": 60, "h": HOUR, "d": DAY, "w": 7 * DAY}
_LATEST = 2**53


def _blank_is_absent(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


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


_Ident = Annotated[Ident | None, BeforeValidator(_blank_is_absent)]
_Tags = Annotated[Tags | None, BeforeValidator(_listed)]
_Moment = Annotated[
    Annotated[
        str,
        Field(max_length=40),
        AfterValidator(_moment),
    ]
    | None,
    BeforeValidator(_blank_is_absent),
]


class MemoryFilters(BaseModel):
    """Filters that every route and tool has in common: the memories that have these tags, and so on.

    A time after is included, a time before is not.
    """

    model_config = ConfigDict(extra="ignore")

    session_id: _Ident = None
    tags_any: _Tags = None
    tags_all: _Tags = None
    created_after: _Moment = None
    created_before: _Moment = None
    updated_after: _Moment = None
    updated_before: _Moment = None

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
            **moments,
            **more,
        )


class OwnedFilters(MemoryFilters):
    """The same, and by whose the memories are: their user, and the agent that saved them."""

    user_id: _Ident = None
    agent_id: _Ident = None

    def at(self, now_us: int, **more: Any) -> Filters:
        """The filters, with ages counted from now; `more` are further ones."""
        return super().at(now_us, user_id=self.user_id, agent_id=self.agent_id, **more)
