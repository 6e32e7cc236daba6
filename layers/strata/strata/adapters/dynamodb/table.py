"""The port `Table` over one DynamoDB table."""

import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from botocore.exceptions import ClientError

from strata.adapters.circuit import Circuit
from strata.adapters.dynamodb.batches import DELETED_AT_ONCE, READ_AT_ONCE, Batches, answered, each_part
from strata.adapters.dynamodb.overflow import Overflow
from strata.adapters.dynamodb.patience import CANCELED, TablePatience, error_code
from strata.adapters.dynamodb.queries import run_query
from strata.adapters.dynamodb.rows import is_live, key_of, read_item
from strata.adapters.dynamodb.values import StoredItem
from strata.adapters.dynamodb.wholeness import Wholeness
from strata.adapters.dynamodb.writes import Plan, Refused, Request, is_repeatable, sent
from strata.adapters.patience import Sleep
from strata.adapters.rules.keys import stored_key, stored_keys
from strata.domain.errors import NewerRow, TooLarge, Unavailable
from strata.domain.scope import Scope
from strata.ports.bodies import Bodies
from strata.ports.clock import Clock
from strata.ports.rows import Action, Item, Key, Update
from strata.ports.table import ConditionFailed, Page, Query, Row

PATIENCE = 6.0
"""Seconds after which a call is not retried any more."""


class DynamoTable:
    """Rows in one DynamoDB table, with `pk` and `sk`, the indexes gsi1 to gsi3, and a TTL on `expires_at`.

    Args:
        client: a low-level client, as `make_client` makes it: without retries of its own.
        name: the table's.
        clock: decides what is expired.
        patience: seconds after which a call is not retried any more.
        throttled_patience: the same of one that is throttled; `patience` where it is None.
        pause: seconds for which calls fail at once after one that had no answer.
        bodies: stores values that a row has no room for; without it such a row is refused.
    """

    def __init__(
        self,
        client: Any,
        name: str,
        clock: Clock,
        *,
        patience: float = PATIENCE,
        throttled_patience: float | None = None,
        pause: float = 3.0,
        sleep: Sleep = time.sleep,
        bodies: Bodies | None = None,
    ) -> None:
        self._client = client
        self._name = name
        self._clock = clock
        self._seconds = patience, throttled_patience
        self._circuit = Circuit(pause, server="the table")
        self._sleep = sleep
        self._bodies = bodies
        self._wholeness = Wholeness(bodies, self._rows)
        self._batches = Batches(client, name)

    def get(self, scope: Scope, key: Key) -> Item | None:
        arguments = {"TableName": self._name, "Key": key_of(scope, key), "ConsistentRead": True}
        answer = answered(self._patience(), partial(self._client.get_item, **arguments))
        item = self._live(answer.get("Item"))
        return None if item is None else self._wholeness.one(scope, key, item)

    def get_many(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, Item]:
        """The live rows among `keys`, a hundred a call, several calls at a time."""
        return self._wholeness.many(scope, self._rows(scope, keys))

    def _rows(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, Item]:
        """The live rows among `keys`, without values in bodies."""
        by_stored = {stored_key(scope, key): key for key in keys}
        wanted = list(by_stored)
        answers = each_part(wanted, READ_AT_ONCE, lambda part: self._batches.read(part, self._patience()))
        found: dict[Key, Item] = {}
        for row in (row for answer in answers for row in answer):
            item = self._live(row)
            if item is not None:
                found[by_stored[row["pk"]["S"], row["sk"]["S"]]] = item
        return found

    def query(self, scope: Scope, query: Query) -> Page:
        """One page of a partition.

        Raises:
            InvalidRequest: the cursor was not made by this query.
        """
        patience = self._patience()

        def read(arguments: dict[str, Any]) -> dict[str, Any]:
            return answered(patience, partial(self._client.query, TableName=self._name, **arguments))

        page = run_query(read, scope, query, self._now())
        whole = self._wholeness.many(scope, {row.key: row.item for row in page.rows})
        return Page([Row(row.key, whole[row.key]) for row in page.rows if row.key in whole], page.cursor)

    def transact(self, scope: Scope, actions: Sequence[Action]) -> None:
        """Write up to 100 actions on distinct keys at once, or raise `ConditionFailed`.

        Raises:
            ValueError: more actions, or two of them on one key.
            TooLarge: a row has more than 400 KB, or all of them 4 MB, and nothing can go to bodies.
        """
        stored_keys(scope, actions)
        if actions:
            self._write(scope, actions)

    def delete_many(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Delete these rows, 25 a call, several calls at a time: half the price of a transaction."""
        stored = list(dict.fromkeys(stored_key(scope, key) for key in keys))
        each_part(stored, DELETED_AT_ONCE, lambda part: self._batches.delete(part, self._patience()))

    def update(self, scope: Scope, update: Update) -> Item:
        return self._write(scope, (update,))[0]

    def _write(self, scope: Scope, actions: Sequence[Action]) -> dict[int, Item]:
        """Write the actions; the new row of a single update, or of one written anew."""
        overflow = Overflow(possible=self._bodies is not None)
        plan = Plan(self._name, scope, actions, overflow)
        try:
            rows = self._written(scope, actions, plan)
        except (TooLarge, NewerRow):
            self._wholeness.drop(scope, overflow.made())
            raise
        except ConditionFailed as failed:
            self._wholeness.drop(scope, overflow.made())
            raise ConditionFailed(
                {
                    place: None if item is None else self._wholeness.one(scope, actions[place].key, item)
                    for place, item in failed.failures.items()
                }
            ) from None
        except Unavailable:
            self._wholeness.note(overflow.made())
            raise
        self._wholeness.drop(scope, overflow.left_behind())
        return {place: self._after(scope, actions[place].key, item) for place, item in rows.items()}

    def _after(self, scope: Scope, key: Key, item: Item) -> Item:
        whole = self._wholeness.one(scope, key, item)
        if whole is None:
            raise Unavailable("the row was deleted as soon as it was written")
        return whole

    def _written(self, scope: Scope, actions: Sequence[Action], plan: Plan) -> dict[int, Item]:
        overflow, patience = plan.overflow, self._patience()
        while True:
            requests = plan.requests(self._now())
            if self._bodies is not None:
                for name, body in overflow.unkept():
                    self._bodies.put(scope, name, body)
            try:
                if len(requests) == 1 and requests[0][0] != "ConditionCheck":
                    repeatable = is_repeatable(actions[0]) and not overflow.concerns(0)
                    answer = self._write_one(requests[0], repeatable, patience)
                    row = answer.get("Attributes")
                    return plan.rows_anew() if row is None else {0: read_item(row)}
                self._write_all(requests, patience)
                return plan.rows_anew()
            except Refused as refused:
                plan.learn(refused)
            except TooLarge:
                if overflow.tight or not overflow.possible:
                    raise
                overflow.tight = True
            if not patience.wait():
                raise Unavailable("the rows are being written by others; try again")

    def _write_one(self, request: Request, repeatable: bool, patience: TablePatience) -> dict[str, Any]:
        """One write by itself: half the price of a transaction."""
        kind, arguments = request
        send: Callable[..., dict[str, Any]] = getattr(self._client, f"{kind.lower()}_item")
        if kind == "Update":
            arguments = arguments | {"ReturnValues": "ALL_NEW"}
        return patience.call(lambda: sent(send, arguments), repeatable=repeatable)

    def _write_all(self, requests: Sequence[Request], patience: TablePatience) -> None:
        """Write one transaction. Its token makes a retry after a lost response idempotent."""
        token = str(uuid.uuid4())

        def send() -> None:
            nonlocal token
            try:
                sent(
                    self._client.transact_write_items,
                    {
                        "TransactItems": [{kind: arguments} for kind, arguments in requests],
                        "ClientRequestToken": token,
                    },
                )
            except ClientError as error:
                if error_code(error) == CANCELED:  # for certain: the next try is another transaction
                    token = str(uuid.uuid4())
                raise

        patience.call(send, repeatable=True)

    def _live(self, row: StoredItem | None) -> Item | None:
        return None if row is None or not is_live(row, self._now()) else read_item(row)

    def _patience(self) -> TablePatience:
        return TablePatience(*self._seconds, circuit=self._circuit, sleep=self._sleep)

    def _now(self) -> float:
        return self._clock.now_us() / 1e6
