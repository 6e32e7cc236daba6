"""One page of a partition, from the table or from one of its sparse indexes."""

import re
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

from strata.adapters.dynamodb.expressions import Expressions
from strata.adapters.dynamodb.rows import key_of, read_item, read_key
from strata.adapters.dynamodb.values import Stored, StoredItem
from strata.adapters.rules.cursors import decode_cursor, encode_cursor
from strata.adapters.rules.keys import KEYS_ONLY, partition, stored_key
from strata.domain.cursors import foreign
from strata.domain.scope import Scope
from strata.ports.rows import Key
from strata.ports.table import Page, Query, Row

Read = Callable[[dict[str, Any]], dict[str, Any]]
"""Sends a Query request and returns its response."""

_SORT_KEY_BYTES = 1024
_LAST_CHARACTER = "\U0010ffff"
_FIRST_LOOK = 100  # rows that a filter looks at first; then four times as many
_WRONG_PLACE = re.compile(r"start(ing)? ?key", re.IGNORECASE)


def run_query(read: Read, scope: Scope, query: Query, now: float) -> Page:
    """Read until `limit` rows pass the filter, and one more, if resumable, to see whether a page follows.

    Raises:
        InvalidRequest: the cursor was not made by this query.
    """
    after = _start(scope, query)
    arguments = _arguments(scope, query, now)
    if arguments is None or query.limit < 1:
        return Page([], None)
    enough = query.limit + query.resumable
    looked_at = enough if query.where is None else max(enough, _FIRST_LOOK)
    rows: list[Row] = []
    place: tuple[str, ...] = ()
    while True:
        start = {} if after is None else {"ExclusiveStartKey": after}
        try:
            answer = read(arguments | start | {"Limit": looked_at})
        except ClientError as error:
            if query.cursor and _WRONG_PLACE.search(str(error)):
                raise foreign("listing") from error
            raise
        for stored in answer["Items"]:
            if len(rows) == query.limit:
                return Page(rows, encode_cursor(scope, query, place) if query.resumable else None)
            is_bare = query.keys_only or query.index == KEYS_ONLY
            row = Row(read_key(stored), {} if is_bare else read_item(stored))
            rows.append(row)
            place = (row.key.sk,) if query.index is None else (_sort(stored, query), row.key.pk, row.key.sk)
        after = answer.get("LastEvaluatedKey")
        if after is None or len(rows) == enough:
            return Page(rows, None)
        looked_at = min(looked_at * 4, 100_000)


def _arguments(scope: Scope, query: Query, now: float) -> dict[str, Any] | None:
    """The request without its start and limit; None when no row can match."""
    expressions = Expressions(scope, now)
    # what an index does not have, no filter may name
    unfiltered = query.expired or query.index == KEYS_ONLY
    filtering = "" if unfiltered else expressions.filter(query.where)
    bounds = _bounds(query)
    if filtering is None or bounds is None:
        return None
    sort = "sk" if query.index is None else f"{query.index}sk"
    stored_key(scope, Key(query.pk, "".join(bounds[1:])))
    values: StoredItem = {":pk": {"S": partition(scope, query.pk)}}
    condition = f"{'pk' if query.index is None else f'{query.index}pk'} = :pk"
    match bounds:
        case ("prefix", prefix):
            condition += f" AND begins_with({sort}, :low)"
            values[":low"] = {"S": prefix}
        case ("between", low, high):
            condition += f" AND {sort} BETWEEN :low AND :high"
            values |= {":low": {"S": low}, ":high": {"S": high}}
    explained = expressions.arguments() | ({"FilterExpression": filtering} if filtering else {})
    explained["ExpressionAttributeValues"] = explained.get("ExpressionAttributeValues", {}) | values
    source: dict[str, Any] = {"ConsistentRead": True} if query.index is None else {"IndexName": query.index}
    if query.keys_only:
        source["ProjectionExpression"] = "pk, sk" if query.index is None else f"pk, sk, {query.index}sk"
    return {
        "KeyConditionExpression": condition,
        "ScanIndexForward": not query.newest_first,
        **source,
        **explained,
    }


def _bounds(query: Query) -> tuple[str, ...] | None:
    """The bounds of the sort key as the only condition that DynamoDB allows; None when nothing can match.

    Both sort by UTF-8 bytes, as Python does by code points.
    """
    first, last, prefix = query.first or "", query.last, query.prefix or ""
    if not first and last is None:
        return ("prefix", prefix) if prefix else ("all",)
    highest = prefix + _LAST_CHARACTER * ((_SORT_KEY_BYTES - len(prefix.encode("utf-8", "replace"))) // 4)
    low = max(first, prefix) or "\0"
    high = highest if last is None else min(last, highest)
    return ("between", low, high) if low <= high else None


def _start(scope: Scope, query: Query) -> dict[str, Stored] | None:
    """The key after which the page starts."""
    match decode_cursor(scope, query, 1 if query.index is None else 3):
        case None:
            return None
        case (str(sk),):
            return key_of(scope, Key(query.pk, sk))
        case (str(index_sk), str(pk), str(sk)):
            return key_of(scope, Key(pk, sk)) | {
                f"{query.index}pk": {"S": partition(scope, query.pk)},
                f"{query.index}sk": {"S": index_sk},
            }
    raise AssertionError("a cursor has one part or three")


def _sort(stored: StoredItem, query: Query) -> str:
    place: str = stored[f"{query.index}sk"]["S"]
    return place
