"""The port `Leftovers` over DynamoDB: removes orphaned bodies.

DynamoDB deletes expired rows itself, but not their bodies; a process that dies between two writes leaves
bodies, too. A body names the row that it was made for, so reading that row tells.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from strata.adapters.dynamodb.overflow import row_of
from strata.adapters.dynamodb.patience import TablePatience
from strata.adapters.dynamodb.rows import BODIES
from strata.adapters.dynamodb.values import StoredItem
from strata.adapters.dynamodb.writes import sent
from strata.domain.errors import Throttled
from strata.domain.scope import Scope
from strata.ports.bodies import Bodies
from strata.ports.clock import Clock
from strata.ports.leftovers import Cleared

SETTLED_SECONDS = 3600
"""Only bodies of this age are checked: a write stores its bodies first, and then the row."""

_PATIENCE = 60.0
_READ_AT_ONCE = 16
_TRIES = 5

_log = logging.getLogger(__name__)

StoredKey = tuple[str, str]


class DynamoLeftovers:
    """Removes bodies that no row names, by name, some in each round.

    Args:
        client, name: of the table.
        bodies: where they are; None where rows have none.
        clock: determines their age.
    """

    def __init__(self, client: Any, name: str, bodies: Bodies | None, clock: Clock) -> None:
        self._client = client
        self._name = name
        self._bodies = bodies
        self._clock = clock

    def clear(self, scope: Scope, after: str | None, limit: int) -> Cleared:
        """Check up to `limit` bodies after `after`; at the end of the names the next round starts again."""
        if self._bodies is None:
            return Cleared(0, 0)
        listed = self._bodies.list(scope, after, limit)
        before = self._clock.now_us() - SETTLED_SECONDS * 1_000_000
        old = [name for name, kept_at in listed if kept_at < before]
        left_over: list[str] = []
        for start in range(0, len(old), _READ_AT_ONCE):
            left_over += self._unnamed(scope, old[start : start + _READ_AT_ONCE])
        self._bodies.delete_many(scope, left_over)
        more = len(listed) == limit
        return Cleared(
            len(old),
            len(left_over),
            after=listed[-1][0] if more else None,
            more=more,
            expecting=bool(after) or len(listed) > len(left_over),
        )

    def _unnamed(self, scope: Scope, names: Sequence[str]) -> list[str]:
        """The bodies whose row is gone, or names others."""
        found = self._bodies.get_many(scope, names) if self._bodies else {}
        rows = {name: row for name, body in found.items() if (row := row_of(body)) is not None}
        foreign = [name for name, row in rows.items() if not row[0].startswith(f"{scope.tenant}#")]
        if foreign:
            _log.warning("%d bodies are not of the tenant whose they should be", len(foreign))
        named = self._bodies_of({row for name, row in rows.items() if name not in foreign})
        return [
            name for name, row in rows.items() if name not in foreign and name not in named.get(row, set())
        ]

    def _bodies_of(self, rows: set[StoredKey]) -> dict[StoredKey, set[str]]:
        """The bodies that these rows name; expired rows are included."""
        wanted = [{"pk": {"S": pk}, "sk": {"S": sk}} for pk, sk in sorted(rows)]
        found: dict[StoredKey, set[str]] = {}
        patience = TablePatience(_PATIENCE)
        for _ in range(_TRIES):
            if not wanted:
                return found
            asked = {
                "RequestItems": {
                    self._name: {
                        "Keys": wanted,
                        "ConsistentRead": True,
                        "ProjectionExpression": "pk, sk, #bodies",
                        "ExpressionAttributeNames": {"#bodies": BODIES},
                    }
                }
            }
            read: Callable[[], dict[str, Any]] = partial(sent, self._client.batch_get_item, asked)
            answer = patience.call(read, repeatable=True)
            items: list[StoredItem] = answer["Responses"].get(self._name, [])
            for item in items:
                found[item["pk"]["S"], item["sk"]["S"]] = set(item.get(BODIES, {}).get("SS", ()))
            wanted = answer.get("UnprocessedKeys", {}).get(self._name, {}).get("Keys", [])
        raise Throttled("the table asks to slow down")
