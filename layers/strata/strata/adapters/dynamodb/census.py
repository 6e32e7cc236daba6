"""The port `Census` over one DynamoDB table: it scans the whole table, for operators only."""

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

from strata.adapters.dynamodb.patience import TablePatience
from strata.adapters.dynamodb.rows import read_key
from strata.adapters.dynamodb.writes import sent
from strata.adapters.patience import Sleep
from strata.domain.scope import RESERVED, Scope
from strata.ports.rows import Key

_PATIENCE = 60.0


class DynamoCensus:
    """Scans every tenant's rows. A throttled page is retried for up to a minute.

    Args:
        client: DynamoDB's.
        name: the table's.
        segment: the only one to be scanned, and the number of all; every row is in one of them.
        sleep: waits between tries.
    """

    def __init__(
        self, client: Any, name: str, *, segment: tuple[int, int] | None = None, sleep: Sleep = time.sleep
    ) -> None:
        self._client = client
        self._segment = {} if segment is None else {"Segment": segment[0], "TotalSegments": segment[1]}
        self._name = name
        self._sleep = sleep

    def tenants(self) -> list[str]:
        pages = self._scan(ProjectionExpression="pk")
        found = {row["pk"]["S"].partition("#")[0] for page in pages for row in page["Items"]}
        return sorted(found - RESERVED)

    def count(self, sk_prefix: str) -> int:
        """The number of rows whose sort key has this prefix."""
        return sum(page["Count"] for page in self._scan(Select="COUNT", **_beginning(sk_prefix)))

    def keys(self, sk_prefix: str) -> Iterator[tuple[Scope, Key]]:
        """The keys of the rows whose sort key has this prefix, tenant by tenant within each megabyte read."""
        for page in self._scan(ProjectionExpression="pk, sk", **_beginning(sk_prefix)):
            found = [(row["pk"]["S"].partition("#")[0], read_key(row)) for row in page["Items"]]
            for tenant, key in sorted(found):
                yield Scope(tenant), key

    def _scan(self, **arguments: Any) -> Iterator[dict[str, Any]]:
        start: dict[str, Any] = {}
        while True:
            asked = {"TableName": self._name, "ConsistentRead": True, **self._segment, **arguments, **start}
            patience = TablePatience(_PATIENCE, sleep=self._sleep)
            page = patience.call(partial(sent, self._client.scan, asked), repeatable=True)
            yield page
            if "LastEvaluatedKey" not in page:
                return
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def _beginning(sk_prefix: str) -> dict[str, Any]:
    if not sk_prefix:
        return {}
    return {
        "FilterExpression": "begins_with(sk, :prefix)",
        "ExpressionAttributeValues": {":prefix": {"S": sk_prefix}},
    }
