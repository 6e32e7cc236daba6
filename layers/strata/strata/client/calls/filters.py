"""Filters of searches, lists and contexts, as arguments and as query parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from strata.client.calls.parts import params


class MemoryFilters(TypedDict, total=False):
    """The memories that are asked for.

    Times are ISO 8601 texts, moments, or ages such as `7d`; a time after is included, a time before is not.
    Values of `metadata` are exact, or `{"prefix": …}` for their beginning.
    """

    session_id: str | None
    tags_any: Sequence[str] | None
    tags_all: Sequence[str] | None
    created_after: str | datetime | None
    created_before: str | datetime | None
    updated_after: str | datetime | None
    updated_before: str | datetime | None
    metadata: Mapping[str, object] | None


class Filters(MemoryFilters, total=False):
    """The same, and by whose the memories are."""

    user_id: str | None
    agent_id: str | None


def filter_params(filters: Mapping[str, Any]) -> dict[str, str]:
    """The query parameters of filters."""
    return params(**{name: _text(value) for name, value in filters.items()})


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return value.isoformat() if isinstance(value, datetime) else json.dumps(value)
