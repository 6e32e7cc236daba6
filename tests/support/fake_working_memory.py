"""The working memory of one conversation, as the service keeps it: merged, and at most 64 KB."""

import json
from collections.abc import Mapping
from typing import Any

from strata.client import StrataClientError

LIMIT = 65_536


class FakeFields:
    def __init__(self, fields: dict[str, Any], failing: Exception | None = None) -> None:
        self.fields = fields
        self.puts: list[tuple[str, set[str], int | None, str | None]] = []
        self._failing = failing

    @property
    def size(self) -> int:
        return _size(self.fields)

    def get_working_memory(self, conversation_id: str) -> dict[str, Any]:
        if self._failing:
            raise self._failing
        return json.loads(json.dumps(self.fields))

    def put_working_memory(
        self,
        conversation_id: str,
        values: Mapping[str, Any],
        *,
        ttl_seconds: int | None = None,
        user_id: str | None = None,
    ) -> dict[str, Any]:
        if self._failing:
            raise self._failing
        merged = self.fields | json.loads(json.dumps(dict(values)))
        if _size(merged) > LIMIT:
            raise StrataClientError(413, "too_large", "working memory holds at most 65536 bytes")
        self.fields = merged
        self.puts.append((conversation_id, set(values), ttl_seconds, user_id))
        return merged


class AsyncFakeFields:
    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = FakeFields(fields)

    async def get_working_memory(self, *given: Any, **named: Any) -> dict[str, Any]:
        return self._fields.get_working_memory(*given, **named)

    async def put_working_memory(self, *given: Any, **named: Any) -> dict[str, Any]:
        return self._fields.put_working_memory(*given, **named)


def _size(fields: dict[str, Any]) -> int:
    return sum(len(_text(name)) + len(_text(value)) + 2 for name, value in fields.items()) + 1


def _text(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()
