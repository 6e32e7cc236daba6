"""Reads and deletions of many rows, a batch a call. What DynamoDB leaves out of one is asked for again."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from strata.adapters.dynamodb.patience import TablePatience
from strata.adapters.dynamodb.values import StoredItem
from strata.adapters.dynamodb.writes import sent
from strata.adapters.rules.keys import StoredKey
from strata.domain.errors import Unavailable

Result = TypeVar("Result")

READ_AT_ONCE, DELETED_AT_ONCE = 100, 25
"""The most keys of one call."""

_CALLS_AT_ONCE = 8


class Batches:
    """Calls that take a batch of keys.

    Args:
        client: a low-level client, as `make_client` makes it.
        table: the table's name.
    """

    def __init__(self, client: Any, table: str) -> None:
        self._client = client
        self._table = table

    def read(self, keys: Sequence[StoredKey], patience: TablePatience) -> list[StoredItem]:
        """The stored rows of up to `READ_AT_ONCE` keys."""
        left: list[Any] = [_named(key) for key in keys]
        rows: list[StoredItem] = []
        while left:
            request = {self._table: {"Keys": left, "ConsistentRead": True}}
            answer = answered(patience, partial(self._client.batch_get_item, RequestItems=request))
            rows += answer["Responses"].get(self._table, ())
            left = answer.get("UnprocessedKeys", {}).get(self._table, {}).get("Keys", [])
            if left and not patience.wait_throttled():
                raise Unavailable("the table gave only some of the rows in time")
        return rows

    def delete(self, keys: Sequence[StoredKey], patience: TablePatience) -> None:
        """Delete the rows of up to `DELETED_AT_ONCE` keys, each by itself."""
        left: list[Any] = [{"DeleteRequest": {"Key": _named(key)}} for key in keys]
        while left:
            request = {self._table: left}
            answer = answered(patience, partial(self._client.batch_write_item, RequestItems=request))
            left = answer.get("UnprocessedItems", {}).get(self._table, [])
            if left and not patience.wait_throttled():
                raise Unavailable("the table deleted only some of the rows in time")


def each_part(
    keys: Sequence[StoredKey], size: int, call: Callable[[Sequence[StoredKey]], Result]
) -> list[Result]:
    """The results of a call for every `size` of the keys, several calls at a time."""
    parts = [keys[start : start + size] for start in range(0, len(keys), size)]
    if len(parts) < 2:
        return [call(part) for part in parts]
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - few calls need it

    with ThreadPoolExecutor(min(len(parts), _CALLS_AT_ONCE)) as threads:
        return list(threads.map(call, parts))


def answered(patience: TablePatience, send: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer to a call that may be repeated."""
    return patience.call(lambda: sent(send, {}), repeatable=True)


def _named(key: StoredKey) -> dict[str, Any]:
    pk, sk = key
    return {"pk": {"S": pk}, "sk": {"S": sk}}
