"""The port `Inventory` over one DynamoDB table: it scans the table in segments and keeps the tenant's keys.

A scan goes on behind the last row that it read, which may be another tenant's. A place names a segment
instead, and in it the tenant's own last key; what follows that key in the segment is read again.
"""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from botocore.exceptions import ClientError

from strata.adapters.dynamodb.patience import TablePatience, error_code
from strata.adapters.dynamodb.rows import key_of, read_key
from strata.adapters.dynamodb.writes import sent
from strata.adapters.patience import Sleep
from strata.domain.cursors import foreign
from strata.domain.scope import Scope
from strata.ports.rows import Key
from strata.ports.table import Place

SEGMENT_BYTES = 4_000_000
"""About what one segment holds, which is read at once: seconds, also where the tenant has nothing in it."""

_MOST_SEGMENTS = 1_000_000


class DynamoInventory:
    """Scans the table for the keys of one tenant."""

    def __init__(self, client: Any, name: str, *, patience: float, sleep: Sleep = time.sleep) -> None:
        self._client = client
        self._name = name
        self._patience = patience
        self._sleep = sleep

    def keys(
        self, scope: Scope, sk_prefixes: Sequence[str], after: Place | None
    ) -> Iterator[tuple[Place, Key | None]]:
        """Yield the tenant's keys segment by segment."""
        last: Key | None = None
        match after:
            case None:
                first, segments = 0, self._segments()
            case (int(first), int(segments)) if 0 <= first <= segments <= _MOST_SEGMENTS:
                pass
            case (int(first), int(segments), str(pk), str(sk)) if 0 <= first < segments <= _MOST_SEGMENTS:
                last = Key(pk, sk)
            case _:
                raise foreign("export")
        for segment in range(first, segments):
            for key in self._segment(scope, sk_prefixes, segment, segments, last):
                yield (segment, segments, key.pk, key.sk), key
            last = None
            yield (segment + 1, segments), None

    def _segments(self) -> int:
        described = self._sent(self._client.describe_table, {"TableName": self._name})
        size: int = described["Table"].get("TableSizeBytes", 0)
        return min(size // SEGMENT_BYTES + 1, _MOST_SEGMENTS)

    def _segment(
        self, scope: Scope, sk_prefixes: Sequence[str], segment: int, segments: int, last: Key | None
    ) -> Iterator[Key]:
        begins = " OR ".join(f"begins_with(sk, :s{number})" for number in range(len(sk_prefixes)))
        values = {f":s{number}": {"S": each} for number, each in enumerate(sk_prefixes)}
        asked: dict[str, Any] = {
            "TableName": self._name,
            "ConsistentRead": True,
            "ProjectionExpression": "pk, sk",
            "FilterExpression": f"begins_with(pk, :tenant) AND ({begins})",
            "ExpressionAttributeValues": values | {":tenant": {"S": f"{scope.tenant}#"}},
            "Segment": segment,
            "TotalSegments": segments,
        }
        if last is not None:
            asked["ExclusiveStartKey"] = key_of(scope, last)
        while True:
            try:
                page = self._sent(self._client.scan, asked)
            except ClientError as error:
                if error_code(error) == "ValidationException":  # a key of another segment
                    raise foreign("export") from error
                raise
            for row in page["Items"]:
                yield read_key(row)
            if "LastEvaluatedKey" not in page:
                return
            asked["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _sent(self, call: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        patience = TablePatience(self._patience, sleep=self._sleep)
        return patience.call(partial(sent, call, arguments), repeatable=True)
